//! Delivers to webhooks what their players' feeds have for them.

use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use time::{Duration, OffsetDateTime};
use tokio::task::{JoinError, JoinSet};
use uuid::Uuid;

use pippost_language::Language;
use pippost_notices::{NewNotice, NoticeKind};
use pippost_store::webhook_claims::{self, ClaimedWebhook, NextLook, WantedWebhooks, WebhookStep};
use pippost_store::webhooks::WebhookRow;
use pippost_store::{DeliveryOutcome, DueMark, EventId, FeedPosition, OutboxSignal, StoreError};
use pippost_webhooks::schedule::{AfterFailure, after_failure};
use pippost_webhooks::{Attempt, Webhooks};

/// The most webhooks that a worker delivers to at once.
pub const PLACES: usize = 32;

/// How long a claim lasts before other workers may repeat it: [`BEGIN_WITHIN`], the time limit of an attempt that was begun by then, and
/// a reserve for a stalled database.
pub const LEASE: Duration = Duration::minutes(1);

/// How long after its claim the last delivery to a webhook may begin.
const BEGIN_WITHIN: std::time::Duration = std::time::Duration::from_secs(5);

/// How often a webhook's feed is looked at when nobody tells of news: the longest delay after a lost notification.
pub const LOOK_INTERVAL: Duration = Duration::seconds(30);

/// After an answer that took longer than this, or a claim as long as [`BEGIN_WITHIN`], the webhook waits so that it takes one part in
/// [`SLOW_SHARE`] of the worker's time.
const SLOW: std::time::Duration = std::time::Duration::from_secs(1);
const SLOW_SHARE: u32 = 4;

/// Delivers to webhooks. Any number of workers may run in any number of processes; none delivers to a webhook that another has claimed.
/// Cheap to clone.
#[derive(Clone)]
pub struct WebhookWorker {
    webhooks: Webhooks,
    signal: OutboxSignal,
    /// Where its claims begin.
    mark: DueMark,
}

/// The webhooks of one claim.
struct Claim {
    lease: Uuid,
    at: Instant,
    claimed: Vec<ClaimedWebhook>,
}

/// How far a webhook has come during a claim.
struct ClaimedPosition {
    lease: Uuid,
    claimed_at: Instant,
    cursor: FeedPosition,
    failures: i16,
    failing_since: Option<OffsetDateTime>,
    /// The longest time that an attempt took.
    slowest: std::time::Duration,
}

impl ClaimedPosition {
    fn is_slow(&self) -> bool {
        self.slowest > SLOW || self.claimed_at.elapsed() >= BEGIN_WITHIN
    }
}

/// The deliveries of a worker that are under way. Each webhook's end by themselves, and make room for the next.
pub struct Deliveries {
    worker: WebhookWorker,
    running: JoinSet<usize>,
    attempts: usize,
}

impl Deliveries {
    /// None yet.
    #[must_use]
    pub fn new(worker: WebhookWorker) -> Self {
        Self { worker, running: JoinSet::new(), attempts: 0 }
    }

    /// Begins deliveries to webhooks that are due, as many as there is room for, and waits for none of them. Returns to how many
    /// webhooks. Whenever one ends, the signal of webhooks is notified.
    ///
    /// # Errors
    /// The database failed.
    pub async fn fill(&mut self) -> Result<usize, StoreError> {
        while let Some(ended) = self.running.try_join_next() {
            self.count(ended);
        }
        let room = PLACES - self.running.len();
        if room == 0 {
            return Ok(0);
        }
        let Claim { lease, at, claimed } = self.worker.claim(room).await?;
        let begun = claimed.len();
        for claimed in claimed {
            let worker = self.worker.clone();
            self.running.spawn(async move {
                let delivered = worker.deliver(&claimed, lease, at).await;
                worker.signal.webhooks().notify_one();
                delivered.unwrap_or_else(|error| {
                    tracing::error!(webhook_id = %claimed.webhook.id, %error, "deliveries were cut off");
                    0
                })
            });
        }
        Ok(begun)
    }

    /// Waits until all that were begun have ended.
    pub async fn finish(&mut self) {
        while let Some(ended) = self.running.join_next().await {
            self.count(ended);
        }
    }

    /// How many attempts have ended since the last call.
    pub fn take_attempts(&mut self) -> usize {
        std::mem::take(&mut self.attempts)
    }

    fn count(&mut self, ended: Result<usize, JoinError>) {
        match ended {
            Ok(attempts) => self.attempts += attempts,
            Err(error) => tracing::error!(%error, "deliveries to a webhook panicked"),
        }
    }
}

impl WebhookWorker {
    /// Makes a worker, which is told of events from now on.
    #[must_use]
    pub fn new(webhooks: Webhooks, signal: OutboxSignal) -> Self {
        signal.follow_for_webhooks();
        Self { webhooks, signal, mark: DueMark::default() }
    }

    /// Claims webhooks that are due, delivers to each a bounded number of events, and waits for all of them. Returns how many attempts
    /// were made, and how many webhooks have more to be told. A server does it by [`Deliveries`], where nobody waits for others.
    ///
    /// # Errors
    /// The database failed. What was delivered and not recorded is delivered again after the lease.
    pub async fn step(&self) -> Result<usize, StoreError> {
        loop {
            let Claim { lease, at, claimed } = self.claim(PLACES).await?;
            let delivering = claimed.iter().map(|claimed| self.deliver(claimed, lease, at));
            let mut delivering: FuturesUnordered<_> = delivering.collect();
            let (mut done, mut failed) = (0, None);
            while let Some(delivered) = delivering.next().await {
                match delivered {
                    Ok(count) => done += count,
                    Err(error) => failed = Some(error),
                }
            }
            if let Some(error) = failed {
                return Err(error);
            }
            // A claim may have left some of a player's webhooks, though those that it took have nothing to be told.
            if done > 0 || claimed.is_empty() {
                return Ok(done);
            }
        }
    }

