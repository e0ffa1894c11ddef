//! The right to write rows of `game_states`, given out here alone.
//!
//! Whoever writes that table changes `seq` or `edition` of the row, so that no move which was decided on the row before can be written
//! over it; and says so to this process first, because it may rely on its memory ([`super::sole`]). A function that writes the
//! table takes a [`StateWrite`], which cannot be had without the announcement. Which files hold such functions is fixed by
//! `tests/it/architecture.rs`.

use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::sole::{Proof, Writing};

/// The right to write the states of some games, which has been announced. Dropped instead of [`StateWrite::end`]ed, its statement
/// counts as one that may still be carried out, and the database is asked about these games ever after.
#[must_use = "say how the statement ended"]
pub struct StateWrite<'a> {
    games: Vec<(Uuid, Writing<'a>)>,
}

impl<'a> StateWrite<'a> {
    /// Announces that the states of these games are about to be written.
    pub fn announce(database: &'a Database, game_ids: impl IntoIterator<Item = Uuid>) -> Self {
        let announce = |game_id| (game_id, database.sole().write(game_id));
        Self { games: game_ids.into_iter().map(announce).collect() }
    }

    /// The statement, or the transaction, has ended with `outcome`. Returns for each game, in the order of the announcement, the proof
    /// of the state that was written, if it was; none while the outcome is in doubt.
    pub fn end<T>(self, outcome: &Result<T, StoreError>) -> Vec<(Uuid, Proof)> {
        if outcome.as_ref().is_err_and(StoreError::leaves_doubt) {
            return Vec::new();
        }
        self.games.into_iter().map(|(game_id, writing)| (game_id, writing.ended())).collect()
    }

    /// Checks that these are the games that were announced.
    pub(super) fn expect(&self, game_ids: impl IntoIterator<Item = Uuid>) {
        let announced = self.games.iter().map(|(game_id, _)| *game_id);
        debug_assert!(announced.eq(game_ids), "another game is written than was announced");
    }
}
