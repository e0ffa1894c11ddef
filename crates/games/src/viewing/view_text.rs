//! Caches views as text with their position: later requests get the same bytes, except for the seconds left.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytestring::ByteString;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use crate::viewing::view::{self, GameView, Requester, seconds_left};
use pippost_keys::secret::weak_tag;
use pippost_record::rules::Viewer;
use pippost_store::games;

/// Writes a view as the text of an answer. The API gives it, because the text is kept with the position that it shows.
pub type WriteView = fn(&GameView) -> WrittenView;

/// A view as JSON.
#[derive(Debug)]
pub struct WrittenView {
    pub json: String,
    /// The place of the seconds left, the one number in a view that changes with time.
    pub seconds: Option<Range<usize>>,
}

/// The most seats of any game.
const MAX_SEATS: usize = 8;

/// The views of one position by viewer: spectators first, then the seats.
#[derive(Default)]
pub struct ViewTexts([OnceLock<ViewText>; MAX_SEATS + 1]);

impl ViewTexts {
    fn of(&self, viewer: Viewer) -> &OnceLock<ViewText> {
        match viewer {
            Viewer::Spectator => &self.0[0],
            Viewer::Seat(seat) => &self.0[1 + seat.index()],
        }
    }
}

/// A view as it is sent, with the entity tag that HTTP clients know it by.
#[derive(Clone, Debug)]
pub struct ShownView {
    pub json: ByteString,
    /// A digest of the JSON without the seconds left, so it tells nothing but what the viewer is shown.
    pub tag: ByteString,
}

/// The JSON of a view, and its tag once somebody has asked for it.
struct ViewText {
    json: ViewJson,
    tag: OnceLock<ByteString>,
}

/// The JSON of a view.
enum ViewJson {
    Fixed(ByteString),
    /// With the seconds left until the deadline.
    Counting(OffsetDateTime, Mutex<Counted>),
}

/// The text as it was last shown; valid for one second.
struct Counted {
    json: ByteString,
    /// The place of the seconds in the text.
    digits: Range<usize>,
    seconds: i64,
}

impl ViewText {
    fn new(written: WrittenView, deadline_at: Option<OffsetDateTime>) -> Self {
        Self { json: ViewJson::new(written, deadline_at), tag: OnceLock::new() }
    }

    fn shown_at(&self, now: OffsetDateTime) -> ShownView {
        let tag = self.tag.get_or_init(|| self.json.tag()).clone();
        ShownView { json: self.json.at(now), tag }
    }
}

impl ViewJson {
    fn new(written: WrittenView, deadline_at: Option<OffsetDateTime>) -> Self {
        let json = ByteString::from(written.json);
        let Some((deadline_at, digits)) = deadline_at.zip(written.seconds) else { return Self::Fixed(json) };
        match json[digits.clone()].parse() {
            Ok(seconds) => Self::Counting(deadline_at, Mutex::new(Counted { json, digits, seconds })),
            Err(_) => Self::Fixed(json),
        }
    }

    fn tag(&self) -> ByteString {
        match self {
            Self::Fixed(json) => weak_tag(&[json.as_bytes()]).into(),
            Self::Counting(_, counted) => {
                let Counted { json, digits, .. } = &*counted.lock().unwrap_or_else(PoisonError::into_inner);
                let (before, after) = (&json[..digits.start], &json[digits.end..]);
                weak_tag(&[before.as_bytes(), after.as_bytes()]).into()
            }
        }
    }

    fn at(&self, now: OffsetDateTime) -> ByteString {
        match self {
            Self::Fixed(json) => json.clone(),
            Self::Counting(deadline_at, counted) => {
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.show(seconds_left(*deadline_at, now));
                counted.json.clone()
            }
        }
    }
}

impl Counted {
    fn show(&mut self, seconds: i64) {
        if seconds != self.seconds {
            let Range { start, end } = self.digits;
            let shown = seconds.to_string();
            self.json = [&self.json[..start], &shown, &self.json[end..]].concat().into();
            self.digits = start..start + shown.len();
            self.seconds = seconds;
        }
    }
}

/// The current game as `requester` may see it: the text of a [`GameView`].
///
/// # Errors
/// There is no such game for this requester.
pub async fn view_text(games: &Games, game_id: Uuid, requester: &Requester) -> Result<ShownView, GameError> {
    if let Some(live) = version_check::current(games, game_id).await? {
        let viewer = view::viewer(games, &live, requester)?;
        return Ok(text_of(games, &live, viewer).shown_at(games.inner.clock.now()));
    }
    // Boxed, because it is rare and would enlarge the future of every view.
    let whole = Box::pin(games::load(&games.database, game_id)).await?.ok_or(GameError::NotFound)?;
    let view = Box::pin(view::view_waiting(games, &whole, requester)).await?;
    let json = (games.inner.write_view)(&view).json;
    Ok(ShownView { tag: weak_tag(&[json.as_bytes()]).into(), json: json.into() })
}

/// The view for `viewer` as text, built at most once for each position.
fn text_of<'a>(games: &Games, live: &'a Arc<LiveGame>, viewer: Viewer) -> &'a ViewText {
    live.texts.of(viewer).get_or_init(|| {
        let written = (games.inner.write_view)(&view::view_live(games, live, viewer));
        ViewText::new(written, live.turn.and_then(|turn| turn.deadline_at))
    })
}

/// The same at the time `now`.
pub(crate) fn text_at(
    games: &Games,
    live: &Arc<LiveGame>,
    viewer: Viewer,
    now: OffsetDateTime,
) -> ByteString {
    text_of(games, live, viewer).json.at(now)
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_kept_view_differs_only_in_the_seconds_that_are_left() {
        let deadline = datetime!(2026-11-21 12:00 UTC);
        let json = r#"{"handle":"\"time_left_seconds\":7","time_left_seconds":60,"view":{"a":1}}"#;
        let start = json.find("60").expect("the seconds");
        let written = WrittenView { json: json.to_owned(), seconds: Some(start..start + 2) };
        let kept = ViewText::new(written, Some(deadline));
        let shown = |seconds| kept.shown_at(deadline - Duration::seconds(seconds));
        assert_eq!(shown(60).json, json);
        assert_eq!(shown(5).json, json.replace("60", "5"));
        assert_eq!(shown(-5).json, json.replace("60", "0"));
        assert_eq!(shown(-5).tag, shown(60).tag);
    }

    #[test]
    fn a_view_without_a_limit_is_kept_whole() {
        let json = r#"{"time_left_seconds":null,"view":null}"#;
        let written = WrittenView { json: json.to_owned(), seconds: None };
        let shown = ViewText::new(written, None).shown_at(datetime!(2026-11-21 12:00 UTC));
        assert_eq!(shown.json, json);
        assert_eq!(shown.tag, weak_tag(&[json.as_bytes()]));
    }
}
