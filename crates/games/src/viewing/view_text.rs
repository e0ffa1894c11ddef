//! Keeps views as JSON with their position: whoever asks within the same second gets the same text. The guard "views of cached games /
//! pgbench's select of the row" of docs/PERFORMANCE.md needs it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytestring::ByteString;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::viewing::view::{self, Newest, Requester, seconds_left};
use crate::viewing::visibility;
use pippost_keys::secret::weak_tag;
use pippost_record::rules::Viewer;

/// The most seats of any game.
const MAX_SEATS: usize = 8;

/// The views of one position by viewer: spectators first, then the seats.
#[derive(Default)]
pub struct ViewTexts([Mutex<Kept>; MAX_SEATS + 1]);

impl ViewTexts {
    /// No panic inside leaves a text that is not whole, so poisoning is ignored.
    fn of(&self, viewer: Viewer) -> MutexGuard<'_, Kept> {
        let kept = match viewer {
            Viewer::Spectator => &self.0[0],
            Viewer::Seat(seat) => &self.0[1 + seat.index()],
        };
        kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A view as it is sent, with the entity tag that HTTP clients know it by.
#[derive(Clone, Debug)]
pub struct ShownView {
    pub json: Arc<RawValue>,
    /// A digest of the JSON without the seconds left, so it tells nothing but what the viewer is shown.
    pub tag: ByteString,
}

/// What has been written of a view.
#[derive(Default)]
pub struct Kept {
    /// The newest text and the seconds left in it, the one thing in a view that changes with time.
    json: Option<(Option<i64>, Arc<RawValue>)>,
    tag: Option<ByteString>,
}

impl Kept {
    /// The text with these seconds left; `write` writes it.
    pub fn json(
        &mut self,
        seconds: Option<i64>,
        write: impl FnOnce(Option<i64>) -> Box<RawValue>,
    ) -> Arc<RawValue> {
        if let Some((_, json)) = self.json.as_ref().filter(|(written, _)| *written == seconds) {
            return Arc::clone(json);
        }
        let json = write(seconds).into();
        self.json = Some((seconds, Arc::clone(&json)));
        json
    }

    /// The tag of the text; `write` writes it.
    pub fn tag(&mut self, write: impl FnOnce(Option<i64>) -> Box<RawValue>) -> ByteString {
        self.tag.get_or_insert_with(|| tag(&write(None))).clone()
    }
}

fn tag(json: &RawValue) -> ByteString {
    weak_tag(&[json.get().as_bytes()]).into()
}

/// The current game as `requester` may see it: the text of a [`view::GameView`].
///
/// # Errors
/// There is no such game for this requester.
pub async fn view_text(games: &Games, game_id: Uuid, requester: &Requester) -> Result<ShownView, GameError> {
    visibility::expect_visible(games, game_id, requester).await?;
    match view::newest(games, game_id).await? {
        Newest::Started(live) => {
            let viewer = view::viewer(games, &live, requester)?;
            let write = |seconds| write(games, &live, viewer, seconds);
            let mut kept = live.texts.of(viewer);
            let json = kept.json(seconds_at(&live, games.inner.clock.now()), write);
            Ok(ShownView { json, tag: kept.tag(write) })
        }
        Newest::Waiting(whole) => {
            // Boxed as in `newest`.
            let json = Box::pin(view::view_waiting(games, &whole, requester)).await?.text();
            Ok(ShownView { tag: tag(&json), json: json.into() })
        }
    }
}

/// The text of the view for `viewer` at the time `now`.
pub(crate) fn text_at(games: &Games, live: &LiveGame, viewer: Viewer, now: OffsetDateTime) -> Arc<RawValue> {
    let write = |seconds| write(games, live, viewer, seconds);
    live.texts.of(viewer).json(seconds_at(live, now), write)
}

fn seconds_at(live: &LiveGame, now: OffsetDateTime) -> Option<i64> {
    let deadline_at = live.turn.and_then(|turn| turn.deadline_at);
    deadline_at.map(|deadline_at| seconds_left(deadline_at, now))
}

fn write(games: &Games, live: &LiveGame, viewer: Viewer, seconds: Option<i64>) -> Box<RawValue> {
    let mut view = view::view_live(games, live, viewer);
    view.time_left_seconds = seconds;
    view.text()
}
