//! Decides whether a game in memory may be shown: the one place that trusts the cache.
//!
//! Before a cached game is shown, the database is asked for its [`VersionStamp`]. All requests of a thread that wait share one
//! statement: what queues while a statement is under way goes into the next. So with many readers the question costs each next to
//! nothing, and every answer is younger than the request that it is for. `tests/it/memory_model` checks these rules.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::Games;
use super::error::GameError;
use super::live::LiveGame;
use crate::store::games::{VersionStamp, version_stamps};
use crate::store::{Database, StoreError};

/// The most games in one question.
const MAX_BATCH: usize = 256;

/// The most questions that wait; further ones wait for room before they queue.
const MAX_WAITING: usize = 4096;

/// The stamp of a started game; `None` for any other.
type Newest = Result<Option<VersionStamp>, StoreError>;

struct Question {
    game_id: Uuid,
    answer: oneshot::Sender<Newest>,
}

/// Asks the database for version stamps, for all requests of a thread.
pub struct VersionCheck {
    questions: mpsc::Sender<Question>,
}

impl VersionCheck {
    /// Starts the task that asks, on the current runtime. It ends when this is dropped.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (questions, queue) = mpsc::channel(MAX_WAITING);
        tokio::spawn(ask_all(database, queue));
        Self { questions }
    }

    /// The stamp of a game, as the database has it some time between this call and its answer; `None` if it has not started.
    ///
    /// # Errors
    /// The database failed.
    pub async fn newest(&self, game_id: Uuid) -> Newest {
        let (answer, newest) = oneshot::channel();
        let gone = || StoreError::Pool("the version check has stopped".into());
        self.questions.send(Question { game_id, answer }).await.map_err(|_| gone())?;
        newest.await.map_err(|_| gone())?
    }
}

async fn ask_all(database: Database, mut queue: mpsc::Receiver<Question>) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let ids: Vec<Uuid> = batch.iter().map(|question| question.game_id).collect();
        // Those who ask later need somebody who answers.
        let found = AssertUnwindSafe(ask(&database, &ids)).catch_unwind().await;
        let found = found.unwrap_or_else(|_panic| Err(StoreError::Corrupt("a version question".into())));
        for question in batch.drain(..) {
            let newest = match &found {
                Ok(found) => Ok(found.get(&question.game_id).copied()),
                Err(error) => Err(error.shared()),
            };
            // Nobody waits any more if the client has hung up.
            let _ = question.answer.send(newest);
        }
    }
}

async fn ask(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, VersionStamp>, StoreError> {
    let mut connection = database.get().await?;
    Ok(version_stamps(&mut connection, ids).await?.into_iter().collect())
}

/// Whether `live` is at least as new as the state that had the stamp `newest`. Every game in the cache has been committed, so a higher
/// `seq` is a move that was made since the question.
fn may_be_shown(live: &LiveGame, newest: VersionStamp) -> bool {
    live.edition == newest.edition && i64::try_from(live.seq()).is_ok_and(|seq| seq >= newest.seq)
}

impl Games {
    /// A started game that is as new as the database, from memory where that may be shown; `None` if it has not started. Whatever is
    /// shown of a game is read through this.
    pub(super) async fn current(&self, game_id: Uuid) -> Result<Option<Arc<LiveGame>>, GameError> {
        let Some(newest) = self.version_check.newest(game_id).await? else { return Ok(None) };
        if let Some(live) = self.inner.cache.peek(game_id).filter(|live| may_be_shown(live, newest)) {
            return Ok(Some(live));
        }
        // Rare, and too large to be part of every view's future.
        Box::pin(self.wait_or_load(game_id, newest)).await.map(Some)
    }

    /// The game once a move that is under way here has ended, or as the database has it now.
    async fn wait_or_load(&self, game_id: Uuid, newest: VersionStamp) -> Result<Arc<LiveGame>, GameError> {
        let mut slot = self.inner.cache.lock(game_id).await;
        if let Some(live) = slot.get().filter(|live| may_be_shown(live, newest)) {
            return Ok(live);
        }
        let live = self.load_live(game_id).await?;
        self.inner.cache.put(&mut slot, Arc::clone(&live));
        Ok(live)
    }
}