    /// Claims at most `limit` webhooks that are due.
    async fn claim(&self, limit: usize) -> Result<Claim, StoreError> {
        let (database, now) = (self.webhooks.database(), self.webhooks.now());
        let changes = self.signal.take_changes_for_webhooks();
        if let Err(error) = webhook_claims::wake(database, &changes, now).await {
            self.signal.put_back_for_webhooks(changes);
            return Err(error);
        }
        let lease = Uuid::new_v4();
        let wanted = WantedWebhooks {
            now,
            lease,
            lease_until: now + LEASE,
            next_look: now + LOOK_INTERVAL,
            limit: i64::try_from(limit).unwrap_or(i64::MAX),
        };
        let at = Instant::now();
        let mut connection = database.get().await?;
        let claimed = webhook_claims::claim(&mut connection, &wanted, &self.mark).await?;
        Ok(Claim { lease, at, claimed })
    }

    async fn deliver(
        &self,
        claimed: &ClaimedWebhook,
        lease: Uuid,
        claimed_at: Instant,
    ) -> Result<usize, StoreError> {
        let row = &claimed.webhook;
        let language = claimed.language.as_deref().and_then(Language::of_tag).unwrap_or_default();
        let part = self.webhooks.news(row).await?;
        let mut attempts = 0;
        let mut place = ClaimedPosition {
            lease,
            claimed_at,
            cursor: row.cursor,
            failures: claimed.failures,
            failing_since: row.failing_since,
            slowest: std::time::Duration::ZERO,
        };
        if let Some(event) = part.missing {
            self.settle(row, &mut place, (event, row.cursor), &Attempt::not_readable()).await?;
            return Ok(1);
        }
        for told in &part.events {
            let Some(message) = self.webhooks.message(row, &part, told, language) else {
                place.cursor = told.position;
                continue;
            };
            if place.is_slow() {
                self.release(row, &place, true).await?;
                return Ok(attempts + 1);
            }
            let attempt = self.webhooks.attempt(row, message).await;
            attempts += 1;
            if !self.settle(row, &mut place, (told.id, told.position), &attempt).await? {
                return Ok(attempts);
            }
        }
        place.cursor = part.until;
        self.release(row, &place, part.has_more).await?;
        Ok(attempts + usize::from(part.has_more))
    }

    /// Ends the claim. Slow receivers wait, so that they do not take the places of others.
    async fn release(
        &self,
        row: &WebhookRow,
        place: &ClaimedPosition,
        has_more: bool,
    ) -> Result<(), StoreError> {
        let is_slow = place.is_slow();
        let pause =
            if is_slow { place.claimed_at.elapsed() * (SLOW_SHARE - 1) } else { std::time::Duration::ZERO };
        let look_at = (has_more || is_slow).then(|| self.webhooks.now() + pause);
        let then = NextLook::Release { look_at };
        let progress =
            WebhookStep { id: row.id, lease: place.lease, cursor: place.cursor, delivery: None, then };
        webhook_claims::settle(self.webhooks.database(), &progress).await.map(drop)
    }

    /// Records an attempt to deliver an event; returns whether the next may be delivered.
    async fn settle(
        &self,
        row: &WebhookRow,
        place: &mut ClaimedPosition,
        (event, position): (EventId, FeedPosition),
        attempt: &Attempt,
    ) -> Result<bool, StoreError> {
        let is_delivered = attempt.outcome == DeliveryOutcome::Delivered;
        let (outcome, status) = (attempt.outcome, attempt.status);
        tracing::debug!(webhook_id = %row.id, %event, %outcome, status, "delivery");
        place.slowest = place.slowest.max(attempt.took);
        let then = if is_delivered {
            (place.cursor, place.failures, place.failing_since) = (position, 0, None);
            NextLook::GoOn
        } else {
            self.after_failure(row, place, attempt)
        };
        let is_disabled = matches!(then, NextLook::Disable { .. });
        let delivery = Some(self.webhooks.logged(row, Some(event), attempt));
        let progress = WebhookStep { id: row.id, lease: place.lease, cursor: place.cursor, delivery, then };
        let holds = webhook_claims::settle(self.webhooks.database(), &progress).await?;
        if is_disabled && holds {
            tracing::info!(webhook_id = %row.id, "webhook disabled");
            self.signal.notify();
        }
        Ok(is_delivered && holds)
    }

    fn after_failure(&self, row: &WebhookRow, place: &ClaimedPosition, attempt: &Attempt) -> NextLook {
        let now = self.webhooks.now();
        let failures = place.failures.saturating_add(1);
        let failing_since = place.failing_since.unwrap_or(now);
        match after_failure(failures, failing_since, now) {
            AfterFailure::RetryAt(look_at) if !attempt.is_gone() => {
                NextLook::Retry { failures, failing_since, look_at }
            }
            _ => {
                let notice = NewNotice::to_player(NoticeKind::WebhookDisabled, row.player_id, now);
                NextLook::Disable { failing_since, notice: Box::new(notice) }
            }
        }
    }
}
