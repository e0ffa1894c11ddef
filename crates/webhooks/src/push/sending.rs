//! Decides what comes of a claimed message, and sends it. Whether it is still to be told is asked right before it is sent.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;
use web_push_native::Auth;

use super::Pushes;
use super::message::{PushMessage, Reader, lifetime, urgency};
use super::subscribing::{Checked, SubscriptionRequest};
use crate::schedule::{BACK_OFF, MAX_RETRY_AFTER};
use crate::sender::PushRequest;
use pippost_accounts::preferences::quiet_hours;
use pippost_clock::Zone;
use pippost_keys::KeyError;
use pippost_language::Language;
use pippost_notices::{AskedGame, ContentError, Detail};
use pippost_store::captured_deliveries::{self, CapturedDelivery};
use pippost_store::notices::{MailKind, NoticeKind};
use pippost_store::push_messages::{ClaimedPush, SettledPush};
use pippost_store::{StoreError, standing_orders};

/// How often a subscription may be sent something in the long run, and how much at once.
pub const RATE_PERIOD: Duration = Duration::seconds(30);
pub const RATE_AT_ONCE: i32 = 60;

/// How long a message about a turn waits for standing orders that may answer it.
const ORDERS_WAIT: Duration = Duration::seconds(2);

/// How long push services may take an authorization for good.
const AUTHORIZATION_LIFETIME: Duration = Duration::hours(12);

/// Answers of push services: taken, unknown or gone, and too long.
const TAKEN: [u16; 2] = [201, 202];
const GONE: [u16; 2] = [404, 410];
const TOO_LONG: u16 = 413;

/// Why nothing could be decided. The message is claimed again after the lease.
#[derive(Debug, thiserror::Error)]
pub enum SendingError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the content of a message could not be made: {0}")]
    Content(ContentError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("a message could not be encrypted")]
    Encryption,
}

/// The notice of a claimed message.
struct Notice {
    kind: NoticeKind,
    /// `None` if it is about none.
    game_id: Option<Uuid>,
    created_at: OffsetDateTime,
}

impl Pushes {
    /// Sends a claimed message, if it is to be told; returns what came of it.
    ///
    /// # Errors
    /// [`SendingError`]
    pub async fn send(&self, claimed: &ClaimedPush) -> Result<SettledPush, SendingError> {
        let now = self.now();
        let notice = match expect_wanted(claimed, now) {
            Ok(notice) => notice,
            Err(instead) => return Ok(instead),
        };
        let Some(checked) = self.opened(claimed) else { return Ok(SettledPush::Ended) };
        if notice.kind == NoticeKind::Turn
            && let (Some(game_id), Some(seq)) = (notice.game_id, claimed.seq)
            && standing_orders::are_pending(self.database(), game_id, claimed.player_id, seq, now).await?
        {
            return Ok(SettledPush::Waits(now + ORDERS_WAIT));
        }
        let message = self.message(claimed, &notice).await.map_err(SendingError::Content)?;
        let Some(message) = message else { return Ok(SettledPush::Dropped) };
        self.post(claimed, &notice, &checked, &message).await
    }

    /// Where the subscription leads; `None` if it cannot be read or is not allowed any more.
    fn opened(&self, claimed: &ClaimedPush) -> Option<Checked> {
        let opened = self.parts().secret.open(claimed.subscription_id, &claimed.sealed)?;
        let request: SubscriptionRequest = serde_json::from_slice(&opened).ok()?;
        self.check(&request).ok()
    }

    /// The message as things are now; `None` if there is nothing to tell any more.
    async fn message(
        &self,
        claimed: &ClaimedPush,
        notice: &Notice,
    ) -> Result<Option<PushMessage>, ContentError> {
        let (kind, notice_id, contents) = (notice.kind, claimed.notice_id, &self.parts().contents);
        let language = Language::of_tag(&claimed.language).unwrap_or_default();
        let zone = Zone::named(&claimed.zone).unwrap_or_default();
        let reader = Reader { language, zone, links: &self.parts().links };
        match kind {
            NoticeKind::Challenge => {
                let content = contents.challenge(notice_id).await?;
                return Ok(content.map(|content| PushMessage::of_challenge(notice_id, &content, &reader)));
            }
            NoticeKind::Club => {
                let content = contents.club(notice_id, claimed.player_id).await?;
                return Ok(content.map(|content| PushMessage::of_club(notice_id, &content, &reader)));
            }
            _ => {}
        }
        let Some(game_id) = notice.game_id else { return Ok(None) };
        match kind {
            NoticeKind::GameExpired => {
                let content = contents.expired(game_id, claimed.player_id).await?;
                return Ok(content.map(|content| PushMessage::of_expired(&content, &reader)));
            }
            NoticeKind::Invitation => {
                let Some(from) = claimed.from_player_id else { return Ok(None) };
                let content = contents.invitation(game_id, from).await?;
                return Ok(content.map(|content| PushMessage::of_invitation(&content, &reader)));
            }
            _ => {}
        }
        let Some(seq) = claimed.seq.filter(|_| kind.is_of_game()) else { return Ok(None) };
        let player_id = claimed.player_id;
        let (told_since, detail) = (notice.created_at, Detail::Brief);
        let asked = AskedGame { game_id, player_id, seq, kind, told_since, language, detail };
        let content = contents.game(asked).await?;
        Ok(content.map(|content| PushMessage::of_game(kind, &content, &reader)))
    }

