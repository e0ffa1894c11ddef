//! One round of sending. Claiming, sending and settling overlap, so that neither the mail server nor the database waits for the
//! other.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinError, JoinSet};

use super::outbox::{OutboxWorker, log};
use pippost_notices::outbox::BATCH;
use pippost_notices::{NoticeClass, Outcome};
use pippost_store::StoreError;
use pippost_store::notices::ClaimedNotice;

/// A round makes no claims after this time, so that a worker asked to stop does so soon.
const ROUND_TIME: Duration = Duration::from_secs(1);

/// The number of outcomes that are recorded together while more are expected.
const SETTLED_AT_ONCE: usize = BATCH / 2;

/// The longest delay before an outcome is recorded. After a crash, an unrecorded mail is sent again.
const SETTLED_AFTER: Duration = Duration::from_millis(50);

/// A notice claimed by this worker, and when, because it must be begun within a limit.
struct Taken {
    notice: ClaimedNotice,
    claimed_at: Instant,
}

type Claiming = BoxFuture<'static, Result<Vec<ClaimedNotice>, StoreError>>;
type Settling = BoxFuture<'static, Result<(), StoreError>>;

pub struct Round {
    worker: OutboxWorker,
    begun: Instant,
    claiming: Option<Claiming>,
    /// Whether more notices may be due.
    more: bool,
    taken: VecDeque<Taken>,
    sending: JoinSet<Outcome>,
    sent_by: HashMap<Id, ClaimedNotice>,
    finished: Vec<(ClaimedNotice, Outcome)>,
    /// When the oldest outcome in `finished` arrived.
    waits_since: Option<Instant>,
    settling: Option<Settling>,
    done: usize,
    failed: Option<StoreError>,
}

impl Round {
    pub fn new(worker: OutboxWorker) -> Self {
        Self {
            worker,
            begun: Instant::now(),
            claiming: None,
            more: true,
            taken: VecDeque::new(),
            sending: JoinSet::new(),
            sent_by: HashMap::new(),
            finished: Vec::new(),
            waits_since: None,
            settling: None,
            done: 0,
            failed: None,
        }
    }

    /// Runs until all claimed notices are processed; returns how many. If this is dropped, mails being sent may arrive and are
    /// sent again after the lease.
    ///
    /// # Errors
    /// The first failure of the database. Everything else has been done.
    pub async fn run(mut self) -> Result<usize, StoreError> {
        loop {
            self.claim();
            self.send();
            self.settle();
            if self.claiming.is_none() && self.settling.is_none() && self.sending.is_empty() {
                return self.failed.map_or(Ok(self.done), Err);
            }
            self.wait().await;
        }
    }

    /// Claims more before the last notices are sent, so that sending does not wait.
    fn claim(&mut self) {
        let wanted = self.more && self.failed.is_none() && self.taken.len() <= BATCH / 2;
        let in_time = self.begun.elapsed() < ROUND_TIME;
        if wanted && in_time && self.claiming.is_none() {
            let (outbox, now) = (self.worker.outbox().clone(), self.worker.now());
            self.claiming = {
                let classes = self.worker.classes();
                Some(async move { outbox.claim(classes, now).await }.boxed())
            };
        }
    }

    /// Begins as many mails as the worker processes at once, many together, so that one statement reads for all of them.
    fn send(&mut self) {
        if self.sending.len() > self.worker.at_work() / 2 {
            return;
        }
        while self.sending.len() < self.worker.at_work() {
            let Some(Taken { notice, claimed_at }) = self.taken.pop_front() else { return };
            let until = claimed_at + self.worker.batch_time();
            if Instant::now() >= until {
                self.finish(notice, Outcome::Released);
                continue;
            }
            let (worker, copy) = (self.worker.clone(), notice.clone());
            let task = self.sending.spawn(async move { worker.process(&copy, until).await });
            self.sent_by.insert(task.id(), notice);
        }
    }

    /// Records outcomes in groups, but none later than [`SETTLED_AFTER`].
    fn settle(&mut self) {
        let last = self.sending.is_empty() && self.taken.is_empty();
        let long = self.waits_since.is_some_and(|since| since.elapsed() >= SETTLED_AFTER);
        let due = last || long || self.finished.len() >= SETTLED_AT_ONCE;
        if self.settling.is_some() || self.finished.is_empty() || !due {
            return;
        }
        let finished = std::mem::take(&mut self.finished);
        self.waits_since = None;
        self.done += finished.len();
        let (outbox, now) = (self.worker.outbox().clone(), self.worker.now());
        self.settling = Some(async move { outbox.settle(finished, now).await }.boxed());
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
                self.failed = self.failed.take().or(settled.err());
            }
            Some(sent) = self.sending.join_next_with_id() => self.sent(sent),
            () = tokio::time::sleep(remaining.unwrap_or_default()), if remaining.is_some() => {}
        }
    }

    fn claimed(&mut self, claimed: Result<Vec<ClaimedNotice>, StoreError>) {
        let claimed_at = Instant::now();
        match claimed {
            Ok(notices) => {
                self.more = notices.len() == BATCH;
                self.taken.extend(notices.into_iter().map(|notice| Taken { notice, claimed_at }));
                // Mails about accounts go before other mails that have not begun, even those claimed earlier.
                self.taken
                    .make_contiguous()
                    .sort_by_key(|taken| taken.notice.kind.class() != NoticeClass::Account);
            }
            Err(error) => self.failed = Some(error),
        }
    }

    /// A notice that makes the worker panic is retried and finally given up; other notices are still sent.
    fn sent(&mut self, sent: Result<(Id, Outcome), JoinError>) {
        let (id, outcome) = match sent {
            Ok(sent) => sent,
            Err(stumbled) => (stumbled.id(), Outcome::Retry("the mail could not be made".to_owned())),
        };
        if let Some(notice) = self.sent_by.remove(&id) {
            self.finish(notice, outcome);
        }
    }

    fn finish(&mut self, notice: ClaimedNotice, outcome: Outcome) {
        log(&notice, &outcome);
        self.waits_since.get_or_insert_with(Instant::now);
        self.finished.push((notice, outcome));
    }
}

/// Waits for a running statement; forever if there is none.
async fn on<T>(running: &mut Option<BoxFuture<'static, T>>) -> T {
    match running {
        Some(running) => running.await,
        None => std::future::pending().await,
    }
}
