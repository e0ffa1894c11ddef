//! Sends the notices in the outbox.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use tokio::sync::{Notify, Semaphore};
use url::Url;

use super::queue::{Batched, Queue, Round};
use pippost_accounts::{Presence, RESET_LIFETIME};
use pippost_clock::Clock;
use pippost_keys::secret::{Purpose, SecretKey};
use pippost_language::Language;
use pippost_mail::{
    BuiltMail, Content, MailCheckpoint, MailFigures, MailHeaders, MailLimits, MailRefused, Mailer, SendError,
    SendErrorKind, SendResult, Writer,
};
use pippost_notices::delivery::{Decision, Subject};
use pippost_notices::outbox::{BATCH, BATCH_TIME};
use pippost_notices::schedule::is_poison;
use pippost_notices::{
    AccountContent, AskedGame, ContentError, Delivery, Detail, Links, MailContents, ModerationContent,
    NotSent, NoticeClass, Outbox, Outcome, ReplyAddresses, WebhookContent,
};
use pippost_store::mail_links::{self, OfferedReset};
use pippost_store::moderation::{self, Act, Verdict};
use pippost_store::notices::{ClaimedNotice, NoticeKind};
use pippost_store::{OutboxSignal, StoreError, digests, preferences, transparency, webhooks};

/// How many mails are prepared for each mail that can be sent at once, so that sending never waits for rendering, and so that one
/// statement reads for several.
const MADE_READY: usize = 16;

/// How often a process looks whether the mail server can be reached again, while mails wait for it.
const OUTAGE_INTERVAL: time::Duration = time::Duration::seconds(15);

/// How long it waits before more of the mails that waited become due.
const RELEASE_PAUSE: time::Duration = time::Duration::seconds(1);

/// How long a mail about a turn waits for standing orders that may answer it.
const ORDERS_WAIT: time::Duration = time::Duration::seconds(2);

/// Sends due notices. Any number of workers may run in any number of processes; none sends a notice that another has claimed.
/// Cheap to clone.
#[derive(Clone)]
pub struct OutboxWorker(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    outbox: Outbox,
    mailer: Arc<Mailer>,
    writer: Writer,
    contents: Arc<dyn MailContents>,
    secret: Arc<SecretKey>,
    links: Links,
    clock: Clock,
    /// The number of mails sent at once.
    concurrency: usize,
    /// One permit for each mail sent at once.
    connections: Arc<Semaphore>,
    batch_time: Duration,
    limits: Arc<MailLimits>,
    presence: Option<Presence>,
    figures: MailFigures,
    /// When it may be looked next whether an outage of the mail server is over.
    next_look_at: Arc<Mutex<OffsetDateTime>>,
    /// The checkpoint of the log that the mails carry, read once for each batch.
    checkpoint: Arc<Mutex<Option<Arc<MailCheckpoint>>>>,
    classes: &'static [NoticeClass],
}

impl OutboxWorker {
    /// Creates a worker that sends `concurrency` mails at once.
    #[must_use]
    pub fn new(
        outbox: Outbox,
        mailer: Arc<Mailer>,
        contents: Arc<dyn MailContents>,
        secret: Arc<SecretKey>,
        links: Links,
        clock: Clock,
        concurrency: usize,
    ) -> Self {
        let writer = Writer::new(mailer.from().clone(), links.clone());
        let (batch_time, limits) = (BATCH_TIME, Arc::new(MailLimits::none()));
        let connections = Arc::new(Semaphore::new(concurrency));
        Self(Arc::new(Inner {
            outbox,
            mailer,
            writer,
            contents,
            secret,
            links,
            clock,
            concurrency,
            connections,
            batch_time,
            limits,
            presence: None,
            figures: MailFigures::default(),
            next_look_at: Arc::new(Mutex::new(OffsetDateTime::UNIX_EPOCH)),
            checkpoint: Arc::default(),
            classes: &NoticeClass::ALL,
        }))
    }

    /// A second worker that sends only mails about accounts, so that they do not wait for other mails.
    #[must_use]
    pub fn for_accounts(&self) -> Self {
        let connections = Arc::new(Semaphore::new(1));
        let classes = &NoticeClass::ALL[..1];
        self.clone().with(|inner| Inner { classes, connections, concurrency: 1, ..inner })
    }

    /// The signal that wakes this worker. Both kinds have their own, so that neither takes the other's wake-up.
    #[must_use]
    pub fn woken_by(&self, signal: &OutboxSignal) -> Arc<Notify> {
        let sends_all = self.0.classes == NoticeClass::ALL;
        Arc::clone(if sends_all { signal.local() } else { signal.local_accounts() })
    }

