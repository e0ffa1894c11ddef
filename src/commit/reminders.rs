//! Queues reminders.

use time::OffsetDateTime;

use super::guard::StateWrite;
use super::states;
use crate::store::{Database, StoreError, turns};

/// Queues at most `limit` due reminders, each once however many workers run.
pub async fn remind(database: &Database, now: OffsetDateTime, limit: i64) -> Result<usize, StoreError> {
    let game_ids = turns::reminder_due(database, now, limit).await?;
    if game_ids.is_empty() {
        return Ok(0);
    }
    let right = StateWrite::of(game_ids.iter().copied());
    Ok(states::remind(&mut *database.get().await?, &right, &game_ids, now).await?)
}
