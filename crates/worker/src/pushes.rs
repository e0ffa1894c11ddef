//! Sends by web push what waits for browsers and programs of players.

use std::sync::Arc;
use std::time::Instant;

use time::Duration;
use tokio::sync::Notify;

use super::queue::{Flow, Queue, Woken};
use pippost_store::push_messages::{self, ClaimedPush, SettledPush};
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
        Flow::step(self).await
    }
}

impl Queue for PushWorker {
    type Entry = ClaimedPush;
    /// `None`: nothing could be decided, which is left to the next claim.
    type Outcome = Option<SettledPush>;

    const NAME: &'static str = "pushes";

    fn places(&self) -> usize {
        PLACES
    }

    async fn claim(&self, most: usize) -> Result<Vec<ClaimedPush>, StoreError> {
        let now = self.pushes.now();
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        let mut connection = self.pushes.database().get().await?;
        push_messages::claim(&mut connection, now, now + LEASE, limit, &self.mark).await
    }

    async fn work(&self, claimed: &ClaimedPush, _claimed_at: Instant) -> Option<SettledPush> {
        let sent = self.pushes.send(claimed).await;
        let log = |error| tracing::error!(notice = %claimed.notice_id, %error, "a message cannot be sent by web push now");
        sent.map_err(log).ok()
    }

    async fn settle(&self, done: Vec<(ClaimedPush, Option<SettledPush>)>) -> Result<usize, StoreError> {
        let mut count = 0;
        for (claimed, settled) in done {
            let Some(settled) = settled else { continue };
            push_messages::settle(self.pushes.database(), &claimed, settled, self.pushes.now()).await?;
            count += 1;
        }
        Ok(count)
    }
}

impl Woken for PushWorker {
    fn wake(&self) -> &Arc<Notify> {
        self.signal.pushes()
    }
}
