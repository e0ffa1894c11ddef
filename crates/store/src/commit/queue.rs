//! Passes moves to the database. The only move in flight is written at once, on a connection of its own thread; several moves
//! go to a [writer](super::writer), which writes them together: a grouped move costs the database a quarter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, mpsc, oneshot};

use super::append::Append;
use super::writer::{self, Outcome};
use crate::{Database, OutboxSignal, StoreError};

/// The capacity of a writer's queue, in moves; a further move waits until there is room.
const MAX_WAITING: usize = 1024;

/// The outcome of a move: true if it was written, false if the guard failed or the key was used; and what was held meanwhile. If
/// the statement failed, that is dropped, and the error says whether the move may have been written all the same.
pub type Written<H> = Result<(bool, H), StoreError>;

/// A queued move.
pub(super) struct Job<H> {
    pub append: Append,
    /// Kept until the statement has ended, even if the client has disconnected.
    held: H,
    done: oneshot::Sender<Written<H>>,
}

impl<H> Job<H> {
    /// Answers the request; if the client has disconnected, this drops what was held.
    pub fn finish(self, written: Outcome) {
        let _ = self.done.send(written.map(|written| (written, self.held)));
    }
}

/// State that request threads and a writer share.
#[derive(Default)]
pub(super) struct Shared {
    /// Counts in-flight moves.
    pub in_flight: AtomicUsize,
    /// The queue length at which the writer wants to be woken.
    pub wake_at: AtomicUsize,
    /// Notified when the queue has that length.
    pub queue_ready: Notify,
}

/// Commits moves: the handle to a writer. `H` is what a move holds until its statement has ended: the game's slot in the cache.
pub struct Committer<H> {
    jobs: mpsc::Sender<Job<H>>,
    shared: Arc<Shared>,
    outbox_signal: OutboxSignal,
}

/// Counts one move as in flight until it is dropped.
pub struct InFlightGuard<'a>(&'a AtomicUsize);

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<H: Send + 'static> Committer<H> {
    /// Starts a writer with connections of its own. It ends when this is dropped and all queued moves are written.
    #[must_use]
    pub fn start(database: &Database, outbox_signal: OutboxSignal) -> Self {
        let (jobs, queue) = mpsc::channel(MAX_WAITING);
        let shared = Arc::new(Shared::default());
        writer::start(database, outbox_signal.clone(), Arc::clone(&shared), queue);
        Self { jobs, shared, outbox_signal }
    }

    /// Counts a move as in flight. While several are, moves are written together.
    pub fn begin_move(&self) -> InFlightGuard<'_> {
        self.shared.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlightGuard(&self.shared.in_flight)
    }

    /// Writes a move, or finds that its guard fails. Once this is called the move is carried out, even if the client disconnects.
    /// `database` has connections of the calling thread.
    ///
    /// # Errors
    /// The statement failed, or [`StoreError::leaves_doubt`] whether it did.
    pub async fn commit(&self, append: Append, held: H, database: &Database) -> Written<H> {
        let gone = || StoreError::Pool("the writer has stopped".into());
        let lost = || StoreError::InDoubt("the writer has panicked".into());
        #[cfg(debug_assertions)]
        if crate::planted::Fault::EarlyAcknowledgement.is_planted() {
            let (database, outbox_signal) = (database.clone(), self.outbox_signal.clone());
            tokio::spawn(async move {
                let connection = database.get().await?;
                writer::write_alone(&database, &connection, &outbox_signal, &append).await
            });
            return Ok((true, held));
        }
        if self.shared.in_flight.load(Ordering::Relaxed) <= 1 {
            let (database, outbox_signal) = (database.clone(), self.outbox_signal.clone());
            let write = async move {
                let connection = database.get().await?;
                let written = writer::write_alone(&database, &connection, &outbox_signal, &append).await?;
                Ok((written, held))
            };
            return tokio::spawn(write).await.map_err(|_| lost())?;
        }
        let (done, answer) = oneshot::channel();
        let job = Job { append, held, done };
        self.jobs.send(job).await.map_err(|_| gone())?;
        self.wake_writer_if_ready();
        answer.await.map_err(|_| lost())?
    }

    /// Wakes a writer that has a statement under way; an idle writer is woken by the queue itself.
    fn wake_writer_if_ready(&self) {
        let waiting = self.jobs.max_capacity() - self.jobs.capacity();
        let Shared { wake_at, queue_ready, .. } = &*self.shared;
        if waiting >= wake_at.load(Ordering::Relaxed) {
            wake_at.store(usize::MAX, Ordering::Relaxed);
            queue_ready.notify_one();
        }
    }
}
