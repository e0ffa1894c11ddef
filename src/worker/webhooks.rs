//! Delivers to webhooks what their players' feeds have for them.

use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::language::Language;
use crate::notices::{NewNotice, NoticeKind};
use crate::store::webhook_claims::{self, ClaimedWebhook, Progress, Then, WantedWebhooks};
use crate::store::webhooks::WebhookRow;
use crate::store::{DeliveryOutcome, FeedPosition, OutboxSignal, StoreError};
use crate::webhooks::delivering::Told;
use crate::webhooks::schedule::{AfterFailure, after_failure};
use crate::webhooks::{Attempt, Webhooks};

/// The most webhooks that one step delivers to, all at once.
pub const BATCH: i64 = 32;

/// How long a claim lasts before other workers may repeat it: [`BEGIN_WITHIN`], the time limit of an attempt that was begun by then, and
/// a reserve for a stalled database.
pub const LEASE: Duration = Duration::minutes(1);

/// How long after its claim the last delivery to a webhook may begin.
const BEGIN_WITHIN: std::time::Duration = std::time::Duration::from_secs(5);

/// How often a webhook's feed is looked at when nobody tells of news: the longest delay after a lost notification.
pub const LOOK_INTERVAL: Duration = Duration::seconds(30);

/// After an answer that took longer than this, the webhook waits so that it takes one part in [`SLOW_SHARE`] of the worker's time.
const SLOW: std::time::Duration = std::time::Duration::from_secs(1);
const SLOW_SHARE: u32 = 4;

/// Delivers to webhooks. Any number of workers may run in any number of processes; none delivers to a webhook that another has claimed.
/// Cheap to clone.
#[derive(Clone)]
pub struct WebhookWorker {
    webhooks: Webhooks,
    signal: OutboxSignal,
}

/// How far a webhook has come during a claim.
struct Place {
    lease: Uuid,
    cursor: FeedPosition,
    failures: i16,
    failing_since: Option<OffsetDateTime>,
    /// The longest time that an attempt took.
    slowest: std::time::Duration,
}

impl WebhookWorker {
    /// Makes a worker, which is told of events from now on.
    #[must_use]
    pub fn new(webhooks: Webhooks, signal: OutboxSignal) -> Self {
        signal.follow_for_webhooks();
        Self { webhooks, signal }
    }

