//! Sends what waits in the outbox.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{FutureExt, StreamExt, stream};

use crate::accounts::Presence;
use crate::clock::Clock;
use crate::keys::secret::{Purpose, SecretKey};
use crate::language::Language;
use crate::mail::{Content, MailLimits, Mailer, Posting, SendError, Writer};
use crate::notices::errand::{Decision, Subject};
use crate::notices::outbox::BATCH_TIME;
use crate::notices::schedule::is_poison;
use crate::notices::{
    AccountLetter, AccountLetterKind, Errand, LetterError, Letters, Links, NotSent, Outbox, Outcome,
    ReplyAddresses,
};
use crate::store::StoreError;
use crate::store::notices::ClaimedNotice;

/// Sends the notices that are due. Any number may run at once, in any number of processes: none sends what another has taken.
pub struct OutboxWorker {
    outbox: Outbox,
    mailer: Arc<Mailer>,
    writer: Writer,
    letters: Arc<dyn Letters>,
    secret: Arc<SecretKey>,
    links: Links,
    clock: Clock,
    /// How many mails to send at once.
    concurrency: usize,
    batch_time: Duration,
    limits: MailLimits,
    presence: Option<Presence>,
}

impl OutboxWorker {
    /// A worker that sends `concurrency` mails at once.
    #[must_use]
    pub fn new(
        outbox: Outbox,
        mailer: Arc<Mailer>,
        letters: Arc<dyn Letters>,
        secret: Arc<SecretKey>,
        links: Links,
        clock: Clock,
        concurrency: usize,
    ) -> Self {
        let writer = Writer::new(mailer.from().clone(), links.clone());
        let (batch_time, limits) = (BATCH_TIME, MailLimits::none());
        Self {
            outbox,
            mailer,
            writer,
            letters,
            secret,
            links,
            clock,
            concurrency,
            batch_time,
            limits,
            presence: None,
        }
    }

