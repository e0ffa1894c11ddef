//! Delivers to webhooks what their players' feeds have for them.

use std::sync::Arc;
use std::time::Instant;

use time::{Duration, OffsetDateTime};
use tokio::sync::Notify;
use uuid::Uuid;

use super::queue::{Flow, Queue, Woken};
use pippost_language::Language;
use pippost_notices::{NewNotice, NoticeKind};
use pippost_store::webhook_claims::{self, Awaited, ClaimedWebhook, NextLook, WantedWebhooks, WebhookStep};
use pippost_store::webhooks::WebhookRow;
use pippost_store::{DeliveryOutcome, DueMark, FeedPosition, OutboxSignal, StoreError};
use pippost_webhooks::schedule::{BACK_OFF, MAX_RETRY_AFTER};
use pippost_webhooks::{Attempt, Told, Webhooks};

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

/// What came of the deliveries of a claim.
pub struct Delivered {
    /// How many attempts were made, and one more if there is more to be told.
    done: usize,
    /// How the claim ends; `None` if it has ended.
    last: Option<WebhookStep>,
}

impl WebhookWorker {
    /// Makes a worker, which is told of events from now on.
    #[must_use]
    pub fn new(webhooks: Webhooks, signal: OutboxSignal) -> Self {
        signal.follow_for_webhooks();
        Self { webhooks, signal, mark: DueMark::default() }
    }

    /// Claims webhooks that are due, delivers to each a bounded number of events, and waits for all of them. Returns how many attempts
    /// were made, and how many webhooks have more to be told. A server does it by [`Flow`], where nobody waits for others.
    ///
    /// # Errors
    /// The database failed. What was delivered and not recorded is delivered again after the lease.
    pub async fn step(&self) -> Result<usize, StoreError> {
        Flow::step(self).await
    }

    async fn deliver(&self, claimed: &ClaimedWebhook, claimed_at: Instant) -> Result<Delivered, StoreError> {
        let row = &claimed.webhook;
        let language = claimed.language.as_deref().and_then(Language::of_tag).unwrap_or_default();
        let part = self.webhooks.news(row).await?;
        let mut attempts = 0;
        let mut place = ClaimedPosition {
            lease: claimed.lease,
            claimed_at,
            cursor: row.cursor,
            failures: claimed.failures,
            failing_since: row.failing_since,
            slowest: std::time::Duration::ZERO,
        };
        if let Some(event) = part.missing {
            let event = (Told::Event(event), row.cursor);
            self.settle_attempt(row, &mut place, event, &Attempt::not_readable()).await?;
            return Ok(Delivered { done: 1, last: None });
        }
        let (said, more_said) = self.webhooks.said(row, language).await?;
        let (tournaments, more_happened) = self.webhooks.tournament_events(row, language).await?;
        let events = part.events.iter().map(|event| {
            (Told::Event(event.id), event.position, self.webhooks.message(row, &part, event, language))
        });
        let others = said.into_iter().chain(tournaments);
        let others = others.map(|(told, message)| (told, part.until, Some(message)));
        for (told, position, message) in events.chain(others) {
            let Some(message) = message else {
                place.cursor = position;
                continue;
            };
            if place.is_slow() {
                return Ok(Delivered { done: attempts + 1, last: Some(self.release(row, &place, true)) });
            }
            let attempt = self.webhooks.attempt(row, message).await;
            attempts += 1;
            if !self.settle_attempt(row, &mut place, (told, position), &attempt).await? {
                return Ok(Delivered { done: attempts, last: None });
            }
        }
        place.cursor = part.until;
        let has_more = part.has_more || more_said || more_happened;
        let done = attempts + usize::from(has_more);
        Ok(Delivered { done, last: Some(self.release(row, &place, has_more)) })
    }

    /// The end of a claim. Slow receivers wait, so that they do not take the places of others.
    fn release(&self, row: &WebhookRow, place: &ClaimedPosition, has_more: bool) -> WebhookStep {
        let is_slow = place.is_slow();
        let pause =
            if is_slow { place.claimed_at.elapsed() * (SLOW_SHARE - 1) } else { std::time::Duration::ZERO };
        let look_at = (has_more || is_slow).then(|| self.webhooks.now() + pause);
        let then = NextLook::Release { look_at };
        WebhookStep { id: row.id, lease: place.lease, cursor: place.cursor, delivery: None, told: None, then }
    }

    /// Records an attempt to deliver something, with the position in the feed after it; returns whether the next may be delivered.
    async fn settle_attempt(
        &self,
        row: &WebhookRow,
        place: &mut ClaimedPosition,
        (event, position): (Told, FeedPosition),
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
        let told = match event {
            Told::Message { id, .. } if is_delivered => Some(Awaited::Message(id)),
            Told::Tournament(id) if is_delivered => Some(Awaited::TournamentEvent(id)),
            _ => None,
        };
        let progress =
            WebhookStep { id: row.id, lease: place.lease, cursor: place.cursor, delivery, told, then };
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
        match BACK_OFF.retry_at(failures, failing_since, now) {
            Some(retry_at) if !attempt.is_gone() => {
                let asked = attempt.retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
                NextLook::Retry { failures, failing_since, look_at: retry_at.max(now + asked) }
            }
            _ => {
                let notice = NewNotice::to_player(NoticeKind::WebhookDisabled, row.player_id, now);
                NextLook::Disable { failing_since, notice: Box::new(notice) }
            }
        }
    }
}

impl Queue for WebhookWorker {
    type Entry = ClaimedWebhook;
    type Outcome = Result<Delivered, StoreError>;

    const NAME: &'static str = "webhooks";

    fn places(&self) -> usize {
        PLACES
    }

    /// Those that changes concern are due at once.
    async fn claim(&self, most: usize) -> Result<Vec<ClaimedWebhook>, StoreError> {
        let (database, now) = (self.webhooks.database(), self.webhooks.now());
        let changes = self.signal.take_changes_for_webhooks();
        if let Err(error) = webhook_claims::wake(database, &changes, now).await {
            self.signal.put_back_for_webhooks(changes);
            return Err(error);
        }
        let wanted = WantedWebhooks {
            now,
            lease: Uuid::new_v4(),
            lease_until: now + LEASE,
            next_look: now + LOOK_INTERVAL,
            limit: i64::try_from(most).unwrap_or(i64::MAX),
        };
        let mut connection = database.get().await?;
        webhook_claims::claim(&mut connection, &wanted, &self.mark).await
    }

    async fn work(&self, claimed: &ClaimedWebhook, claimed_at: Instant) -> Result<Delivered, StoreError> {
        self.deliver(claimed, claimed_at).await
    }

    /// Attempts have been recorded one by one.
    async fn settle(
        &self,
        done: Vec<(ClaimedWebhook, Result<Delivered, StoreError>)>,
    ) -> Result<usize, StoreError> {
        let mut count = 0;
        for (_, delivered) in done {
            let Delivered { done, last } = delivered?;
            if let Some(last) = last {
                webhook_claims::settle(self.webhooks.database(), &last).await?;
            }
            count += done;
        }
        Ok(count)
    }
}

impl Woken for WebhookWorker {
    fn wake(&self) -> &Arc<Notify> {
        self.signal.webhooks()
    }
}
