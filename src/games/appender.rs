//! How moves become permanent. One that is alone on its thread is written at once. Where there are more, the thread's writer sends
//! whatever queued while the last commit ran with the next statement: a move in company costs the database a quarter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, mpsc, oneshot};
use uuid::Uuid;

use super::cache::Slot;
use crate::store::append::{self, Append};
use crate::store::append_one::append_one;
use crate::store::{Bell, Connection, Database, StoreError};

/// The most moves in one statement.
const MAX_BATCH: usize = 64;

/// The most moves that wait; further ones wait for room before they queue.
const MAX_WAITING: usize = 1024;

/// What became of an append: true if it was written, false if the game had moved on or the key was used; and the game's slot. If
/// the statement failed the slot is free.
type Written = Result<(bool, Slot), StoreError>;

struct Job {
    append: Append,
    /// Held until the statement has ended, also if nobody waits for that any more.
    slot: Slot,
    done: oneshot::Sender<Written>,
}

impl Job {
    /// Nobody waits any more if the client has hung up; the slot is freed then.
    fn finish(self, written: Result<bool, StoreError>) {
        let _ = self.done.send(written.map(|written| (written, self.slot)));
    }
}

/// The way to the writers.
pub struct Appender {
    jobs: mpsc::Sender<Job>,
    /// How many are about a move just now.
    company: AtomicUsize,
    bell: Bell,
}

/// Being about a move, until it is dropped.
pub struct Companion<'a>(&'a AtomicUsize);

impl Drop for Companion<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Appender {
    /// Starts so many writers on the current runtime. They end when the appender is dropped and all queued moves are written.
    #[must_use]
    pub fn start(database: &Database, writers: u16, bell: Bell) -> Self {
        let (jobs, queue) = mpsc::channel(MAX_WAITING);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..writers {
            let writer = Writer { database: database.clone(), bell: bell.clone() };
            tokio::spawn(writer.run(Arc::clone(&queue)));
        }
        Self { jobs, company: AtomicUsize::new(0), bell }
    }

    /// Somebody begins a move: while there are others, moves are written together.
    pub fn join(&self) -> Companion<'_> {
        self.company.fetch_add(1, Ordering::Relaxed);
        Companion(&self.company)
    }

    /// Makes `append` permanent, or finds that it came too late. Once this is called the append is carried out, also if
    /// nobody waits for the answer. `here` has connections of the calling thread.
    pub async fn append(&self, append: Append, slot: Slot, here: &Database) -> Written {
        let gone = || StoreError::Pool("the writer has stopped".into());
        if self.company.load(Ordering::Relaxed) <= 1 {
            let writer = Writer { database: here.clone(), bell: self.bell.clone() };
            let alone = async move { Ok((!writer.write(&[&append]).await?.is_empty(), slot)) };
            return tokio::spawn(alone).await.map_err(|_| gone())?;
        }
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job { append, slot, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

struct Writer {
    database: Database,
    /// Rung when moves have been written: most tell somebody.
    bell: Bell,
}

impl Writer {
    /// Two writers never have moves of the same game: whoever moves holds the game until its move is written.
    async fn run(self, queue: Arc<Mutex<mpsc::Receiver<Job>>>) {
        let mut batch = Vec::with_capacity(MAX_BATCH);
        while queue.lock().await.recv_many(&mut batch, MAX_BATCH).await > 0 {
            let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
            match self.write(&appends).await {
                Ok(written) => {
                    for job in batch.drain(..) {
                        let moved = written.contains(&job.append.game_id);
                        job.finish(Ok(moved));
                    }
                }
                Err(error) if batch.len() == 1 => batch.remove(0).finish(Err(error)),
                Err(error) => {
                    tracing::warn!(%error, moves = batch.len(), "a batch failed; its moves are written one by one");
                    for job in batch.drain(..) {
                        let written = self.write(&[&job.append]).await;
                        job.finish(written.map(|written| !written.is_empty()));
                    }
                }
            }
        }
    }

    async fn write(&self, appends: &[&Append]) -> Result<Vec<Uuid>, StoreError> {
        let database = &self.database;
        let mut connection = database.get().await?;
        let writings: Vec<_> = appends.iter().map(|append| database.sole().write(append.game_id)).collect();
        let written = send(&mut connection, appends).await;
        if !written.as_ref().is_err_and(StoreError::leaves_doubt) {
            for (append, writing) in appends.iter().zip(writings) {
                let proof = writing.ended();
                if written.as_ref().is_ok_and(|written| written.contains(&append.game_id)) {
                    append.known.set(proof);
                }
            }
        }
        if written.as_ref().is_ok_and(|written| !written.is_empty()) {
            self.bell.ring();
        }
        written
    }
}

async fn send(connection: &mut Connection, appends: &[&Append]) -> Result<Vec<Uuid>, StoreError> {
    if let [alone] = appends
        && let Some(written) = append_one(connection, alone).await?
    {
        return Ok(written);
    }
    append::append(connection, appends).await
}