    fn with(self, change: impl FnOnce(Inner) -> Inner) -> Self {
        Self(Arc::new(change(Arc::unwrap_or_clone(self.0))))
    }

    /// Delays mails that exceed `limits`.
    #[must_use]
    pub fn with_limits(self, limits: MailLimits) -> Self {
        self.with(|inner| Inner { limits: Arc::new(limits), ..inner })
    }

    /// Writes this process's sightings of players before each step.
    #[must_use]
    pub fn with_presence(self, presence: Presence) -> Self {
        self.with(|inner| Inner { presence: Some(presence), ..inner })
    }

    /// Counts what it sends there.
    #[must_use]
    pub fn with_figures(self, figures: MailFigures) -> Self {
        self.with(|inner| Inner { figures, ..inner })
    }

    /// Begins no mail later than this after its claim.
    #[must_use]
    pub fn with_batch_time(self, batch_time: Duration) -> Self {
        self.with(|inner| Inner { batch_time, ..inner })
    }

    /// Sends mails that can be answered.
    #[must_use]
    pub fn with_replies(self, replies: Option<ReplyAddresses>) -> Self {
        self.with(|inner| Inner { writer: inner.writer.with_replies(replies), ..inner })
    }

    /// Claims due notices, sends them and records the outcomes, for about a second if there are many; from time to time looks before
    /// whether an outage of the mail server is over. Returns how many notices were processed.
    ///
    /// # Errors
    /// The database failed. Mails sent but not recorded are sent again after the lease, with the same Message-ID.
    pub async fn step(&self) -> Result<usize, StoreError> {
        if let Some(presence) = &self.0.presence {
            presence.write().await?;
        }
        if self.0.may_look_for_server() {
            self.end_outage().await?;
        }
        let done = Round::new(self.clone()).run().await?;
        if done == 0 {
            self.0.mailer.rest().await;
        }
        Ok(done)
    }
}

impl OutboxWorker {
    /// If mails wait until the mail server can be reached, and it can, some of them become due; returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn end_outage(&self) -> Result<usize, StoreError> {
        let outbox = &self.0.outbox;
        if !outbox.waits_for_server().await? {
            return Ok(0);
        }
        if let Err(error) = self.0.mailer.reach().await {
            tracing::warn!(reason = error.reason, said = error.said, "mails wait for the mail server");
            return Ok(0);
        }
        let now = self.0.clock.now();
        let released = outbox.release(now).await?;
        *self.0.next_look_at() = now + RELEASE_PAUSE;
        tracing::info!(mails = released, "the mail server can be reached again");
        Ok(released)
    }
}

/// What became of a notice.
pub struct Processed {
    outcome: Outcome,
    posted: Option<Posted>,
}

/// A mail that was given to the mailer.
struct Posted {
    /// The receiving domain.
    domain: String,
    /// What the mail server said when it did not take the mail.
    said: Option<String>,
}

impl From<Outcome> for Processed {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, posted: None }
    }
}

impl Queue for OutboxWorker {
    type Entry = ClaimedNotice;
    type Outcome = Processed;

    const NAME: &'static str = "outbox";

    fn places(&self) -> usize {
        self.0.concurrency * MADE_READY
    }

    async fn claim(&self, _most: usize) -> Result<Vec<ClaimedNotice>, StoreError> {
        let claimed = self.0.outbox.claim(self.0.classes, self.0.clock.now()).await?;
        if !claimed.is_empty() {
            self.0.read_checkpoint().await;
        }
        Ok(claimed)
    }

    async fn work(&self, notice: &ClaimedNotice, claimed_at: Instant) -> Processed {
        let processed = self.0.process(notice, claimed_at + self.0.batch_time).await;
        processed.unwrap_or_else(Processed::from)
    }

    async fn settle(&self, done: Vec<(ClaimedNotice, Processed)>) -> Result<usize, StoreError> {
        let count = done.len();
        for (notice, processed) in &done {
            log(notice, processed);
            if let (Some(posted), Some(result)) = (&processed.posted, result(&processed.outcome)) {
                self.0.figures.sent(&posted.domain, result);
            }
        }
        let done = done.into_iter().map(|(notice, processed)| (notice, processed.outcome)).collect();
        self.0.outbox.settle(done, self.0.clock.now()).await?;
        Ok(count)
    }
}

impl Batched for OutboxWorker {
    const BATCH: usize = BATCH;

    fn begin_within(&self) -> Duration {
        self.0.batch_time
    }

    fn is_first(notice: &ClaimedNotice) -> bool {
        notice.kind.class() == NoticeClass::Account
    }

