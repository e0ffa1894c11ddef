//! The limit on the length of a game.

use pippost_record::record::Table;

/// The most events of a game. The longest known games have some hundreds; this bounds a game that nobody ends.
pub const MAX_EVENTS: u64 = 100_000;

/// How many actions still fit the game at `table` after event `seq`. One event is reserved for each seat, so that every player
/// can always resign or run out of time.
#[must_use]
pub fn actions_left(table: &Table, seq: u64) -> u64 {
    let for_actions = MAX_EVENTS - u64::from(table.seats());
    for_actions.saturating_sub(seq + 1)
}
