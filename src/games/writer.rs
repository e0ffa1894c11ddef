//! A writer: a thread that sends moves to the database, many with one statement, and the next statement before the last has ended.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::appender::{Home, Job, Shared};
use crate::store::append::{self, Append};
use crate::store::append_one::append_one;
use crate::store::{Connection, Database, OutboxSignal, StateWrite, StoreError};

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

/// Starts a thread that writes what comes by `queue`, and ends with it. A panic loses no move: those whose statement was under way
/// are in doubt, and the thread goes on with the next.
///
/// # Panics
/// The system gives no thread, or no runtime for it.
pub fn start(
    database: &Database,
    outbox_signal: OutboxSignal,
    shared: Arc<Shared>,
    mut queue: mpsc::Receiver<Job>,
) {
    // The pool of others would do, but its connections live on other threads.
    let database = database.apart(CONNECTIONS).unwrap_or_else(|_| database.clone());
    let writer = Writer { database, outbox_signal, shared };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let thread = std::thread::Builder::new().name("writer".into());
    let write_all = move || {
        while runtime.block_on(AssertUnwindSafe(writer.run(&mut queue)).catch_unwind()).is_err() {
            tracing::error!("a writer has panicked; it begins anew");
        }
    };
    thread.spawn(write_all).expect("a thread");
}

struct Writer {
    database: Database,
    /// Notified when moves have been written: most write notices.
    outbox_signal: OutboxSignal,
    shared: Arc<Shared>,
}

impl Writer {
    async fn run(&self, queue: &mut mpsc::Receiver<Job>) {
        let mut first = Vec::new();
        while queue.recv_many(&mut first, MAX_BATCH).await > 0 {
            match self.database.get().await {
                Ok(connection) => self.keep_busy(&connection, std::mem::take(&mut first), queue).await,
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

    /// Writes `batch` with one statement; if the database refuses that, its moves one by one over another connection. They may all be
    /// written then, so it also says what became of the statement.
    async fn write_all(&self, connection: &Connection, batch: Vec<Job>) -> (Vec<Ended>, Statement) {
        #[cfg(debug_assertions)]
        faults::strike(&batch);
        let (batch, twice) = without_repeated_keys(batch);
        let (mut ended, statement) = match self.write_together(connection, &batch).await {
            Ok(written) => (outcomes(batch, &written), Statement::Done),
            Err(error) => (self.write_after(error, batch).await, Statement::Failed),
        };
        // The first with the key has been written, or it is tried again.
        ended.extend(twice.into_iter().map(|job| (job, Ok(false))));
        (ended, statement)
    }

    async fn write_together(&self, connection: &Connection, batch: &[Job]) -> Result<Vec<Uuid>, StoreError> {
        let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
        write(connection, &self.outbox_signal, &appends).await
    }

    /// What becomes of `batch` after its statement has failed with `error`.
    async fn write_after(&self, error: StoreError, batch: Vec<Job>) -> Vec<Ended> {
        if error.leaves_doubt() {
            // To write them once more could do a second time what was done. Who asked for a move finds out what became of it.
            let in_doubt = |job| (job, Err(StoreError::InDoubt(error.to_string())));
            return batch.into_iter().map(in_doubt).collect();
        }
        let connection = match self.database.get().await {
            Ok(connection) => connection,
            Err(error) => return all_failed(batch, &error),
        };
        if key_was_taken(&error) {
            // By a move of another process. Now the statement sees that, and leaves out the one with that key.
            match self.write_together(&connection, &batch).await {
                Ok(written) => return outcomes(batch, &written),
                Err(error) if error.leaves_doubt() => {
                    let in_doubt = |job| (job, Err(StoreError::InDoubt(error.to_string())));
                    return batch.into_iter().map(in_doubt).collect();
                }
                Err(_) => {}
            }
        }
        tracing::warn!(%error, moves = batch.len(), "a batch failed; its moves are written one by one");
        self.write_singly(&connection, batch).await
    }

    async fn write_singly(&self, connection: &Connection, batch: Vec<Job>) -> Vec<Ended> {
        let mut ended = Vec::with_capacity(batch.len());
        for job in batch {
            let written = write(connection, &self.outbox_signal, &[&job.append]).await;
            ended.push((job, was_written(written)));
        }
        ended
    }
}

fn outcomes(batch: Vec<Job>, written: &[Uuid]) -> Vec<Ended> {
    let outcome = |job: Job| {
        let moved = written.contains(&job.append.game_id);
        (job, Ok(moved))
    };
    batch.into_iter().map(outcome).collect()
}

/// Takes out the moves whose player sends the same key for another move of the batch: two rows with one key would make the whole
/// statement fail.
fn without_repeated_keys(batch: Vec<Job>) -> (Vec<Job>, Vec<Job>) {
    let mut keys = HashSet::new();
    batch.into_iter().partition(|job| {
        let key = job.append.saved.as_ref().map(|saved| (saved.player_id, saved.key.clone()));
        key.is_none_or(|key| keys.insert(key))
    })
}

/// The constraint by which a player uses a key once.
const KEYS: &str = "idempotency_keys_pkey";

/// Whether a statement failed because another one, that was not finished yet, has used the key of one of its moves.
fn key_was_taken(error: &StoreError) -> bool {
    error.violated_unique() == Some(KEYS)
}

/// What became of the only move of a statement: with a key that was taken it counts as one that came too late.
///
/// # Errors
/// The statement failed.
pub fn was_written(written: Result<Vec<Uuid>, StoreError>) -> Result<bool, StoreError> {
    match written {
        Ok(written) => Ok(!written.is_empty()),
        Err(error) if key_was_taken(&error) => Ok(false),
        Err(error) => Err(error),
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
    connection: &Connection,
    outbox_signal: &OutboxSignal,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    let right = StateWrite::of(appends.iter().map(|append| append.game_id));
    let written = send(connection, &right, appends).await;
    if written.as_ref().is_ok_and(|written| !written.is_empty()) {
        outbox_signal.notify();
    }
    written
}

async fn send(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    if let [alone] = appends
        && let Some(written) = append_one(connection, right, alone).await?
    {
        return Ok(written);
    }
    append::append(connection, right, appends).await
}

/// Faults that tests plant, in builds with debug assertions only.
#[cfg(debug_assertions)]
pub mod faults {
    use std::sync::{Mutex, PoisonError};

    use uuid::Uuid;

    use super::Job;

    static PANIC_AT: Mutex<Option<Uuid>> = Mutex::new(None);

    /// The next writer that is given a move of this game panics.
    pub fn panic_at(game_id: Uuid) {
        *PANIC_AT.lock().unwrap_or_else(PoisonError::into_inner) = Some(game_id);
    }

    /// Whether it has done so.
    pub fn has_struck() -> bool {
        PANIC_AT.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    pub(super) fn strike(batch: &[Job]) {
        let mut planted = PANIC_AT.lock().unwrap_or_else(PoisonError::into_inner);
        let struck = planted.is_some_and(|game_id| batch.iter().any(|job| job.append.game_id == game_id));
        if struck {
            *planted = None;
            drop(planted);
            panic!("a planted fault");
        }
    }
}
