//! Sends by web push what waits for browsers and programs of players.

use time::Duration;
use tokio::task::JoinSet;

use pippost_store::push_messages::{self, ClaimedPush};
use pippost_store::{DueMark, OutboxSignal, StoreError};
use pippost_webhooks::push::Pushes;

/// The most messages that a worker sends at once, each to another subscription.
pub const PLACES: usize = 32;

/// How long a claim lasts before other workers may repeat it: longer than an attempt may take, and a reserve for a stalled database.
pub const LEASE: Duration = Duration::minutes(1);

/// Sends messages. Any number of workers may run in any number of processes; none sends a message that another has claimed. Cheap to clone.
#[derive(Clone)]
pub struct PushWorker {
    pushes: Pushes,
    signal: OutboxSignal,
    /// Where its claims begin.
    mark: DueMark,
}

impl PushWorker {
    /// A worker; the signal tells it of messages.
    #[must_use]
    pub fn new(pushes: Pushes, signal: OutboxSignal) -> Self {
        Self { pushes, signal, mark: DueMark::default() }
    }

    /// Sends what is due, and waits for all of it; returns how much was settled.
    ///
    /// # Errors
    /// The database failed. What was sent and not recorded is sent again after the lease.
    pub async fn step(&self) -> Result<usize, StoreError> {
        let mut sending = Sending::new(self.clone());
        let begun = sending.fill().await?;
        sending.finish().await;
        Ok(begun)
    }

    /// The outcome of a message that cannot be decided is left to the next claim.
    async fn send(&self, claimed: &ClaimedPush) {
        let settled = match self.pushes.send(claimed).await {
            Ok(settled) => settled,
            Err(error) => {
                tracing::error!(notice = %claimed.notice_id, %error, "a message cannot be sent by web push now");
                return;
            }
        };
        let database = self.pushes.database();
        if let Err(error) = push_messages::settle(database, claimed, settled, self.pushes.now()).await {
            tracing::error!(notice = %claimed.notice_id, %error, "what came of a message cannot be recorded");
        }
    }
}

/// The messages of a worker that are under way. Each ends by itself and makes room for the next, so a slow push service holds up nobody.
pub struct Sending {
    worker: PushWorker,
    running: JoinSet<()>,
    ended: usize,
}

impl Sending {
    /// None yet.
    #[must_use]
    pub fn new(worker: PushWorker) -> Self {
        Self { worker, running: JoinSet::new(), ended: 0 }
    }

    /// Begins to send what is due, as much as there is room for, and waits for none of it. Returns how much. Whenever one ends, the
    /// signal of web push is notified.
    ///
    /// # Errors
    /// The database failed.
    pub async fn fill(&mut self) -> Result<usize, StoreError> {
        while let Some(ended) = self.running.try_join_next() {
            self.count(&ended);
        }
        let room = PLACES - self.running.len();
        if room == 0 {
            return Ok(0);
        }
        let (pushes, now) = (&self.worker.pushes, self.worker.pushes.now());
        let limit = i64::try_from(room).unwrap_or(i64::MAX);
        let mut connection = pushes.database().get().await?;
        let mark = &self.worker.mark;
        let claimed = push_messages::claim(&mut connection, now, now + LEASE, limit, mark).await?;
        drop(connection);
        let begun = claimed.len();
        for claimed in claimed {
            let worker = self.worker.clone();
            self.running.spawn(async move {
                worker.send(&claimed).await;
                worker.signal.pushes().notify_one();
            });
        }
        Ok(begun)
    }

    /// Waits for what is under way.
    pub async fn finish(&mut self) {
        while let Some(ended) = self.running.join_next().await {
            self.count(&ended);
        }
    }

    /// How many have ended since the last call.
    pub fn take_ended(&mut self) -> usize {
        std::mem::take(&mut self.ended)
    }

    fn count(&mut self, ended: &Result<(), tokio::task::JoinError>) {
        self.ended += 1;
        if ended.is_err() {
            tracing::error!("sending a message by web push panicked");
        }
    }
}
