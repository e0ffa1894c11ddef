//! The value without which no row of `game_states` is written.
//!
//! Every write of that table changes `seq` or `edition` of the row. So a move decided on the row before is never written over it, and
//! every process sees by the version question that its copy is old. A function that writes the table takes a [`StateWrite`];
//! `tests/it/architecture.rs` fixes which files hold such functions and which may make the value.

use uuid::Uuid;

/// The right to write the states of the named games, and of no others.
#[derive(Debug)]
pub struct StateWrite {
    game_ids: Vec<Uuid>,
}

impl StateWrite {
    /// The right to write the states of these games with one statement or transaction.
    #[must_use]
    pub fn of(game_ids: impl IntoIterator<Item = Uuid>) -> Self {
        Self { game_ids: game_ids.into_iter().collect() }
    }

    /// Checks that exactly these games are written.
    pub(super) fn expect(&self, game_ids: impl IntoIterator<Item = Uuid>) {
        debug_assert!(self.game_ids.iter().copied().eq(game_ids), "another game is written than was named");
    }
}
