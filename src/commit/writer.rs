//! The writer: a thread that writes queued moves, many with one statement, and sends the next statement before the last has ended.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::append::Append;
use super::guard::StateWrite;
use super::queue::{Job, ReplyRoute, Shared};
use super::sending::{write_delegated, write_grouped, write_single};
use crate::store::{Connection, Database, OutboxSignal, StoreError, Topology};

/// The most moves in one statement.
const MAX_BATCH: usize = 64;

/// Statements under way at once: one that the database executes, and one that it finds when that has ended.
const MAX_UNDER_WAY: usize = 2;

/// The second statement is sent when one in so many in-flight moves waits for it. Earlier there would be more statements with
/// fewer moves each; later the database would be idle in between.
const IN_FLIGHT_DIVISOR: usize = 2;

/// A writer's connections: the one that it uses, and one for the moves of a failed statement.
pub const CONNECTIONS: usize = 2;

/// A job whose statement has ended.
pub(super) type Ended<H> = (Job<H>, Result<bool, StoreError>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Statement {
    Done,
    Failed,
}

/// Starts a thread that writes the moves of `queue` and ends with it. A panic loses no move: those whose statement was under way
/// are in doubt, and the thread goes on with the next ones.
///
/// # Panics
/// The system gives no thread, or no runtime for it.
pub(super) fn start<H: Send + 'static>(
    database: &Database,
    outbox_signal: OutboxSignal,
    shared: Arc<Shared>,
    mut queue: mpsc::Receiver<Job<H>>,
) {
    // The shared pool's connections live on other threads.
    let database = database.apart(CONNECTIONS).unwrap_or_else(|_| database.clone());
    let writer = Writer { database, outbox_signal, shared };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let thread = std::thread::Builder::new().name("writer".into());
    let write_all = move || {
        while runtime.block_on(AssertUnwindSafe(writer.run(&mut queue)).catch_unwind()).is_err() {
            tracing::error!("a writer has panicked; it starts again");
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
    async fn run<H: Send + 'static>(&self, queue: &mut mpsc::Receiver<Job<H>>) {
        let mut first = Vec::new();
        while queue.recv_many(&mut first, MAX_BATCH).await > 0 {
            match self.database.get().await {
                Ok(connection) => self.keep_busy(&connection, std::mem::take(&mut first), queue).await,
                Err(error) => ReplyRoute::return_all(all_failed(std::mem::take(&mut first), &error)),
            }
        }
    }

    /// Writes `first` and what is queued meanwhile, until the queue is empty or a statement has failed, which may mean that the
    /// connection is broken.
    ///
    /// No two statements under way contain moves of one game: a move holds its game's slot until it is written.
    async fn keep_busy<H: Send + 'static>(
        &self,
        connection: &Connection,
        first: Vec<Job<H>>,
        queue: &mut mpsc::Receiver<Job<H>>,
    ) {
        let mut under_way = FuturesUnordered::new();
        under_way.push(self.write_all(connection, first));
        let mut failed = false;
        loop {
            let room = under_way.len() < MAX_UNDER_WAY && !failed;
            let wake_at = self.wake_at(under_way.len());
            if room && queue.len() >= wake_at {
                let batch = std::iter::from_fn(|| queue.try_recv().ok()).take(MAX_BATCH).collect();
                under_way.push(self.write_all(connection, batch));
                continue;
            }
            self.shared.wake_at.store(if room { wake_at } else { usize::MAX }, Ordering::Relaxed);
            tokio::select! {
                next = under_way.next() => {
                    let Some((ended, statement)) = next else { return };
                    failed |= statement == Statement::Failed;
                    ReplyRoute::return_all(ended);
                }
                () = self.shared.queue_ready.notified(), if room => {}
            }
        }
    }

    /// The queue length at which the next statement is sent while so many are under way.
    fn wake_at(&self, under_way: usize) -> usize {
        let in_flight = self.shared.in_flight.load(Ordering::Relaxed);
        if under_way == 0 { 1 } else { (in_flight / IN_FLIGHT_DIVISOR).clamp(1, MAX_BATCH) }
    }

    /// Writes `batch` with one statement; if the database refuses that, writes the moves one by one on another connection.
    /// They may all succeed then, so the statement's own outcome is returned, too.
    async fn write_all<H: Send + 'static>(
        &self,
        connection: &Connection,
        batch: Vec<Job<H>>,
    ) -> (Vec<Ended<H>>, Statement) {
        #[cfg(debug_assertions)]
        faults::strike(&batch);
        if self.database.topology().is_citus() {
            return self.write_delegated(connection, batch).await;
        }
        let (batch, twice) = without_repeated_keys(batch);
        let (mut ended, statement) = match self.write_together(connection, &batch).await {
            Ok(written) => (outcomes(batch, &written), Statement::Done),
            Err(error) => (self.write_after(error, batch).await, Statement::Failed),
        };
        // The first move with the key has been written, or its request is repeated.
        ended.extend(twice.into_iter().map(|job| (job, Ok(false))));
        (ended, statement)
    }

    /// Writes each move where its game lives. Each has an outcome of its own, so none is written again here.
    async fn write_delegated<H: Send + 'static>(
        &self,
        connection: &Connection,
        batch: Vec<Job<H>>,
    ) -> (Vec<Ended<H>>, Statement) {
        let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
        let outcomes = delegate(&self.database, connection, &self.outbox_signal, &appends).await;
        let failed = outcomes.iter().any(Result::is_err);
        let ended = batch.into_iter().zip(outcomes).collect();
        (ended, if failed { Statement::Failed } else { Statement::Done })
    }

    async fn write_together<H: Send + 'static>(
        &self,
        connection: &Connection,
        batch: &[Job<H>],
    ) -> Result<Vec<Uuid>, StoreError> {
        let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
        write(connection, &self.outbox_signal, &appends).await
    }

    /// Writes `batch` again after its statement has failed with `error`, if that is safe.
    async fn write_after<H: Send + 'static>(&self, error: StoreError, batch: Vec<Job<H>>) -> Vec<Ended<H>> {
        if error.leaves_doubt() {
            // They may have been written, so they are not written again: the request finds out (`settle`).
            let in_doubt = |job| (job, Err(StoreError::InDoubt(error.to_string())));
            return batch.into_iter().map(in_doubt).collect();
        }
        let connection = match self.database.get().await {
            Ok(connection) => connection,
            Err(error) => return all_failed(batch, &error),
        };
        if key_was_taken(&error) {
            // Another process has committed the key. A second statement sees it and leaves that move out.
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

    async fn write_singly<H: Send + 'static>(
        &self,
        connection: &Connection,
        batch: Vec<Job<H>>,
    ) -> Vec<Ended<H>> {
        let mut ended = Vec::with_capacity(batch.len());
        for job in batch {
            let written = write(connection, &self.outbox_signal, &[&job.append]).await;
            ended.push((job, was_written(written)));
        }
        ended
    }
}