    /// The same worker, which lets mails wait that are more than `limits`.
    #[must_use]
    pub fn with_limits(self, limits: MailLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same worker, which asks first whom this process has seen.
    #[must_use]
    pub fn with_presence(self, presence: Presence) -> Self {
        Self { presence: Some(presence), ..self }
    }

    /// The same worker, which begins no more mails of a batch after `batch_time`.
    #[must_use]
    pub fn with_batch_time(self, batch_time: Duration) -> Self {
        Self { batch_time, ..self }
    }

    /// The same worker, whose mails can be answered.
    #[must_use]
    pub fn with_replies(self, replies: Option<ReplyAddresses>) -> Self {
        Self { writer: self.writer.with_replies(replies), ..self }
    }

    /// Takes one batch, sends it, and writes down how it went. Returns how many notices it dealt with.
    ///
    /// # Errors
    /// The database fails. What was sent but not written down is sent again after the lease, with the same Message-ID.
    pub async fn step(&self) -> Result<usize, StoreError> {
        if let Some(presence) = &self.presence {
            presence.write().await?;
        }
        let claimed = self.outbox.claim(self.clock.now()).await?;
        if claimed.is_empty() {
            self.mailer.rest().await;
            return Ok(0);
        }
        let begun = Instant::now();
        let outcomes: Vec<_> = stream::iter(claimed)
            .map(|notice| async {
                let in_time = begun.elapsed() < self.batch_time;
                let outcome = if in_time { self.deal_with_safely(&notice).await } else { Outcome::Released };
                log(&notice, &outcome);
                (notice, outcome)
            })
            .buffer_unordered(self.concurrency)
            .collect()
            .await;
        let done = outcomes.len();
        self.outbox.settle(outcomes, self.clock.now()).await?;
        Ok(done)
    }

    /// A notice over which the program stumbles is tried again, and given up in the end, like any other; the others go out.
    async fn deal_with_safely(&self, notice: &ClaimedNotice) -> Outcome {
        match AssertUnwindSafe(self.deal_with(notice)).catch_unwind().await {
            Ok(outcome) => outcome,
            Err(_reported) => Outcome::Retry("the mail could not be made".to_owned()),
        }
    }

    async fn deal_with(&self, notice: &ClaimedNotice) -> Outcome {
        if is_poison(notice) {
            return Outcome::Failed("the server stopped over it each time".to_owned());
        }
        let errand = match Decision::of(notice, self.clock.now()) {
            Decision::Send(errand) => errand,
            Decision::Drop(not_sent) => return Outcome::Skipped(not_sent.to_string()),
            Decision::Wait(until) => return Outcome::Waits(until),
        };
        let content = match self.content(&errand).await {
            Ok(Some(content)) => content,
            Ok(None) => return Outcome::Skipped(NotSent::Overtaken.to_string()),
            Err(error) => {
                tracing::error!(notice = %notice.id, %error, "a letter could not be filled");
                return Outcome::Retry("the game could not be read".to_owned());
            }
        };
        match self.may_send(notice, &errand).await {
            Ok(()) => self.send(notice, errand, content).await,
            Err(outcome) => outcome,
        }
    }

    /// What is asked last, for it is counted: the limits, and whether the player was told before.
    async fn may_send(&self, notice: &ClaimedNotice, errand: &Errand) -> Result<(), Outcome> {
        let now = self.clock.now();
        if errand.kind.is_some() {
            self.limits.pass(&errand.to.address).map_err(|wait| Outcome::Waits(now + wait))?;
        }
        let (true, Some(player_id)) = (errand.once, notice.player_id) else { return Ok(()) };
        match self.outbox.take_turn_to_tell(player_id, notice.id, now).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Outcome::Skipped(NotSent::ToldBefore.to_string())),
            Err(error) => {
                tracing::error!(notice = %notice.id, %error, "whether the player was told cannot be asked");
                Err(Outcome::Retry("the database could not be asked".to_owned()))
            }
        }
    }

    async fn send(&self, notice: &ClaimedNotice, errand: Errand, content: Content) -> Outcome {
        let token = || self.secret.link_token(Purpose::Unsubscribe, notice.id);
        let posting = Posting {
            notice_id: notice.id,
            thread_root: notice.thread_root,
            unsubscribe: errand.kind.map(|_| self.links.unsubscribe(&token())),
        };
        let sent = match self.writer.write(posting, errand.to, content, self.clock.now()) {
            Ok(letter) => self.mailer.send(&letter).await,
            Err(refused) => Err(refused.into()),
        };
        match sent {
            Ok(()) => Outcome::Sent,
            Err(SendError::Temporary(reason)) => Outcome::Retry(reason),
            Err(SendError::Permanent(reason)) => Outcome::Failed(reason),
            Err(SendError::NoSuchAddress { reason, code }) => Outcome::Bounced { reason, code },
        }
    }

    async fn content(&self, errand: &Errand) -> Result<Option<Content>, LetterError> {
        let language: Language = errand.to.reader.language;
        match errand.about {
            Subject::Game { kind, game_id, player_id, seq } => {
                let letter = self.letters.letter(game_id, player_id, seq, kind, language).await?;
                Ok(letter.map(Content::Game))
            }
            Subject::Digest { player_id } => {
                let letter = self.letters.digest(player_id, language).await?;
                Ok(letter.map(Content::Digest))
            }
            Subject::Invitation { game_id, from_player_id } => {
                let letter = self.letters.invitation(game_id, from_player_id).await?;
                Ok(letter.map(Content::Invitation))
            }
            Subject::Answer { reply_id } => {
                Ok(self.letters.answer(reply_id, language).await?.map(Content::Answer))
            }
            Subject::Account { kind, link_id, expires_at } => {
                let link = self.account_link(kind, link_id);
                Ok(Some(Content::Account(AccountLetter { kind, link, expires_at })))
            }
        }
    }

    fn account_link(&self, kind: AccountLetterKind, link_id: uuid::Uuid) -> String {
        match kind {
            AccountLetterKind::ConfirmEmail => {
                self.links.confirm_email(&self.secret.link_token(Purpose::ConfirmEmail, link_id))
            }
            AccountLetterKind::ResetPassword => {
                self.links.reset_password(&self.secret.link_token(Purpose::ResetPassword, link_id))
            }
        }
    }
}

/// No addresses and no links: ids, kinds and reasons only.
fn log(notice: &ClaimedNotice, outcome: &Outcome) {
    let (id, kind, attempt) = (notice.id, notice.kind.as_str(), notice.attempts);
    match outcome {
        Outcome::Sent => tracing::debug!(%id, kind, attempt, "mail sent"),
        Outcome::Skipped(reason) => tracing::debug!(%id, kind, reason, "mail not sent"),
        Outcome::Released => tracing::debug!(%id, kind, "mail left for the next batch"),
        Outcome::Waits(until) => tracing::debug!(%id, kind, %until, "mail waits"),
        Outcome::Retry(reason) => tracing::warn!(%id, kind, attempt, reason, "mail put off"),
        Outcome::Failed(reason) | Outcome::Bounced { reason, .. } => {
            tracing::warn!(%id, kind, attempt, reason, "mail failed");
        }
    }
}
