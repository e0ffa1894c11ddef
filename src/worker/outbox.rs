//! Sends what waits in the outbox.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream;

use crate::clock::Clock;
use crate::keys::secret::{Purpose, SecretKey};
use crate::mail::{Content, Mailer, SendError, Writer};
use crate::notices::errand::Subject;
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
        Self { outbox, mailer, writer, letters, secret, links, clock, concurrency, batch_time: BATCH_TIME }
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
        let claimed = self.outbox.claim(self.clock.now()).await?;
        if claimed.is_empty() {
            self.mailer.rest().await;
            return Ok(0);
        }
        let begun = Instant::now();
        let outcomes: Vec<_> = stream::iter(claimed)
            .map(|notice| async {
                let in_time = begun.elapsed() < self.batch_time;
                let outcome = if in_time { self.deal_with(&notice).await } else { Outcome::Released };
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

    async fn deal_with(&self, notice: &ClaimedNotice) -> Outcome {
        if is_poison(notice) {
            return Outcome::Failed("the server stopped over it each time".to_owned());
        }
        let errand = match Errand::of(notice, self.clock.now()) {
            Ok(errand) => errand,
            Err(not_sent) => return Outcome::Skipped(not_sent.to_string()),
        };
        let content = match self.content(&errand.about).await {
            Ok(Some(content)) => content,
            Ok(None) => return Outcome::Skipped(NotSent::Overtaken.to_string()),
            Err(error) => {
                tracing::error!(notice = %notice.id, %error, "a letter could not be filled");
                return Outcome::Retry("the game could not be read".to_owned());
            }
        };
        let sent = match self.writer.write(notice.id, errand.to, content, self.clock.now()) {
            Ok(letter) => self.mailer.send(&letter).await,
            Err(refused) => Err(refused.into()),
        };
        match sent {
            Ok(()) => Outcome::Sent,
            Err(SendError::Temporary(reason)) => Outcome::Retry(reason),
            Err(SendError::Permanent(reason)) => Outcome::Failed(reason),
        }
    }

    async fn content(&self, about: &Subject) -> Result<Option<Content>, LetterError> {
        match *about {
            Subject::Game { kind, game_id, player_id, seq } => {
                let letter = self.letters.letter(game_id, player_id, seq, kind).await?;
                Ok(letter.map(Content::Game))
            }
            Subject::Invitation { game_id, from_player_id } => {
                let letter = self.letters.invitation(game_id, from_player_id).await?;
                Ok(letter.map(Content::Invitation))
            }
            Subject::Answer { reply_id } => Ok(self.letters.answer(reply_id).await?.map(Content::Answer)),
            Subject::Account { kind, link_id, expires_at } => {
                let link = match kind {
                    AccountLetterKind::ConfirmEmail => {
                        self.links.confirm_email(&self.secret.link_token(Purpose::ConfirmEmail, link_id))
                    }
                    AccountLetterKind::ResetPassword => {
                        self.links.reset_password(&self.secret.link_token(Purpose::ResetPassword, link_id))
                    }
                };
                Ok(Some(Content::Account(AccountLetter { kind, link, expires_at })))
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
        Outcome::Retry(reason) => tracing::warn!(%id, kind, attempt, reason, "mail put off"),
        Outcome::Failed(reason) => tracing::warn!(%id, kind, attempt, reason, "mail failed"),
    }
}