    /// Claims the webhooks that are due, and delivers to each a bounded number of events. Returns how many attempts were made, and how
    /// many webhooks have more to be told.
    ///
    /// # Errors
    /// The database failed. What was delivered and not recorded is delivered again after the lease.
    pub async fn step(&self) -> Result<usize, StoreError> {
        let (database, now) = (self.webhooks.database(), self.webhooks.now());
        let changes = self.signal.take_changes_for_webhooks();
        webhook_claims::wake(database, &changes, now).await?;
        let lease = Uuid::new_v4();
        let wanted = WantedWebhooks {
            now,
            lease,
            lease_until: now + LEASE,
            next_look: now + LOOK_INTERVAL,
            limit: BATCH,
        };
        let claimed_at = Instant::now();
        let claimed = webhook_claims::claim(database, &wanted).await?;
        let delivering = claimed.iter().map(|claimed| self.deliver(claimed, lease, claimed_at));
        let mut delivering: FuturesUnordered<_> = delivering.collect();
        let (mut done, mut failed) = (0, None);
        while let Some(delivered) = delivering.next().await {
            match delivered {
                Ok(count) => done += count,
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(done), Err)
    }

    async fn deliver(
        &self,
        claimed: &ClaimedWebhook,
        lease: Uuid,
        claimed_at: Instant,
    ) -> Result<usize, StoreError> {
        let (database, row) = (self.webhooks.database(), &claimed.webhook);
        if claimed.ended {
            tracing::info!(webhook_id = %row.id, "webhook removed with what its app was allowed");
            webhook_claims::remove(database, row.id, lease).await?;
            return Ok(0);
        }
        let language = claimed.language.as_deref().and_then(Language::of_tag).unwrap_or_default();
        let part = self.webhooks.news(row).await?;
        let mut attempts = 0;
        let mut place = Place {
            lease,
            cursor: row.cursor,
            failures: claimed.failures,
            failing_since: row.failing_since,
            slowest: std::time::Duration::ZERO,
        };
        for told in &part.events {
            let Some(message) = self.webhooks.message(row, &part, told, language) else {
                place.cursor = told.position;
                continue;
            };
            if claimed_at.elapsed() >= BEGIN_WITHIN || place.slowest > SLOW {
                self.release(row, &place, true).await?;
                return Ok(attempts + 1);
            }
            let attempt = match self.webhooks.attempt(row, message).await {
                Ok(attempt) => attempt,
                Err(error) => {
                    tracing::error!(webhook_id = %row.id, %error, "nothing can be sent to a webhook");
                    self.release(row, &place, false).await?;
                    return Ok(attempts);
                }
            };
            attempts += 1;
            if !self.settle(row, &mut place, told, &attempt).await? {
                return Ok(attempts);
            }
        }
        place.cursor = part.until;
        self.release(row, &place, part.has_more).await?;
        Ok(attempts + usize::from(part.has_more))
    }

    /// Ends the claim. Slow receivers wait, so that they do not take the places of others.
    async fn release(&self, row: &WebhookRow, place: &Place, has_more: bool) -> Result<(), StoreError> {
        let is_slow = place.slowest > SLOW;
        let pause = if is_slow { place.slowest * (SLOW_SHARE - 1) } else { std::time::Duration::ZERO };
        let look_at = (has_more || is_slow).then(|| self.webhooks.now() + pause);
        let then = Then::Release { look_at };
        let progress =
            Progress { id: row.id, lease: place.lease, cursor: place.cursor, delivery: None, then };
        webhook_claims::settle(self.webhooks.database(), &progress).await.map(drop)
    }

    /// Records an attempt to deliver an event; returns whether the next may be delivered.
    async fn settle(
        &self,
        row: &WebhookRow,
        place: &mut Place,
        told: &Told,
        attempt: &Attempt,
    ) -> Result<bool, StoreError> {
        let is_delivered = attempt.outcome == DeliveryOutcome::Delivered;
        let (event, outcome, status) = (told.id, attempt.outcome, attempt.status);
        tracing::debug!(webhook_id = %row.id, %event, %outcome, status, "delivery");
        place.slowest = place.slowest.max(attempt.took);
        let then = if is_delivered {
            (place.cursor, place.failures, place.failing_since) = (told.position, 0, None);
            Then::GoOn
        } else {
            self.after_failure(row, place, attempt)
        };
        let is_disabled = matches!(then, Then::Disable { .. });
        let delivery = Some(self.webhooks.logged(row, Some(event), attempt));
        let progress = Progress { id: row.id, lease: place.lease, cursor: place.cursor, delivery, then };
        let holds = webhook_claims::settle(self.webhooks.database(), &progress).await?;
        if is_disabled && holds {
            tracing::info!(webhook_id = %row.id, "webhook disabled");
            self.signal.notify();
        }
        Ok(is_delivered && holds)
    }

    fn after_failure(&self, row: &WebhookRow, place: &Place, attempt: &Attempt) -> Then {
        let now = self.webhooks.now();
        let failures = place.failures.saturating_add(1);
        let failing_since = place.failing_since.unwrap_or(now);
        match after_failure(failures, failing_since, now) {
            AfterFailure::RetryAt(look_at) if !attempt.is_gone() => {
                Then::Retry { failures, failing_since, look_at }
            }
            _ => {
                let notice = NewNotice::to_player(NoticeKind::WebhookDisabled, row.player_id, now);
                Then::Disable { failing_since, notice: Box::new(notice) }
            }
        }
    }
}
