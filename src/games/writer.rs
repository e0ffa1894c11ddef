//! A writer: a thread that sends moves to the database, many with one statement, and the next statement before the last has ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::appender::{Home, Job, Shared};
use crate::store::append::{self, Append};
use crate::store::append_one::append_one;
use crate::store::{Bell, Connection, Database, StoreError};

/// The most moves in one statement.
const MAX_BATCH: usize = 64;

/// Statements under way at once: one that the database works at, and one that is there when that has ended.
const MAX_UNDER_WAY: usize = 2;

/// The second statement is sent when this part of all who are about a move wait for it. Sooner there would be more statements, each
/// with fewer moves and dearer for it; later the database would have nothing to do in between.
const PART_OF_COMPANY: usize = 2;

/// Connections of a writer: the one that it uses, and one for the moves of a statement that has failed.
pub const CONNECTIONS: usize = 2;

/// A job whose statement has ended.
pub type Ended = (Job, Result<bool, StoreError>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Statement {
    Done,
    Failed,
}

/// Starts a thread that writes what comes by `queue`, and ends with it.
///
/// # Panics
/// The system gives no thread, or no runtime for it.
pub fn start(database: &Database, bell: Bell, shared: Arc<Shared>, queue: mpsc::Receiver<Job>) {
    // The pool of others would do, but its connections live on other threads.
    let database = database.apart(CONNECTIONS).unwrap_or_else(|_| database.clone());
    let writer = Writer { database, bell, shared };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let thread = std::thread::Builder::new().name("writer".into());
    thread.spawn(move || runtime.block_on(writer.run(queue))).expect("a thread");
}

struct Writer {
    database: Database,
    /// Rung when moves have been written: most tell somebody.
    bell: Bell,
    shared: Arc<Shared>,
}

impl Writer {
    async fn run(self, mut queue: mpsc::Receiver<Job>) {
        let mut first = Vec::new();
        while queue.recv_many(&mut first, MAX_BATCH).await > 0 {
            match self.database.get().await {
                Ok(connection) => self.keep_busy(&connection, std::mem::take(&mut first), &mut queue).await,
                Err(error) => Home::return_all(all_failed(std::mem::take(&mut first), &error)),
            }
        }
    }

    /// Writes `first` and what queues meanwhile, until nothing waits or a statement has failed: the connection may be of no use then.
    ///
    /// No two statements under way have moves of the same game: whoever moves holds the game until its move is written.
    async fn keep_busy(&self, connection: &Connection, first: Vec<Job>, queue: &mut mpsc::Receiver<Job>) {
        let mut under_way = FuturesUnordered::new();
        under_way.push(self.write_all(connection, first));
        let mut failed = false;
        loop {
            let room = under_way.len() < MAX_UNDER_WAY && !failed;
            let enough = self.enough(under_way.len());
            if room && queue.len() >= enough {
                let batch = std::iter::from_fn(|| queue.try_recv().ok()).take(MAX_BATCH).collect();
                under_way.push(self.write_all(connection, batch));
                continue;
            }
            self.shared.wanted.store(if room { enough } else { usize::MAX }, Ordering::Relaxed);
            tokio::select! {
                next = under_way.next() => {
                    let Some((ended, statement)) = next else { return };
                    failed |= statement == Statement::Failed;
                    Home::return_all(ended);
                }
                () = self.shared.enough.notified(), if room => {}
            }
        }
    }

    /// How many moves must wait for the next statement to be sent while so many are under way.
    fn enough(&self, under_way: usize) -> usize {
        let company = self.shared.company.load(Ordering::Relaxed);
        if under_way == 0 { 1 } else { (company / PART_OF_COMPANY).clamp(1, MAX_BATCH) }
    }

    /// Writes `batch` with one statement; if that fails, its moves one by one over another connection. They may all be written then,
    /// so it also says what became of the statement.
    async fn write_all(&self, connection: &Connection, batch: Vec<Job>) -> (Vec<Ended>, Statement) {
        let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
        match write(&self.database, connection, &self.bell, &appends).await {
            Ok(written) => {
                let outcome = |job: Job| {
                    let moved = written.contains(&job.append.game_id);
                    (job, Ok(moved))
                };
                (batch.into_iter().map(outcome).collect(), Statement::Done)
            }
            Err(error) if batch.len() == 1 => {
                (batch.into_iter().zip([Err(error)]).collect(), Statement::Failed)
            }
            Err(error) => {
                tracing::warn!(%error, moves = batch.len(), "a batch failed; its moves are written one by one");
                (self.write_singly(batch).await, Statement::Failed)
            }
        }
    }

    async fn write_singly(&self, batch: Vec<Job>) -> Vec<Ended> {
        let connection = match self.database.get().await {
            Ok(connection) => connection,
            Err(error) => return all_failed(batch, &error),
        };
        let mut ended = Vec::with_capacity(batch.len());
        for job in batch {
            let written = write(&self.database, &connection, &self.bell, &[&job.append]).await;
            ended.push((job, written.map(|written| !written.is_empty())));
        }
        ended
    }
}

/// Without a connection none was written.
fn all_failed(batch: Vec<Job>, error: &StoreError) -> Vec<Ended> {
    batch.into_iter().map(|job| (job, Err(StoreError::Pool(error.to_string())))).collect()
}

/// Writes `appends` with one statement and returns the games that were written.
///
/// # Errors
/// The statement failed.
pub async fn write(
    database: &Database,
    connection: &Connection,
    bell: &Bell,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    let writings: Vec<_> = appends.iter().map(|append| database.sole().write(append.game_id)).collect();
    let written = send(connection, appends).await;
    if !written.as_ref().is_err_and(StoreError::leaves_doubt) {
        for (append, writing) in appends.iter().zip(writings) {
            let proof = writing.ended();
            if written.as_ref().is_ok_and(|written| written.contains(&append.game_id)) {
                append.known.set(proof);
            }
        }
    }
    if written.as_ref().is_ok_and(|written| !written.is_empty()) {
        bell.ring();
    }
    written
}

async fn send(connection: &Connection, appends: &[&Append]) -> Result<Vec<Uuid>, StoreError> {
    if let [alone] = appends
        && let Some(written) = append_one(connection, alone).await?
    {
        return Ok(written);
    }
    append::append(connection, appends).await
}
