//! Requests that create something, carried out once for each `Idempotency-Key`.
//!
//! A row stores only the id of what was created. The response is made from it again, so no invitation lies in the database.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use pippost_store::stored_responses::{self, NewStoredResponse, RequestKey};

/// What is stored: the id of what the request created, or of what it was about. This form is that of rows, so it is no matter of
/// the API.
#[derive(Serialize, Deserialize)]
struct Stored {
    id: Uuid,
}

/// What to store for the request of a player that creates `id`.
pub(crate) fn to_store(key: Option<&RequestKey>, player_id: Uuid, id: Uuid) -> Option<NewStoredResponse> {
    let response = || serde_json::to_string(&Stored { id }).expect("plain data");
    key.map(|key| key.with_response(player_id, response()))
}

/// The id that the same request has created before, if it came before. Asked first, because a repeated request might be refused now.
pub(crate) async fn done_before(
    games: &Games,
    key: Option<&RequestKey>,
    player_id: Uuid,
) -> Result<Option<Uuid>, GameError> {
    let Some(key) = key else { return Ok(None) };
    match stored_responses::find(&games.database, player_id, &key.key).await? {
        Some(row) => stored_id(row, Some(key)).map(Some),
        None => Ok(None),
    }
}

/// The id in a stored response to this request.
pub(crate) fn stored_id(
    row: stored_responses::StoredResponseRow,
    key: Option<&RequestKey>,
) -> Result<Uuid, GameError> {
    let response = row.of(key.ok_or(GameError::KeyReused)?)?;
    let stored: Stored = serde_json::from_str(&response)
        .map_err(|_| GameError::Corrupt(Uuid::nil(), "stored response".into()))?;
    Ok(stored.id)
}
