//! One game that cannot be read, or that the database or the program stumbles over, must not stop the clocks of all others: what a
//! worker fails to do about it is tried again later, and less and less often.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use uuid::Uuid;

use super::Games;
use super::error::GameError;
use crate::store::set_aside::{self, Task};

/// Whose fault a failure is.
enum Cause {
    /// The game's: it fails again until somebody mends it.
    Game,
    /// The game's, or the database's.
    Unclear,
}

/// `None`: it is not about this game, and the others would fail as well.
fn cause(error: &GameError) -> Option<Cause> {
    match error {
        GameError::Store(error) if error.is_of_the_connection() => None,
        GameError::Store(error) if error.is_of_a_row() => Some(Cause::Game),
        GameError::Store(_) => Some(Cause::Unclear),
        GameError::Beacon(_) => None,
        _ => Some(Cause::Game),
    }
}

impl Games {
    /// Does `work` for a task about a game. If it fails because of that game, or panics, the game is set aside, and the answer is `None`.
    ///
    /// # Errors
    /// What would fail for other games as well.
    pub(super) async fn or_set_aside<T>(
        &self,
        task: Task,
        game_id: Uuid,
        work: impl Future<Output = Result<T, GameError>>,
    ) -> Result<Option<T>, GameError> {
        let (reason, sure) = match AssertUnwindSafe(work).catch_unwind().await {
            Ok(Ok(done)) => return Ok(Some(done)),
            Ok(Err(error)) => match cause(&error) {
                Some(Cause::Game) => (error.to_string(), true),
                Some(Cause::Unclear) => (error.to_string(), false),
                None => return Err(error),
            },
            Err(_panic) => ("the program stumbled over it".to_owned(), true),
        };
        let now = self.inner.clock.now();
        let aside = set_aside::note(&self.database, task, game_id, &reason, sure, now).await?;
        let (task, failures, retry_at) = (task.as_str(), aside.failures, aside.retry_at);
        tracing::error!(game = %game_id, task, reason, failures, %retry_at, "a game is set aside");
        Ok(None)
    }

    /// For each task of the worker, how many games are set aside.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_set_aside(&self) -> Result<Vec<(Task, i64)>, GameError> {
        Ok(set_aside::count(&self.database, self.inner.clock.now()).await?)
    }
}
