//! The board of a game, as text and as a picture, now and at any position.

use serde_json::Value;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::history::past_positions::{self, At};
use crate::memory::live::LiveGame;
use crate::viewing::view::{self, Requester};
use pippost_language::Language;
use pippost_record::record::{Event, Hash, Table};
use pippost_record::rules::picture::Picture;
use pippost_record::rules::{Captions, Seat, Viewer};
use pippost_store::events::Span;

/// A picture of a game with the keys that identify it.
#[derive(Debug)]
pub struct Drawing {
    pub picture: Picture,
    /// The hash of the event that it shows.
    pub head: Hash,
    /// The viewer's seat; `None` for a spectator.
    pub seat: Option<Seat>,
}

/// The board as `requester` sees it, now or at an earlier position, as plain text in `language`.
///
/// # Errors
/// No such game or event for this requester, or not started.
pub async fn board_text(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: impl Into<At>,
    language: Language,
) -> Result<String, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let past = past_positions::past_position(games, &live, at.into()).await?;
    let table = past.as_ref().map_or(live.chronicle.table(), |then| &then.table);
    Ok(table.position().board_text(viewer, &Captions::new(&live.fixed.names, &language)))
}

/// The board as `requester` sees it, now or at an earlier position, with the last move marked.
///
/// # Errors
/// As [`board_text`].
pub async fn drawing(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    at: impl Into<At>,
    language: Language,
) -> Result<Drawing, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    if let Some(then) = past_positions::past_position(games, &live, at.into()).await? {
        let picture = picture(&live, &then.table, viewer, &then.event.effects, language);
        return Ok(Drawing { picture, head: then.event.hash, seat });
    }
    let event = last_event(games, &live).await?;
    let picture = picture(&live, live.chronicle.table(), viewer, &event.effects, language);
    Ok(Drawing { picture, head: live.chronicle.head(), seat })
}

pub(crate) async fn last_event(games: &Games, live: &LiveGame) -> Result<Event, GameError> {
    let seq = live.seq();
    let lines = games.letter_reads.lines(Span { game_id: live.fixed.id, first: seq, last: seq }).await?;
    let event = lines.first().and_then(|line| serde_json::from_str(line).ok());
    event.ok_or_else(|| GameError::Corrupt(live.fixed.id, "event".into()))
}

/// The board of `table`, a position of this game, as `viewer` sees it.
pub(crate) fn picture(
    live: &LiveGame,
    table: &Table,
    viewer: Viewer,
    last: &[Value],
    language: Language,
) -> Picture {
    table.position().picture(viewer, &Captions::new(&live.fixed.names, &language), last)
}
