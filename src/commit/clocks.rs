//! Changes clocks without events: calendars, holidays, pauses, gifts and down time, each with its line of the clock log.

use time::OffsetDateTime;
use uuid::Uuid;

use super::guard::StateWrite;
use super::states;
use crate::store::clock_lines::ClockLineRow;
use crate::store::{Database, Edition, Seq, StoreError};

/// A change of one game's clock.
#[derive(Clone, Debug)]
pub struct ClockWrite {
    pub game_id: Uuid,
    /// The `seq` and edition of the state that the change was decided on.
    pub expected_seq: Seq,
    pub expected_edition: Edition,
    /// The running clock as JSON; `None` if it follows from the turn and the limit.
    pub clock: Option<String>,
    pub deadline_at: Option<OffsetDateTime>,
    pub remind_at: Option<OffsetDateTime>,
    /// Reminders that were sent do not count any more: there is more time again.
    pub remind_anew: bool,
    /// What bears on the clock and does not change with moves, as JSON.
    pub circumstances: String,
    /// The newest outage that is given back.
    pub outage: i64,
    /// In order.
    pub lines: Vec<ClockLineRow>,
}

/// Writes each of `changes`, of different games, completely or not at all; returns the games that were written. Every game gets a new
/// edition, so a move decided before is decided again.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn change_clocks(database: &Database, changes: &[ClockWrite]) -> Result<Vec<Uuid>, StoreError> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let right = StateWrite::of(changes.iter().map(|change| change.game_id));
    Ok(states::change_clocks(&mut *database.get().await?, &right, changes).await?)
}
