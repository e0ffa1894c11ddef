//! Sets aside a game that cannot be read or that makes a worker's task fail, so that it does not stop the others. The task is
//! retried later, at growing intervals.

use std::panic::AssertUnwindSafe;

use futures_util::{FutureExt, StreamExt, TryStreamExt};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use pippost_store::set_aside::{self, Task};

/// What a failure is attributed to.
enum Cause {
    /// The game: the task fails again until the game is repaired.
    Game,
    /// The game or the database.
    Unclear,
}

/// `None` if the failure is not about this game, so that others would fail as well.
fn cause(error: &GameError) -> Option<Cause> {
    match error {
        GameError::Store(error) if error.is_of_the_connection() => None,
        GameError::Store(error) if error.is_of_a_row() => Some(Cause::Game),
        GameError::Store(_) => Some(Cause::Unclear),
        GameError::Beacon(_) => None,
        _ => Some(Cause::Game),
    }
}

/// Runs `work` for a task about a game. If it fails because of that game, or panics, the game is set aside and the result is
/// `None`.
///
/// # Errors
/// A failure that would affect other games as well.
pub(crate) async fn or_set_aside<T>(
    games: &Games,
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
    let now = games.inner.clock.now();
    let aside = set_aside::note(&games.database, task, game_id, &reason, sure, now).await?;
    let (task, failures, retry_at) = (task.as_str(), aside.failures, aside.retry_at);
    tracing::error!(game = %game_id, task, reason, failures, %retry_at, "a game is set aside");
    Ok(None)
}

/// Does a task about each of these games, `at_once` at a time. A game that is the cause of a failure is set aside, and those whose work is
/// done are so no more. Returns these.
///
/// # Errors
/// A failure that would affect other games as well; what was done stays done.
pub(crate) async fn for_each<F>(
    games: &Games,
    task: Task,
    game_ids: Vec<Uuid>,
    at_once: usize,
    mut work: impl FnMut(Uuid) -> F,
) -> Result<Vec<Uuid>, GameError>
where
    F: Future<Output = Result<bool, GameError>>,
{
    let each = game_ids.into_iter().map(|game_id| {
        let work = work(game_id);
        async move { Ok::<_, GameError>((game_id, or_set_aside(games, task, game_id, work).await?)) }
    });
    let each: Vec<_> = each.collect();
    let done: Vec<(Uuid, Option<bool>)> =
        futures_util::stream::iter(each).buffer_unordered(at_once).try_collect().await?;
    let done: Vec<Uuid> =
        done.into_iter().filter(|(_, done)| *done == Some(true)).map(|(game_id, _)| game_id).collect();
    set_aside::clear_all(&games.database, task, &done).await?;
    Ok(done)
}

/// The number of set-aside games for each task of the worker.
///
/// # Errors
/// The database failed.
pub async fn count_set_aside(games: &Games) -> Result<Vec<(Task, i64)>, GameError> {
    Ok(set_aside::count(&games.database, games.inner.clock.now()).await?)
}
