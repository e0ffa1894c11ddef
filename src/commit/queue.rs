//! Passes moves to the database. The only move in flight is written at once, on a connection of its own thread; several moves
//! go to a [writer](super::writer), which writes them together: a grouped move costs the database a quarter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, mpsc, oneshot};

use super::append::Append;
use super::writer::{self, Ended};
use crate::store::{Database, OutboxSignal, StoreError};

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
    /// Leads back to the thread that the move came from.
    reply_route: ReplyRoute<H>,
}

impl<H> Job<H> {
    /// If the client has disconnected, this drops what was held.
    fn finish(self, written: Result<bool, StoreError>) {
        let _ = self.done.send(written.map(|written| (written, self.held)));
    }
}

/// Returns finished jobs to a thread with a runtime of its own; the jobs of one statement wake it once.
pub(super) struct ReplyRoute<H> {
    /// Unbounded, but it never holds more than the jobs in flight.
    ended: mpsc::UnboundedSender<Vec<Ended<H>>>,
}

impl<H> Clone for ReplyRoute<H> {
    fn clone(&self) -> Self {
        Self { ended: self.ended.clone() }
    }
}

impl<H: Send + 'static> ReplyRoute<H> {
    /// Leads to the current runtime.
    fn to_this_runtime() -> Self {
        let (ended, mut arriving) = mpsc::unbounded_channel::<Vec<Ended<H>>>();
        tokio::spawn(async move {
            while let Some(ended) = arriving.recv().await {
                for (job, written) in ended {
                    job.finish(written);
                }
            }
        });
        Self { ended }
    }

    /// Returns each job to the thread that it came from.
    pub fn return_all(ended: Vec<Ended<H>>) {
        let mut routes: Vec<(Self, Vec<Ended<H>>)> = Vec::new();
        for (job, written) in ended {
            if let Some((_, jobs)) =
                routes.iter_mut().find(|(route, _)| route.ended.same_channel(&job.reply_route.ended))
            {
                jobs.push((job, written));
            } else {
                routes.push((job.reply_route.clone(), vec![(job, written)]));
            }
        }
        for (route, jobs) in routes {
            // If that runtime has ended, nobody waits for the answer.
            let _ = route.ended.send(jobs);
        }
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

/// Commits moves: a handle to a writer. Clones share the writer and the reply route. `H` is what a move holds until its statement
/// has ended: the game's slot in the cache.
pub struct Committer<H> {
    jobs: mpsc::Sender<Job<H>>,
    shared: Arc<Shared>,
    reply_route: ReplyRoute<H>,
    outbox_signal: OutboxSignal,
}

impl<H> Clone for Committer<H> {
    fn clone(&self) -> Self {
        Self {
            jobs: self.jobs.clone(),
            shared: Arc::clone(&self.shared),
            reply_route: self.reply_route.clone(),
            outbox_signal: self.outbox_signal.clone(),
        }
    }
}

/// Counts one move as in flight until it is dropped.
pub struct InFlightGuard<'a>(&'a AtomicUsize);

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<H: Send + 'static> Committer<H> {
    /// Starts a writer with connections of its own. The writer ends when all its handles are dropped and all queued
    /// moves are written. Needs a runtime.
    #[must_use]
    pub fn start(database: &Database, outbox_signal: OutboxSignal) -> Self {
        let (jobs, queue) = mpsc::channel(MAX_WAITING);
        let shared = Arc::new(Shared::default());
        writer::start(database, outbox_signal.clone(), Arc::clone(&shared), queue);
        Self { jobs, shared, reply_route: ReplyRoute::to_this_runtime(), outbox_signal }
    }

    /// A handle to the same writer whose answers come to the current thread's runtime.
    #[must_use]
    pub fn for_this_thread(&self) -> Self {
        Self { reply_route: ReplyRoute::to_this_runtime(), ..self.clone() }
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
        let job = Job { append, held, done, reply_route: self.reply_route.clone() };
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
