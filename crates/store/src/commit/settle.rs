//! Settles a statement whose answer was lost: finds out for good whether the move was written.

use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::guard::StateWrite;
use super::states;
use crate::schema::events;
use crate::{Database, Edition, Seq, StoreError};

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

/// How long a request waits for an unreachable database; PostgreSQL usually restarts faster.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);

/// How often the database is asked meanwhile.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Whether the move was written. If not, it never will be. `lost` is the error that left the doubt.
///
/// # Errors
/// [`StoreError::InDoubt`]: the database cannot be reached.
pub async fn settle(
    database: &Database,
    attempt: &Attempt<'_>,
    lost: &StoreError,
) -> Result<bool, StoreError> {
    let deadline = Instant::now() + SETTLE_TIMEOUT;
    loop {
        match ask(database, attempt).await {
            Ok(written) => {
                tracing::warn!(game = %attempt.game_id, %lost, written, "the answer about a move was lost; the database was asked");
                return Ok(written);
            }
            Err(error) if !error.is_outage() => return Err(error),
            Err(error) if Instant::now() >= deadline => return Err(StoreError::InDoubt(error.to_string())),
            // Nothing signals that PostgreSQL is back, so ask again after a pause.
            Err(_) => tokio::time::sleep(RETRY_INTERVAL).await,
        }
    }
}

/// Whether the move was written. If not, it never will be, even if the statement still arrives: the state gets another edition,
/// so its guard fails. A running statement holds the row's lock and is waited for.
async fn ask(database: &Database, attempt: &Attempt<'_>) -> Result<bool, StoreError> {
    if fence(database, attempt).await? {
        return Ok(false);
    }
    let mut connection = database.get_for_game(attempt.game_id).await?;
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
    let mut connection = database.get_for_game(attempt.game_id).await?;
    let right = StateWrite::of([attempt.game_id]);
    let (seq, edition) = (attempt.expected_seq, attempt.expected_edition);
    Ok(states::raise_edition(&mut connection, &right, attempt.game_id, seq, edition).await?)
}
