//! Is what we have in memory still the newest? One asker for the process: all that queued while the last answer was on its way
//! goes into the next statement, so that with many readers the question costs next to nothing and stays exact.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::store::games::current_versions;
use crate::store::{Database, StoreError};

/// The most games in one question.
const MAX_BATCH: usize = 256;

/// The most questions that wait; further ones wait for room before they queue.
const MAX_WAITING: usize = 4096;

/// The `seq` of a started game and the edition of its state; `None` for any other.
type Version = (i64, i32);

type Newest = Result<Option<Version>, StoreError>;

struct Question {
    game_id: Uuid,
    answer: oneshot::Sender<Newest>,
}

/// The way to the asker.
pub struct Freshness {
    questions: mpsc::Sender<Question>,
}

impl Freshness {
    /// Starts the asker on the current runtime. It ends when this is dropped.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (questions, queue) = mpsc::channel(MAX_WAITING);
        tokio::spawn(ask_all(database, queue));
        Self { questions }
    }

    /// The newest version of a game, as the database has it some time between this call and its answer.
    pub async fn newest(&self, game_id: Uuid) -> Newest {
        let (answer, newest) = oneshot::channel();
        let gone = || StoreError::Pool("the asker has stopped".into());
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
        let found = found.unwrap_or_else(|_panic| Err(StoreError::Corrupt("a question".into())));
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

async fn ask(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, Version>, StoreError> {
    let mut connection = database.get().await?;
    Ok(current_versions(&mut connection, ids).await?.into_iter().collect())
}
