//! One round of a queue. Claiming, working and settling overlap, so that neither the database nor whoever is told waits for the other.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinError, JoinSet};

use super::Batched;
use pippost_store::StoreError;

/// A round makes no claims after this time, so that a worker asked to stop does so soon.
const ROUND_TIME: Duration = Duration::from_secs(1);

/// The longest delay before an outcome is recorded. After a crash, what was not recorded is done again.
const SETTLED_AFTER: Duration = Duration::from_millis(50);

/// An entry claimed by this worker, and when, because it must be begun within a limit.
struct Taken<E> {
    entry: E,
    claimed_at: Instant,
}

type Running<T> = Option<BoxFuture<'static, Result<T, StoreError>>>;

pub struct Round<Q: Batched> {
    queue: Q,
    begun: Instant,
    claiming: Running<Vec<Q::Entry>>,
    /// Whether more entries may be due.
    more: bool,
    taken: VecDeque<Taken<Q::Entry>>,
    working: JoinSet<Q::Outcome>,
    worked_on: HashMap<Id, Q::Entry>,
    finished: Vec<(Q::Entry, Q::Outcome)>,
    /// When the oldest outcome in `finished` arrived.
    waits_since: Option<Instant>,
    settling: Running<usize>,
    done: usize,
    failed: Option<StoreError>,
}

impl<Q: Batched> Round<Q> {
    #[must_use]
    pub fn new(queue: Q) -> Self {
        Self {
            queue,
            begun: Instant::now(),
            claiming: None,
            more: true,
            taken: VecDeque::new(),
            working: JoinSet::new(),
            worked_on: HashMap::new(),
            finished: Vec::new(),
            waits_since: None,
            settling: None,
            done: 0,
            failed: None,
        }
    }

    /// Runs until all claimed entries are settled; returns how many. If this is dropped, what was being done may be done, and is done
    /// again after the lease.
    ///
    /// # Errors
    /// The first failure of the database. Everything else has been done.
    pub async fn run(mut self) -> Result<usize, StoreError> {
        loop {
            self.claim();
            self.begin();
            self.settle();
            if self.claiming.is_none() && self.settling.is_none() && self.working.is_empty() {
                return self.failed.map_or(Ok(self.done), Err);
            }
            self.wait().await;
        }
    }

    /// Claims more before the last entries are begun, so that work does not wait.
    fn claim(&mut self) {
        let wanted = self.more && self.failed.is_none() && self.taken.len() <= Q::BATCH / 2;
        let in_time = self.begun.elapsed() < ROUND_TIME;
        if wanted && in_time && self.claiming.is_none() {
            let queue = self.queue.clone();
            self.claiming = Some(async move { queue.claim(Q::BATCH).await }.boxed());
        }
    }

    /// Begins as many entries as have places, many together, so that one statement reads for all of them.
    fn begin(&mut self) {
        let places = self.queue.places();
        if self.working.len() > places / 2 {
            return;
        }
        while self.working.len() < places {
            let Some(Taken { entry, claimed_at }) = self.taken.pop_front() else { return };
            if claimed_at.elapsed() >= self.queue.begin_within() {
                self.finish(entry, Q::late());
                continue;
            }
            let (queue, copy) = (self.queue.clone(), entry.clone());
            let task = self.working.spawn(async move { queue.work(&copy, claimed_at).await });
            self.worked_on.insert(task.id(), entry);
        }
    }

    /// Records outcomes in groups, but none later than [`SETTLED_AFTER`].
    fn settle(&mut self) {
        let last = self.working.is_empty() && self.taken.is_empty();
        let long = self.waits_since.is_some_and(|since| since.elapsed() >= SETTLED_AFTER);
        let due = last || long || self.finished.len() >= Q::BATCH / 2;
        if self.settling.is_some() || self.finished.is_empty() || !due {
            return;
        }
        let finished = std::mem::take(&mut self.finished);
        self.waits_since = None;
        let queue = self.queue.clone();
        self.settling = Some(async move { queue.settle(finished).await }.boxed());
    }

    /// Waits for the next event.
    async fn wait(&mut self) {
        let remaining = self.waits_since.map(|since| SETTLED_AFTER.saturating_sub(since.elapsed()));
        let remaining = remaining.filter(|_| self.settling.is_none());
        tokio::select! {
            claimed = on(&mut self.claiming) => {
                self.claiming = None;
                self.claimed(claimed);
            }
            settled = on(&mut self.settling) => {
                self.settling = None;
                match settled {
                    Ok(done) => self.done += done,
                    Err(error) => self.failed = self.failed.take().or(Some(error)),
                }
            }
            Some(ended) = self.working.join_next_with_id() => self.ended(ended),
            // Outcomes are recorded by then, also if nothing else happens.
            () = tokio::time::sleep(remaining.unwrap_or_default()), if remaining.is_some() => {}
        }
    }

    fn claimed(&mut self, claimed: Result<Vec<Q::Entry>, StoreError>) {
        let claimed_at = Instant::now();
        match claimed {
            Ok(entries) => {
                self.more = entries.len() == Q::BATCH;
                self.taken.extend(entries.into_iter().map(|entry| Taken { entry, claimed_at }));
                // Even before those claimed earlier.
                self.taken.make_contiguous().sort_by_key(|taken| !Q::is_first(&taken.entry));
            }
            Err(error) => self.failed = Some(error),
        }
    }

    /// One that makes the worker panic is retried and finally given up; others go on.
    fn ended(&mut self, ended: Result<(Id, Q::Outcome), JoinError>) {
        let (id, outcome) = ended.unwrap_or_else(|stumbled| (stumbled.id(), Q::stumbled()));
        if let Some(entry) = self.worked_on.remove(&id) {
            self.finish(entry, outcome);
        }
    }

    fn finish(&mut self, entry: Q::Entry, outcome: Q::Outcome) {
        self.waits_since.get_or_insert_with(Instant::now);
        self.finished.push((entry, outcome));
    }
}

/// Waits for a running statement; forever if there is none.
async fn on<T>(running: &mut Running<T>) -> Result<T, StoreError> {
    match running {
        Some(running) => running.await,
        None => std::future::pending().await,
    }
}
