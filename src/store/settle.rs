//! Settles a statement whose answer was lost: finds out for good whether the move was written.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::{Edition, Seq};
use super::schema::events;
use super::state_rows;
use super::state_write::StateWrite;

/// A move that may have been written.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub game_id: Uuid,
    /// The `seq` and edition that the statement compares.
    pub expected_seq: Seq,
    pub expected_edition: Edition,
    /// The `seq` of the move's last event, and its line.
    pub seq: Seq,
    pub line: &'a str,
}

/// Whether the move was written. If not, it never will be, even if the statement still arrives: the state gets another edition,
/// so its guard fails. A running statement holds the row's lock and is waited for.
///
/// # Errors
/// The database failed; the call may be repeated.
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
    // A line contains the hash of its event, and so determines all events before it.
    Ok(line.as_deref() == Some(attempt.line))
}

/// Raises the edition if the state still matches the statement's guard.
async fn fence(database: &Database, attempt: &Attempt<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let right = StateWrite::of([attempt.game_id]);
    let (seq, edition) = (attempt.expected_seq, attempt.expected_edition);
    Ok(state_rows::raise_edition(&mut connection, &right, attempt.game_id, seq, edition).await?)
}
