//! Queues reminders.

use time::OffsetDateTime;
use uuid::Uuid;

use super::guard::StateWrite;
use super::states;
use crate::{Database, Edition, Seq, StoreError, notices};

/// What was planned about the reminders of a game.
#[derive(Clone, Debug)]
pub struct PlannedReminder {
    pub game_id: Uuid,
    /// The `seq` and edition of the state that it was planned on.
    pub expected_seq: Seq,
    pub expected_edition: Edition,
    /// A reminder is queued, which stands for all down to so much time left; microseconds.
    pub sent_left: Option<i64>,
    /// Whether it is sent in quiet hours, too.
    pub urgent: bool,
    /// When to look again.
    pub next_at: Option<OffsetDateTime>,
}

/// Writes what was planned, once however many workers plan the same; returns how many games were written.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn remind(
    database: &Database,
    planned: &[PlannedReminder],
    now: OffsetDateTime,
) -> Result<usize, StoreError> {
    if planned.is_empty() {
        return Ok(0);
    }
    let right = StateWrite::of(planned.iter().map(|planned| planned.game_id));
    let written =
        states::remind(&mut *database.get().await?, database.topology(), &right, planned, now).await?;
    notices::collect(database).await?;
    Ok(written)
}
