//! The boards of a whole game, one after the other, for an animated picture.

use uuid::Uuid;

use super::checkpoints::Purpose;
use super::replay::Replay;
use crate::Games;
use crate::error::GameError;
use crate::viewing::board::picture;
use crate::viewing::view::{self, Requester};
use pippost_language::Language;
use pippost_record::record::Hash;
use pippost_record::rules::picture::Picture;

/// The most boards of a film; of longer games, boards at even distances.
pub const MAX_FRAMES: u64 = 120;

/// The longest game that is filmed, in events: all of them are replayed.
pub const MAX_FILMED_EVENTS: u64 = 4000;

/// The boards of a game as one viewer saw them, with the hash of the newest event.
#[derive(Debug)]
pub struct Film {
    pub pictures: Vec<Picture>,
    pub head: Hash,
}

/// The boards of the game from its start to its newest event.
///
/// # Errors
/// No such game for this requester, not started, or longer than [`MAX_FILMED_EVENTS`].
pub async fn film(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    language: Language,
) -> Result<Film, GameError> {
    let (live, viewer) = view::started_for(games, game_id, requester).await?;
    let newest = live.seq();
    if newest.get() > MAX_FILMED_EVENTS {
        let why = format!("a film shows games of at most {MAX_FILMED_EVENTS} events");
        return Err(GameError::NoSuchPosition { field: "seq", why });
    }
    let stride = (newest.get() + 1).div_ceil(MAX_FRAMES).max(1);
    let mut replay = Replay::new(games, &live, Purpose::Request, newest);
    let mut pictures = Vec::new();
    while replay.step().await?.is_some() {
        let Some(now) = replay.now() else { continue };
        // Counted from the end, so that the last board is always there.
        if (newest.get() - now.seq().get()).is_multiple_of(stride) {
            pictures.push(picture(&live, &now.table, viewer, &now.event.effects, language));
        }
    }
    Ok(Film { pictures, head: live.chronicle.head() })
}
