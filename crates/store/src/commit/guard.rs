//! The value that every write of `game_states` requires.
//!
//! Every write changes `seq` or `edition` of the row, so a move decided on the old row is never written over the new one, and
//! every process sees in the version check that its copy is old. A function that writes the table takes a [`StateWrite`];
//! `tests/laws/architecture.rs` fixes which files hold such functions and which may make the value.

use diesel::result::{Error, QueryResult};
use uuid::Uuid;

/// The right to write the states of the named games only.
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
    ///
    /// # Errors
    /// Another game would be written; the statement must not be sent.
    pub(super) fn expect(&self, game_ids: impl IntoIterator<Item = Uuid>) -> QueryResult<()> {
        if self.game_ids.iter().copied().eq(game_ids) {
            return Ok(());
        }
        Err(Error::QueryBuilderError("another game is written than was named".into()))
    }

    /// Checks that these games, in order of their ids, are different ones.
    ///
    /// # Errors
    /// A game comes twice; the statement must not be sent.
    pub(super) fn expect_distinct(sorted: impl Iterator<Item = Uuid>) -> QueryResult<()> {
        if sorted.is_sorted_by(|one, next| one < next) {
            return Ok(());
        }
        Err(Error::QueryBuilderError("a game is written twice by one statement".into()))
    }
}
