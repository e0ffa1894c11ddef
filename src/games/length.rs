//! The largest length of a game.

use crate::record::Table;

/// The most events of a game. The longest games known have some hundreds; a game that nobody wants to end stays bounded by this.
pub const MAX_EVENTS: u64 = 100_000;

/// How many actions still fit a game that stands as `table` after event `seq`: one event is kept for each seat, so that everybody can
/// always resign, or run out of time.
#[must_use]
pub fn actions_left(table: &Table, seq: u64) -> u64 {
    let for_actions = MAX_EVENTS - u64::from(table.seats());
    for_actions.saturating_sub(seq + 1)
}
