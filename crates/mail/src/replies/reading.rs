//! Reads mails off the threads of requests: a few at a time, and one of each player.

use std::sync::Arc;

use pippost_traffic::{Work, compute};
use tokio::sync::{Mutex, MutexGuard, Semaphore};
use uuid::Uuid;

/// The most mails that are read at once in a process; others wait.
const MAX_READ_AT_ONCE: usize = 2;

/// The locks of players. Two players may share one, and then wait for each other.
const LOCKS: usize = 64;

/// The places of mails that are being read.
pub(super) struct Reading {
    places: Arc<Semaphore>,
    locks: [Mutex<()>; LOCKS],
}

impl Reading {
    pub fn new() -> Self {
        let locks = std::array::from_fn(|_| Mutex::new(()));
        Self { places: Arc::new(Semaphore::new(MAX_READ_AT_ONCE)), locks }
    }

    /// Waits until no other mail of the player is being processed.
    pub async fn lock(&self, player_id: Uuid) -> MutexGuard<'_, ()> {
        // The end of an id is random, its beginning a time.
        let [.., last] = *player_id.as_bytes();
        self.locks[usize::from(last) % LOCKS].lock().await
    }

    /// Does `work` on a thread for costly work; `None` if it panicked, as it would again.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let place = self.places.clone().acquire_owned().await.expect("never closed");
        let done = compute(Work::Reading, move || {
            let done = work();
            drop(place);
            done
        });
        done.await.inspect_err(|error| tracing::error!(%error, "a mail could not be read")).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn only_so_many_are_read_at_once_and_a_panic_leaves_its_place() {
        let reading = Reading::new();
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        for _ in 0..=MAX_READ_AT_ONCE {
            assert_eq!(reading.run(|| -> u8 { panic!("unreadable") }).await, None);
        }
        let work = |_| {
            let (now, most) = (now.clone(), most.clone());
            reading.run(move || {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
            })
        };
        let done = futures(work).await;
        assert_eq!(done, 40);
        assert!(most.load(Ordering::SeqCst) <= MAX_READ_AT_ONCE);
    }

    /// Runs forty at once; returns how many ended well.
    async fn futures<F: Future<Output = Option<()>>>(work: impl Fn(usize) -> F) -> usize {
        let mut all: Vec<_> = (0..40).map(|number| Box::pin(work(number))).collect();
        let mut done = 0;
        std::future::poll_fn(|context| {
            all.retain_mut(|one| match one.as_mut().poll(context) {
                std::task::Poll::Ready(ended) => {
                    done += usize::from(ended.is_some());
                    false
                }
                std::task::Poll::Pending => true,
            });
            if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
        done
    }
}
