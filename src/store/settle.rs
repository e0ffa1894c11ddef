//! After a statement whose answer was lost: was the move written or not? Afterwards it is certain for good.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::events;
use super::state_rows;
use super::state_write::StateWrite;

/// A move that may have been written.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub game_id: Uuid,
    /// What the statement has compared with the game's state.
    pub expected_seq: i64,
    pub expected_edition: i32,
    /// The `seq` of the move's last event, and its line.
    pub seq: i64,
    pub line: &'a str,
}

/// Whether the move was written. If it was not it never will be, although the statement may be on its way still: the state gets
/// another edition, which that statement does not expect. One that is at work holds the row, and is waited for.
///
/// # Errors
/// The database failed; it may be asked again.
pub async fn settle(database: &Database, attempt: &Attempt<'_>) -> Result<bool, StoreError> {
    if fence(database, attempt).await? {
        return Ok(false);
    }
    let mut connection = database.get().await?;
    let line: Option<String> = events::table
        .find((attempt.game_id, attempt.seq))
        .select(events::line)
        .first(&mut connection)
        .await
        .optional()?;
    // A line holds the hash of its event, and with that all events before it.
    Ok(line.as_deref() == Some(attempt.line))
}

/// Gives the state another edition if it is still as the statement expects it.
async fn fence(database: &Database, attempt: &Attempt<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let right = StateWrite::of([attempt.game_id]);
    let (seq, edition) = (attempt.expected_seq, attempt.expected_edition);
    Ok(state_rows::raise_edition(&mut connection, &right, attempt.game_id, seq, edition).await?)
}
