//! The way of a move to the database. One that is alone on its way is written at once, by a connection of its own thread; where there
//! are more, a [writer](super::writer) writes them together: a move in company costs the database a quarter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, mpsc, oneshot};

use super::cache::Slot;
use super::writer::{self, Ended};
use crate::store::append::Append;
use crate::store::{Database, OutboxSignal, StoreError};

/// The most moves that wait; further ones wait for room before they queue.
const MAX_WAITING: usize = 1024;

/// What became of an append: true if it was written, false if the game had moved on or the key was used; and the game's slot. If
/// the statement failed the slot is free, and the error says whether it may be carried out all the same.
type Written = Result<(bool, Slot), StoreError>;

/// A move on its way to a writer and back.
pub struct Job {
    pub append: Append,
    /// Held until the statement has ended, also if nobody waits for that any more.
    slot: Slot,
    done: oneshot::Sender<Written>,
    /// The way back to the thread that the move came from.
    home: Home,
}

impl Job {
    /// Nobody waits any more if the client has hung up; the slot is freed then.
    fn finish(self, written: Result<bool, StoreError>) {
        let _ = self.done.send(written.map(|written| (written, self.slot)));
    }
}

/// Takes what has ended back to a thread with a runtime of its own: one statement's moves wake it once, not one by one.
#[derive(Clone)]
pub struct Home {
    /// Unbounded, but it never holds more than the jobs under way.
    ended: mpsc::UnboundedSender<Vec<Ended>>,
}

impl Home {
    /// On the current runtime.
    fn here() -> Self {
        let (ended, mut arriving) = mpsc::unbounded_channel::<Vec<Ended>>();
        tokio::spawn(async move {
            while let Some(ended) = arriving.recv().await {
                for (job, written) in ended {
                    job.finish(written);
                }
            }
        });
        Self { ended }
    }

    /// Takes all of `ended` to where they came from.
    pub fn return_all(ended: Vec<Ended>) {
        let mut ways: Vec<(Self, Vec<Ended>)> = Vec::new();
        for (job, written) in ended {
            if let Some((_, load)) =
                ways.iter_mut().find(|(home, _)| home.ended.same_channel(&job.home.ended))
            {
                load.push((job, written));
            } else {
                ways.push((job.home.clone(), vec![(job, written)]));
            }
        }
        for (home, load) in ways {
            // If that runtime has ended nobody waits any more.
            let _ = home.ended.send(load);
        }
    }
}

/// What threads and a writer share.
#[derive(Default)]
pub struct Shared {
    /// How many are about a move just now.
    pub company: AtomicUsize,
    /// With so many waiting the writer wants to be woken.
    pub wanted: AtomicUsize,
    /// As many are waiting.
    pub enough: Notify,
}

/// The way to a writer. Clones have the same writer and the same way back.
#[derive(Clone)]
pub struct Appender {
    jobs: mpsc::Sender<Job>,
    shared: Arc<Shared>,
    home: Home,
    outbox_signal: OutboxSignal,
}

/// Being about a move, until it is dropped.
pub struct Companion<'a>(&'a AtomicUsize);

impl Drop for Companion<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Appender {
    /// Starts a writer with connections of its own. It ends when all clones of the appender are dropped and all queued moves are
    /// written. Needs a runtime.
    #[must_use]
    pub fn start(database: &Database, outbox_signal: OutboxSignal) -> Self {
        let (jobs, queue) = mpsc::channel(MAX_WAITING);
        let shared = Arc::new(Shared::default());
        writer::start(database, outbox_signal.clone(), Arc::clone(&shared), queue);
        Self { jobs, shared, home: Home::here(), outbox_signal }
    }

    /// The same writer, for a thread with a runtime of its own: the current one.
    #[must_use]
    pub fn from_here(&self) -> Self {
        Self { home: Home::here(), ..self.clone() }
    }

    /// Somebody begins a move: while there are others, moves are written together.
    pub fn join(&self) -> Companion<'_> {
        self.shared.company.fetch_add(1, Ordering::Relaxed);
        Companion(&self.shared.company)
    }

    /// Makes `append` permanent, or finds that it came too late. Once this is called the append is carried out, also if
    /// nobody waits for the answer. `here` has connections of the calling thread.
    pub async fn append(&self, append: Append, slot: Slot, here: &Database) -> Written {
        let gone = || StoreError::Pool("the writer has stopped".into());
        let lost = || StoreError::InDoubt("the writer has stumbled".into());
        if self.shared.company.load(Ordering::Relaxed) <= 1 {
            let (database, outbox_signal) = (here.clone(), self.outbox_signal.clone());
            let alone = async move {
                let connection = database.get().await?;
                let written = writer::write(&connection, &outbox_signal, &[&append]).await;
                Ok((writer::was_written(written)?, slot))
            };
            return tokio::spawn(alone).await.map_err(|_| lost())?;
        }
        let (done, answer) = oneshot::channel();
        let job = Job { append, slot, done, home: self.home.clone() };
        self.jobs.send(job).await.map_err(|_| gone())?;
        self.wake_if_enough();
        answer.await.map_err(|_| lost())?
    }

    /// A writer that has nothing to do wakes by itself; this is for the one that has a statement under way.
    fn wake_if_enough(&self) {
        let waiting = self.jobs.max_capacity() - self.jobs.capacity();
        let Shared { wanted, enough, .. } = &*self.shared;
        if waiting >= wanted.load(Ordering::Relaxed) {
            wanted.store(usize::MAX, Ordering::Relaxed);
            enough.notify_one();
        }
    }
}

/// Waits until all that is ready on this thread has run, the connection that sends the statement among it. To yield is not enough:
/// HTTP polls a new request twice in a row. A task of its own is polled by the runtime alone.
pub async fn let_the_statement_go() {
    // It cannot fail; and if it did, the answer would only be made too early.
    let _ = tokio::spawn(tokio::task::yield_now()).await;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[tokio::test]
    async fn the_statement_goes_first_also_for_a_future_that_is_polled_twice_in_a_row() {
        let sent = Arc::new(AtomicBool::new(false));
        let sending = Arc::clone(&sent);
        // As the connection's task is woken by the one that has the statement.
        tokio::spawn(async move {
            drop(tokio::spawn(async move { sending.store(true, Ordering::Relaxed) }));
        });
        let mut answering = std::pin::pin!(let_the_statement_go());
        for _ in 0..2 {
            assert!(futures_util::poll!(answering.as_mut()).is_pending());
        }
        answering.await;
        assert!(sent.load(Ordering::Relaxed));
    }
}