fn outcomes<H>(batch: Vec<Job<H>>, written: &[Uuid]) -> Vec<Ended<H>> {
    let outcome = |job: Job<H>| {
        let moved = written.contains(&job.append.game_id);
        (job, Ok(moved))
    };
    batch.into_iter().map(outcome).collect()
}

/// Separates the moves that repeat a key of the batch: two rows with one key would make the whole statement fail.
fn without_repeated_keys<H>(batch: Vec<Job<H>>) -> (Vec<Job<H>>, Vec<Job<H>>) {
    let mut keys = HashSet::new();
    batch.into_iter().partition(|job| {
        let key = job.append.stored_response.as_ref().map(|saved| (saved.player_id, saved.key.clone()));
        key.is_none_or(|key| keys.insert(key))
    })
}

/// The constraint by which a player uses a key once.
const KEYS: &str = "idempotency_keys_pkey";

/// Whether a statement failed because a concurrent statement used the key of one of its moves.
fn key_was_taken(error: &StoreError) -> bool {
    error.violated_unique() == Some(KEYS)
}

/// The outcome of a statement's only move: a move whose key was taken counts as not written.
///
/// # Errors
/// The statement failed.
fn was_written(written: Result<Vec<Uuid>, StoreError>) -> Result<bool, StoreError> {
    match written {
        Ok(written) => Ok(!written.is_empty()),
        Err(error) if key_was_taken(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The outcomes without a connection: none was written.
fn all_failed<H>(batch: Vec<Job<H>>, error: &StoreError) -> Vec<Ended<H>> {
    batch.into_iter().map(|job| (job, Err(StoreError::Pool(error.to_string())))).collect()
}

/// Writes `appends` with one statement and returns the games that were written.
///
/// # Errors
/// The statement failed.
async fn write(
    connection: &Connection,
    outbox_signal: &OutboxSignal,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    let right = StateWrite::of(appends.iter().map(|append| append.game_id));
    let written = send(connection, &right, appends).await;
    if let Ok(written) = &written
        && !written.is_empty()
    {
        outbox_signal.notify_of(written);
    }
    written
}

/// Writes each of `appends` where its game lives, on a distributed database.
async fn delegate(
    database: &Database,
    connection: &Connection,
    outbox_signal: &OutboxSignal,
    appends: &[&Append],
) -> Vec<Result<bool, StoreError>> {
    let right = StateWrite::of(appends.iter().map(|append| append.game_id));
    let outcomes = write_delegated(database.lost_nodes(), connection, &right, appends).await;
    let written = appends.iter().zip(&outcomes).filter(|(_, outcome)| matches!(outcome, Ok(true)));
    let written: Vec<Uuid> = written.map(|(append, _)| append.game_id).collect();
    if !written.is_empty() {
        outbox_signal.notify_of(&written);
    }
    outcomes
}

/// Writes a single move; false if its guard failed or its key was used.
///
/// # Errors
/// The statement failed.
pub(super) async fn write_alone(
    database: &Database,
    connection: &Connection,
    outbox_signal: &OutboxSignal,
    append: &Append,
) -> Result<bool, StoreError> {
    match database.topology() {
        Topology::Plain => was_written(write(connection, outbox_signal, &[append]).await),
        Topology::Citus => delegate(database, connection, outbox_signal, &[append]).await.remove(0),
    }
}

async fn send(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    if let [alone] = appends
        && let Some(written) = write_single(connection, right, alone).await?
    {
        return Ok(written);
    }
    write_grouped(connection, right, appends).await
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

    pub(super) fn strike<H>(batch: &[Job<H>]) {
        let mut planted = PANIC_AT.lock().unwrap_or_else(PoisonError::into_inner);
        let struck = planted.is_some_and(|game_id| batch.iter().any(|job| job.append.game_id == game_id));
        if struck {
            *planted = None;
            drop(planted);
            panic!("a planted fault");
        }
    }
}
