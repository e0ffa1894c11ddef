//! Players whose messages at the table another player does not want to read.

use super::bounded_list::BoundedList;

/// The most players whom one player mutes.
pub const MAX_MUTED: i64 = 200;

/// Whom a player mutes.
pub const MUTED: BoundedList =
    BoundedList { table: "muted_players", listed: "muted_id", since: "muted_at", most: MAX_MUTED };