    fn late() -> Processed {
        Outcome::Released.into()
    }

    fn stumbled() -> Processed {
        Outcome::Retry("the mail could not be made".to_owned()).into()
    }
}

impl Inner {
    fn next_look_at(&self) -> MutexGuard<'_, OffsetDateTime> {
        self.next_look_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn checkpoint(&self) -> MutexGuard<'_, Option<Arc<MailCheckpoint>>> {
        self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the newest checkpoint of the log. If it cannot be read, mails carry an older one.
    async fn read_checkpoint(&self) {
        match transparency::checkpoint(self.outbox.database()).await {
            Ok(newest) => {
                let newest = newest.and_then(|newest| MailCheckpoint::of_note(newest.newest_note()));
                *self.checkpoint() = newest.map(Arc::new);
            }
            Err(error) => tracing::warn!(%error, "the newest checkpoint of the log cannot be read"),
        }
    }

    /// Whether it is time to look for the mail server, which the caller then does.
    fn may_look_for_server(&self) -> bool {
        let (now, mut next) = (self.clock.now(), self.next_look_at());
        // A clock that was set back counts as that time.
        let may = now >= *next || *next - now > OUTAGE_INTERVAL;
        if may {
            *next = now + OUTAGE_INTERVAL;
        }
        may
    }

    /// Sends the mail of a notice, if it should be sent and can be begun before `until`. `Err` holds the outcome of one that was not sent.
    async fn process(&self, notice: &ClaimedNotice, until: Instant) -> Result<Processed, Outcome> {
        if is_poison(notice) {
            return Err(Outcome::Failed("the server stopped over it each time".to_owned()));
        }
        let delivery = match Decision::of(notice, self.clock.now()) {
            Decision::Send(delivery) => delivery,
            Decision::Drop(not_sent) => return Err(Outcome::Skipped(not_sent.to_string())),
            Decision::Wait(until) => return Err(Outcome::Waits(until)),
            Decision::Collect => return Err(self.collect(notice).await),
        };
        if self.outbox.holds(&delivery.to.address) {
            return Err(Outcome::Held);
        }
        if self.is_answered_by_orders(notice, &delivery).await? {
            return Err(Outcome::Waits(self.clock.now() + ORDERS_WAIT));
        }
        // Reserved before rendering; a mail that is not sent after all returns its place.
        let allowance = match delivery.kind {
            Some(_) => {
                let allowed = self.limits.pass(&delivery.to.address, notice.kind.class());
                Some(allowed.map_err(|wait| Outcome::Waits(self.clock.now() + wait))?)
            }
            None => None,
        };
        let content = match self.content(notice, &delivery).await {
            Ok(Some(content)) => content,
            Ok(None) => return Err(Outcome::Skipped(NotSent::Overtaken.to_string())),
            Err(error) => {
                tracing::error!(notice = %notice.id, %error, "the content of a mail could not be made");
                return Err(Outcome::Retry("the game could not be read".to_owned()));
            }
        };
        let written = self.write(notice, &delivery, content);
        let sealed = written.map_err(|refused| Outcome::Failed(refused.to_string()))?;
        let free = tokio::time::timeout_at(until.into(), self.connections.acquire()).await;
        let _connection = free.map_err(|_late| Outcome::Released)?.expect("never closed");
        self.may_send(notice, &delivery).await?;
        if let Some(allowance) = allowance {
            allowance.used();
        }
        let domain = sealed.mail.to.email.domain().to_owned();
        let refused = self.mailer.post(sealed).await.err();
        let posted = Posted { domain, said: refused.as_ref().and_then(|error| error.said.clone()) };
        Ok(Processed { outcome: refused.map_or(Outcome::Sent, outcome), posted: Some(posted) })
    }

    /// Leaves a notice to the player's next digest.
    async fn collect(&self, notice: &ClaimedNotice) -> Outcome {
        let Some(player_id) = notice.player_id else {
            return Outcome::Skipped(NotSent::Incomplete.to_string());
        };
        match digests::keep(self.outbox.database(), notice.id, player_id).await {
            Ok(true) => Outcome::Skipped(NotSent::InDigest.to_string()),
            // It is claimed again, with the preferences of then.
            Ok(false) => Outcome::Released,
            Err(error) => {
                tracing::error!(notice = %notice.id, %error, "a notice could not be left to a digest");
                Outcome::Retry("the database could not be asked".to_owned())
            }
        }
    }

