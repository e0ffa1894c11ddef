//! The writers of all moves of this process: whatever queued while the last commit ran goes into the next statement. Alone, a
//! move never waits for company.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};
use uuid::Uuid;

use crate::store::append::{self, Append};
use crate::store::append_one::append_one;
use crate::store::{Database, StoreError};

/// The most moves in one statement.
const MAX_BATCH: usize = 64;

/// The most moves that wait; further ones wait for room before they queue.
const MAX_WAITING: usize = 1024;

/// What became of an append: true if it was written, false if the game had moved on or the key was used.
type Written = Result<bool, StoreError>;

struct Job {
    append: Append,
    done: oneshot::Sender<Written>,
}

/// The way to the writer.
pub struct Appender {
    jobs: mpsc::Sender<Job>,
}

impl Appender {
    /// Starts so many writers on the current runtime. They end when the appender is dropped and all queued moves are written.
    #[must_use]
    pub fn start(database: &Database, writers: u16) -> Self {
        let (jobs, queue) = mpsc::channel(MAX_WAITING);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..writers {
            tokio::spawn(write_all(database.clone(), Arc::clone(&queue)));
        }
        Self { jobs }
    }

    /// Makes `append` permanent, or finds that it came too late. Once this is called the append is carried out, also if
    /// nobody waits for the answer.
    pub async fn append(&self, append: Append) -> Written {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Pool("the writer has stopped".into());
        self.jobs.send(Job { append, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Two writers never have moves of the same game: whoever moves holds the game until its move is written.
async fn write_all(database: Database, queue: Arc<Mutex<mpsc::Receiver<Job>>>) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while queue.lock().await.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
        match write(&database, &appends).await {
            Ok(written) => {
                for job in batch.drain(..) {
                    let moved = written.contains(&job.append.game_id);
                    // Nobody waits any more if the client has hung up.
                    let _ = job.done.send(Ok(moved));
                }
            }
            Err(error) if batch.len() == 1 => {
                let _ = batch.remove(0).done.send(Err(error));
            }
            Err(error) => {
                tracing::warn!(%error, moves = batch.len(), "a batch failed; its moves are written one by one");
                for job in batch.drain(..) {
                    let written = write(&database, &[&job.append]).await;
                    let _ = job.done.send(written.map(|written| !written.is_empty()));
                }
            }
        }
    }
}

async fn write(database: &Database, appends: &[&Append]) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    if let [alone] = appends
        && let Some(written) = append_one(&mut connection, alone).await?
    {
        return Ok(written);
    }
    append::append(&mut connection, appends).await
}