    async fn post(
        &self,
        claimed: &ClaimedPush,
        notice: &Notice,
        checked: &Checked,
        message: &PushMessage,
    ) -> Result<SettledPush, SendingError> {
        let parts = self.parts();
        let text = serde_json::to_string(message).expect("plain data");
        if parts.clock.is_sandbox() {
            self.capture(claimed, &text).await;
            if checked.target.is_nowhere() {
                return Ok(self.sent(claimed));
            }
        }
        let body = web_push_native::encrypt(text.into_bytes(), &checked.key, &Auth::from(checked.auth));
        let expires_at = (self.real_now() + AUTHORIZATION_LIFETIME).unix_timestamp();
        let vapid = parts.secret.vapid();
        let left = notice.created_at + lifetime(notice.kind) - self.now();
        let request = PushRequest {
            body: body.map_err(|_| SendingError::Encryption)?,
            authorization: vapid.authorization(&checked.target.origin(), expires_at, &parts.contact)?,
            lifetime_seconds: left.whole_seconds(),
            topic: message.tag.clone(),
            urgency: urgency(notice.kind),
        };
        let (attempt, retry_after) = parts.sender.push(&checked.target, request, self.real_now()).await;
        tracing::debug!(
            subscription = %claimed.subscription_id, notice = %claimed.notice_id, outcome = %attempt.outcome, status = attempt.status,
            "web push"
        );
        Ok(match attempt.status {
            Some(status) if TAKEN.contains(&status) => self.sent(claimed),
            Some(status) if GONE.contains(&status) => SettledPush::Ended,
            Some(TOO_LONG) => SettledPush::Dropped,
            _ => self.failed(claimed, retry_after),
        })
    }

    fn sent(&self, claimed: &ClaimedPush) -> SettledPush {
        let now = self.now();
        let rate_free_at = claimed.rate_free_at.max(now) + RATE_PERIOD;
        SettledPush::Sent { rate_free_at, not_before: (rate_free_at - RATE_PERIOD * RATE_AT_ONCE).max(now) }
    }

    fn failed(&self, claimed: &ClaimedPush, retry_after: Option<Duration>) -> SettledPush {
        let now = self.now();
        let failing_since = claimed.failing_since.unwrap_or(now);
        let retry_at = BACK_OFF.retry_at(claimed.failures.saturating_add(1), failing_since, now);
        retry_at.map_or(SettledPush::Ended, |at| {
            let asked = retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
            SettledPush::Failed { failing_since, not_before: at.max(now + asked) }
        })
    }

    /// Keeps what a sandbox sends, for its owner to read. What cannot be kept is sent all the same.
    async fn capture(&self, claimed: &ClaimedPush, text: &str) {
        let delivery = CapturedDelivery {
            id: Uuid::now_v7(),
            player_id: claimed.player_id,
            webhook_id: claimed.subscription_id,
            message_id: claimed.notice_id.to_string(),
            timestamp: self.real_now().unix_timestamp(),
            signatures: String::new(),
            body: text.to_owned(),
            sent_at: self.now(),
        };
        if let Err(error) = captured_deliveries::keep(self.database(), &delivery).await {
            tracing::error!(subscription = %claimed.subscription_id, %error, "a message could not be kept");
        }
    }
}

/// The notice, if its player wants to be told of it now.
fn expect_wanted(claimed: &ClaimedPush, now: OffsetDateTime) -> Result<Notice, SettledPush> {
    if !claimed.in_force {
        return Err(SettledPush::Ended);
    }
    let (Some(kind), Some(created_at)) = (claimed.kind, claimed.created_at) else {
        return Err(SettledPush::Dropped);
    };
    let is_wanted = match kind.mails() {
        Some(MailKind::Turns) => claimed.push_turns,
        Some(MailKind::Reminders) => claimed.push_reminders,
        Some(MailKind::Games) => claimed.push_games,
        Some(MailKind::Invitations) => claimed.push_invitations,
        Some(MailKind::Messages) => claimed.push_messages,
        Some(MailKind::Digest) | None => false,
    };
    let is_old = now >= created_at + lifetime(kind);
    if is_old || claimed.overtaken || !is_wanted {
        return Err(SettledPush::Dropped);
    }
    let quiet = quiet_hours(claimed.quiet_from, claimed.quiet_until);
    let quiet = quiet.filter(|_| claimed.urgent != Some(true));
    let zone = Zone::named(&claimed.zone).unwrap_or_default();
    match quiet.and_then(|quiet| zone.quiet_until(quiet, now)) {
        Some(until) => Err(SettledPush::Waits(until)),
        None => Ok(Notice { kind, game_id: claimed.game_id, created_at }),
    }
}
