//! Cancels games that have not started in time.

use crate::Games;
use crate::error::GameError;
use pippost_store::commit;
use pippost_store::set_aside::{self, Task};

/// The most games cancelled in one step.
const BATCH: i64 = 100;

/// Cancels games whose time to fill and start is up, and tells those who wait there; returns how many games this call cancelled.
///
/// # Errors
/// The database failed.
pub async fn expire(games: &Games) -> Result<usize, GameError> {
    let expired = commit::expire(&games.database, games.inner.clock.now(), BATCH).await?;
    if expired.is_empty() {
        return Ok(0);
    }
    games.inner.outbox_signal.notify();
    // A full one may have been set aside, because its start failed.
    set_aside::clear_all(&games.database, Task::Start, &expired).await?;
    Ok(expired.len())
}
