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
use super::delegated;
use super::guard::StateWrite;
use super::queue::{Job, Shared};
use super::sending::write_plain;
use crate::{Connection, Database, OutboxSignal, StoreError, Topology};

/// The most moves in one statement.
const MAX_BATCH: usize = 64;

/// Statements under way at once: one that the database executes, and one that it finds when that has ended.
const MAX_UNDER_WAY: usize = 2;

/// The second statement is sent when one in so many in-flight moves waits for it. Earlier there would be more statements with
/// fewer moves each; later the database would be idle in between.
const IN_FLIGHT_DIVISOR: usize = 2;

/// A writer's connections: the one that it uses, and one for the moves of a failed statement.
pub const CONNECTIONS: usize = 2;

/// Whether a move was written; false if its guard failed or its key was used.
pub(super) type Outcome = Result<bool, StoreError>;

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
    let database = database.with_own_connections(CONNECTIONS).unwrap_or_else(|_| database.clone());
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
                Err(error) => first.drain(..).for_each(|job| job.finish(Err(no_connection(&error)))),
            }
        }
    }

    /// Writes `first` and what is queued meanwhile, until the queue is empty or a statement has failed, which may mean that the
    /// connection is broken.
    ///
    /// A move holds its game's slot until it is written, so statements under way have no game in common; the guard would decide.
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
                next = under_way.next() => match next {
                    Some(statement_failed) => failed |= statement_failed,
                    None => return,
                },
                () = self.shared.queue_ready.notified(), if room => {}
            }
        }
    }

    /// The queue length at which the next statement is sent while so many are under way.
    fn wake_at(&self, under_way: usize) -> usize {
        let in_flight = self.shared.in_flight.load(Ordering::Relaxed);
        if under_way == 0 { 1 } else { (in_flight / IN_FLIGHT_DIVISOR).clamp(1, MAX_BATCH) }
    }

    /// Writes `batch` with one statement, and answers the requests; if the database refuses that, writes the moves one by one on
    /// another connection. Returns whether the statement failed.
    async fn write_all<H: Send + 'static>(&self, connection: &Connection, batch: Vec<Job<H>>) -> bool {
        #[cfg(debug_assertions)]
        panic_if_planted(&batch);
        let (batch, repeated) = without_repeated_games(batch);
        let appends: Vec<&Append> = batch.iter().map(|job| &job.append).collect();
        let (outcomes, failed) = match write(&self.database, connection, &self.outbox_signal, &appends).await
        {
            Ok(outcomes) if outcomes.iter().all(Result::is_ok) => (outcomes, false),
            Ok(outcomes) => (outcomes, true),
            Err(error) => (self.write_after(&error, &appends).await, true),
        };
        for (job, outcome) in batch.into_iter().zip(outcomes) {
            job.finish(outcome);
        }
        // Their guards would fail once the first move of the game is written; if it is not, they are decided again all the same.
        for job in repeated {
            job.finish(Ok(false));
        }
        failed
    }

    /// Writes each move after the statement of all has failed with `error`, if that is safe.
    async fn write_after(&self, error: &StoreError, appends: &[&Append]) -> Vec<Outcome> {
        if error.leaves_doubt() {
            // They may have been written, so they are not written again: the request finds out (`settle`).
            return appends.iter().map(|_| Err(StoreError::InDoubt(error.to_string()))).collect();
        }
        let connection = match self.database.get().await {
            Ok(connection) => connection,
            Err(error) => return appends.iter().map(|_| Err(no_connection(&error))).collect(),
        };
        tracing::warn!(%error, moves = appends.len(), "a batch failed; its moves are written one by one");
        let mut outcomes = Vec::with_capacity(appends.len());
        for append in appends {
            outcomes.push(write_alone(&self.database, &connection, &self.outbox_signal, append).await);
        }
        outcomes
    }
}

/// Separates the moves of a game of which the batch has a move already: a statement says only which games it has written.
fn without_repeated_games<H>(batch: Vec<Job<H>>) -> (Vec<Job<H>>, Vec<Job<H>>) {
    let mut games = HashSet::new();
    batch.into_iter().partition(|job| games.insert(job.append.game_id))
}

/// Without a connection nothing was written.
fn no_connection(error: &StoreError) -> StoreError {
    StoreError::Pool(error.to_string())
}

/// Writes moves of different games, and says of each whether it was written.
///
/// # Errors
/// The statement for all of them failed. On a distributed database each has one of its own.
async fn write(
    database: &Database,
    connection: &Connection,
    outbox_signal: &OutboxSignal,
    appends: &[&Append],
) -> Result<Vec<Outcome>, StoreError> {
    let right = StateWrite::of(appends.iter().map(|append| append.game_id));
    let outcomes = match database.topology() {
        Topology::Plain => {
            let written = write_plain(connection, &right, appends).await?;
            appends.iter().map(|append| Ok(written.contains(&append.game_id))).collect()
        }
        Topology::Citus => delegated::write(database.lost_nodes(), connection, &right, appends).await,
    };
    let written = appends.iter().zip(&outcomes).filter(|(_, outcome)| matches!(outcome, Ok(true)));
    let written: Vec<Uuid> = written.map(|(append, _)| append.game_id).collect();
    if !written.is_empty() {
        outbox_signal.notify_of(&written);
    }
    Ok(outcomes)
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
) -> Outcome {
    write(database, connection, outbox_signal, &[append]).await?.remove(0)
}

/// The game at whose next move a writer panics: a fault that tests plant, in builds with debug assertions only.
#[cfg(debug_assertions)]
pub static PANIC_AT: std::sync::Mutex<Option<Uuid>> = std::sync::Mutex::new(None);

#[cfg(debug_assertions)]
fn panic_if_planted<H>(batch: &[Job<H>]) {
    let mut planted = PANIC_AT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let struck = planted.take_if(|game_id| batch.iter().any(|job| job.append.game_id == *game_id));
    drop(planted);
    assert!(struck.is_none(), "a planted fault");
}
