//! A player's private note on a game. Nobody else ever sees it, and it is no part of the record.

use crate::Games;
use crate::error::GameError;
use crate::letters::messages::steers;
use crate::viewing::view::SeatClaim;
use pippost_store::private_notes;

/// The longest note, in characters.
pub const MAX_NOTE_CHARS: usize = 4000;

/// The player's note on the game; empty without one.
///
/// # Errors
/// The database failed.
pub async fn note(games: &Games, claim: &SeatClaim) -> Result<String, GameError> {
    let note = private_notes::note(&games.database, claim.game_id, claim.player_id).await?;
    Ok(note.unwrap_or_default())
}

/// Replaces the player's note on the game; an empty text removes it.
///
/// # Errors
/// The text is too long, or the database failed.
pub async fn write_note(games: &Games, claim: &SeatClaim, text: &str) -> Result<(), GameError> {
    let text: String = text.chars().filter(|sign| *sign == '\n' || !steers(*sign)).collect();
    let text = text.trim();
    if text.chars().count() > MAX_NOTE_CHARS {
        let why = format!("at most {MAX_NOTE_CHARS} characters");
        return Err(GameError::InvalidValue { field: "text", why });
    }
    let text = Some(text).filter(|text| !text.is_empty());
    let now = games.inner.clock.now();
    Ok(private_notes::write(&games.database, claim.game_id, claim.player_id, text, now).await?)
}