    /// Whether the player has given orders that will soon be looked at because of this turn.
    async fn is_answered_by_orders(
        &self,
        notice: &ClaimedNotice,
        delivery: &Delivery,
    ) -> Result<bool, Outcome> {
        let &Subject::Game { kind: NoticeKind::Turn, game_id, player_id, seq } = &delivery.about else {
            return Ok(false);
        };
        let pending = self.outbox.has_pending_orders(game_id, player_id, seq, self.clock.now()).await;
        pending.map_err(|error| {
            tracing::error!(notice = %notice.id, %error, "standing orders could not be read");
            Outcome::Retry("the database could not be asked".to_owned())
        })
    }

    fn write(
        &self,
        notice: &ClaimedNotice,
        delivery: &Delivery,
        content: Content,
    ) -> Result<BuiltMail, MailRefused> {
        let token = || self.secret.link_token(Purpose::Unsubscribe, notice.id);
        let headers = MailHeaders {
            notice_id: notice.id,
            player_id: match delivery.about {
                // Not to the player who entered the address, whom the notice is about.
                Subject::AddressInUse { player_id, .. } => Some(player_id),
                _ => notice.player_id,
            },
            thread_root: notice.thread_root,
            unsubscribe: delivery.kind.map(|_| self.links.unsubscribe(&token())),
            list: delivery.kind,
            checkpoint: self.checkpoint().clone(),
        };
        self.writer.write(headers, delivery.to.clone(), content, self.clock.now())?.seal()
    }

    /// Checked last, because it records that the player gets this mail.
    async fn may_send(&self, notice: &ClaimedNotice, delivery: &Delivery) -> Result<(), Outcome> {
        let now = self.clock.now();
        let (true, Some(player_id)) = (delivery.once, notice.player_id) else { return Ok(()) };
        match preferences::reserve_single_mail(self.outbox.database(), player_id, notice.id, now).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Outcome::Skipped(NotSent::ToldBefore.to_string())),
            Err(error) => {
                tracing::error!(notice = %notice.id, %error, "whether the player was told cannot be asked");
                Err(Outcome::Retry("the database could not be asked".to_owned()))
            }
        }
    }

    async fn content(
        &self,
        notice: &ClaimedNotice,
        delivery: &Delivery,
    ) -> Result<Option<Content>, ContentError> {
        let language: Language = delivery.to.reader.language;
        match &delivery.about {
            Subject::AddressInUse { player_id, email_key, link_id } => {
                let kind = NoticeKind::ResetPassword;
                let (email, now) = (delivery.to.address.as_str(), self.clock.now());
                let (link_id, player_id, expires_at) = (*link_id, *player_id, now + RESET_LIFETIME);
                let offered = OfferedReset { link_id, player_id, email, email_key, now, expires_at };
                mail_links::offer_reset(self.outbox.database(), &offered).await?;
                let link = self.account_link(kind, link_id);
                Ok(Some(Content::AddressInUse(AccountContent { kind, link, expires_at })))
            }
            &Subject::Game { kind, game_id, player_id, seq } => {
                let (told_since, detail) = (notice.created_at, Detail::Whole);
                let asked = AskedGame { game_id, player_id, seq, kind, told_since, language, detail };
                let content = self.contents.game(asked).await?;
                Ok(content.map(Content::Game))
            }
            &Subject::Digest { player_id, digest_id } => {
                let content = self.contents.digest(player_id, Some(digest_id), language).await?;
                Ok(content.map(Content::Digest))
            }
            &Subject::Invitation { game_id, from_player_id } => {
                let content = self.contents.invitation(game_id, from_player_id).await?;
                Ok(content.map(Content::Invitation))
            }
            &Subject::InvitationAnswered { game_id, from_player_id } => {
                let content = self.contents.invitation(game_id, from_player_id).await?;
                Ok(content.map(Content::InvitationAnswered))
            }
            &Subject::ExpiredGame { game_id, player_id } => {
                Ok(self.contents.expired(game_id, player_id).await?.map(Content::Expired))
            }
            &Subject::Answer { reply_id } => {
                Ok(self.contents.answer(reply_id, language).await?.map(Content::Answer))
            }
            &Subject::HowToMove { player_id } => {
                let waiting = self.contents.digest(player_id, None, language).await?.unwrap_or_default();
                Ok(Some(Content::HowToMove(waiting)))
            }
            &Subject::Moderation { act_id } => Ok(self.moderation(act_id).await?),
            &Subject::Challenge { notice_id } => {
                Ok(self.contents.challenge(notice_id).await?.map(Content::Challenge))
            }
            &Subject::Club { notice_id, player_id } => {
                Ok(self.contents.club(notice_id, player_id).await?.map(Content::Club))
            }
            &Subject::WebhookDisabled { notice_id } => Ok(self.disabled_webhook(notice_id).await?),
            &Subject::Account { kind, link_id, expires_at } => {
                let link = self.account_link(kind, link_id);
                Ok(Some(Content::Account(AccountContent { kind, link, expires_at })))
            }
        }
    }

    /// Outdated if the act was lifted, or its player is gone.
    async fn moderation(&self, act_id: uuid::Uuid) -> Result<Option<Content>, ContentError> {
        let found = moderation::find_act(self.outbox.database(), act_id).await?;
        let standing = found.filter(|act| act.subject_id.is_some() && act.verdict != Some(Verdict::Lifted));
        Ok(standing.map(|act| {
            let link = self.links.appeal(&self.secret.link_token(Purpose::Appeal, act_id));
            let Act { kind, reason, words, ends_at, .. } = act;
            Content::Moderation(ModerationContent { kind, reason, words, ends_at, link })
        }))
    }

    /// Outdated if the webhook was removed or verified anew.
    async fn disabled_webhook(&self, notice_id: uuid::Uuid) -> Result<Option<Content>, ContentError> {
        let Some((id, sealed, since)) = webhooks::disabled_by(self.outbox.database(), notice_id).await?
        else {
            return Ok(None);
        };
        let url = self.secret.open(id, &sealed).and_then(|url| String::from_utf8(url).ok());
        let url = url.and_then(|url| Url::parse(&url).ok());
        // An address that cannot be read is why the webhook is disabled; its id names it.
        let host = url.as_ref().and_then(Url::host_str).map_or_else(|| id.to_string(), str::to_owned);
        let failing_since = since.unwrap_or_else(|| self.clock.now());
        Ok(Some(Content::WebhookDisabled(WebhookContent { host, failing_since })))
    }

    fn account_link(&self, kind: NoticeKind, link_id: uuid::Uuid) -> String {
        match kind {
            NoticeKind::ConfirmEmail | NoticeKind::ConfirmHelp => {
                self.links.confirm_email(&self.secret.link_token(Purpose::ConfirmEmail, link_id))
            }
            NoticeKind::ResetPassword => {
                self.links.reset_password(&self.secret.link_token(Purpose::ResetPassword, link_id))
            }
            _ => self.links.home().to_owned(),
        }
    }
}

