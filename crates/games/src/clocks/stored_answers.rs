//! Answers to requests that change a clock, kept for when these are repeated.
//!
//! They are kept after the change, not with it: a gift names the line of the log that it follows, and an own proposal is replaced, so
//! neither is made twice even if an answer was not kept.

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use pippost_store::stored_responses::{self, RequestKey};

/// The answer that the same request got before, if it came before.
///
/// # Errors
/// [`GameError::KeyReused`], or the database failed.
pub async fn answer_before(
    games: &Games,
    key: Option<&RequestKey>,
    player_id: Uuid,
) -> Result<Option<String>, GameError> {
    let Some(key) = key else { return Ok(None) };
    let row = stored_responses::find(&games.database, player_id, &key.key).await?;
    Ok(row.map(|row| row.of(key)).transpose()?)
}

/// Keeps an answer. If that fails the request was carried out all the same, so it is only logged.
pub async fn keep_answer(games: &Games, key: Option<&RequestKey>, player_id: Uuid, answer: &str) {
    let Some(key) = key else { return };
    let new = key.with_response(player_id, answer.to_owned());
    let now = games.inner.clock.now();
    if let Err(error) = stored_responses::keep(&games.database, &new, now).await {
        tracing::warn!(%player_id, %error, "the answer to a repeated request was not kept");
    }
}