/// The outcome of a mail that the mailer did not send.
fn outcome(error: SendError) -> Outcome {
    let SendError { kind, reason, .. } = error;
    match kind {
        SendErrorKind::Temporary => Outcome::Retry(reason),
        SendErrorKind::Unreached => Outcome::Unreached(reason),
        SendErrorKind::Permanent => Outcome::Failed(reason),
        SendErrorKind::NoSuchAddress { code } => Outcome::Bounced { reason, code },
    }
}

/// How an outcome is counted.
fn result(outcome: &Outcome) -> Option<SendResult> {
    match outcome {
        Outcome::Sent => Some(SendResult::Sent),
        Outcome::Retry(_) => Some(SendResult::Deferred),
        Outcome::Unreached(_) => Some(SendResult::Unreached),
        Outcome::Failed(_) => Some(SendResult::Refused),
        Outcome::Bounced { .. } => Some(SendResult::Bounced),
        Outcome::Skipped(_) | Outcome::Released | Outcome::Waits(_) | Outcome::Held => None,
    }
}

/// Logs ids, kinds, reasons and domains only, never addresses or links.
fn log(notice: &ClaimedNotice, processed: &Processed) {
    let (id, kind, attempt) = (notice.id, notice.kind.as_str(), notice.attempts);
    let posted = processed.posted.as_ref();
    let (domain, said) =
        (posted.map(|posted| posted.domain.as_str()), posted.and_then(|posted| posted.said.as_deref()));
    match &processed.outcome {
        Outcome::Sent => tracing::debug!(%id, kind, attempt, "mail sent"),
        Outcome::Skipped(reason) => tracing::debug!(%id, kind, reason, "mail not sent"),
        Outcome::Released => tracing::debug!(%id, kind, "mail left for the next batch"),
        Outcome::Waits(until) => tracing::debug!(%id, kind, %until, "mail waits"),
        Outcome::Held => tracing::debug!(%id, kind, "mail held"),
        Outcome::Retry(reason) | Outcome::Unreached(reason) => {
            tracing::warn!(%id, kind, attempt, domain, reason, said, "mail put off");
        }
        Outcome::Failed(reason) | Outcome::Bounced { reason, .. } => {
            tracing::warn!(%id, kind, attempt, domain, reason, said, "mail failed");
        }
    }
}
