//! Processes one mail from its arrival to its answer in the outbox: once, however often it is delivered.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use tokio::sync::MutexGuard;
use uuid::Uuid;

use super::authentication::{AuthenticationPolicy, ForgedSenders, SenderVerdict};
use super::message::{self, Head, Mail};
use super::our_mail::OurMail;
use super::reading::Reading;
use super::{MAX_HINTS_A_DAY, MAX_MAIL_BYTES, MAX_READ_BYTES, ReplyError};
use crate::figures::MailFigures;
use pippost_accounts::{Accounts, Presence, email_keys};
use pippost_clock::Clock;
use pippost_games::Games;
use pippost_notices::ReplyAddresses;
use pippost_notices::replying::Token;
use pippost_store::notices::{self, NewNotice, NoticeKind};
use pippost_store::replies;
use pippost_store::{Database, OutboxSignal, players};

/// What happened to a mail, for its transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveOutcome {
    /// The mail was carried out or refused, and its answer is queued.
    Taken,
    /// The mail was processed before.
    Repeated,
    /// The mail was not carried out and is not answered, for example because a program sent it.
    Ignored(&'static str),
    /// None of the mail's addresses was made by this server, or nobody here writes from its sender's.
    UnknownAddress {
        /// The mail server vouches for the sender. To another, a refusal could become a mail to somebody who sent nothing.
        vouched: bool,
    },
    /// It is larger than [`MAX_MAIL_BYTES`].
    TooLarge,
    /// It is not a mail.
    Unreadable,
}

impl ReceiveOutcome {
    /// The label in metrics.
    fn label(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Repeated => "repeated",
            // Why is one of a few texts of this program.
            Self::Ignored(why) => why,
            Self::UnknownAddress { .. } => "unknown address",
            Self::TooLarge => "too large",
            Self::Unreadable => "unreadable",
        }
    }
}

/// An incoming mail, with its envelope if known.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Empty for bounces.
    pub sender: Option<&'a str>,
    pub recipient: Option<&'a str>,
    /// The mail, at least its first [`MAX_READ_BYTES`].
    pub raw: &'a [u8],
    /// The length of the whole mail.
    pub bytes: usize,
}

impl Incoming<'_> {
    /// What is read of the mail.
    fn beginning(&self) -> &[u8] {
        &self.raw[..self.raw.len().min(MAX_READ_BYTES)]
    }

    /// Adds the next piece of a mail to what is kept of it.
    pub fn keep(kept: &mut Vec<u8>, piece: &[u8]) {
        let room = MAX_READ_BYTES.saturating_sub(kept.len());
        kept.extend_from_slice(&piece[..piece.len().min(room)]);
    }
}

/// Processes the mails that players send. Cheap to clone.
#[derive(Clone)]
pub struct Replies {
    inner: Arc<Inner>,
}

struct Inner {
    database: Database,
    clock: Clock,
    games: Games,
    /// `None`: mails of this server cannot be answered.
    addresses: Option<ReplyAddresses>,
    /// Notified when notices are queued.
    outbox_signal: OutboxSignal,
    accounts: Accounts,
    /// Recognises quotes of this server's mails.
    ours: OurMail,
    policy: AuthenticationPolicy,
    reading: Reading,
    figures: MailFigures,
}

impl Replies {
    #[must_use]
    pub fn new(
        database: Database,
        clock: Clock,
        games: Games,
        addresses: Option<ReplyAddresses>,
        outbox_signal: OutboxSignal,
        accounts: Accounts,
        policy: AuthenticationPolicy,
    ) -> Self {
        let ours = OurMail::new(games.public_host(), addresses.clone());
        let inner = Inner {
            database,
            clock,
            games,
            addresses,
            outbox_signal,
            accounts,
            ours,
            policy,
            reading: Reading::new(),
            figures: MailFigures::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The same, which counts there what comes in. Call it before the first clone.
    #[must_use]
    pub fn with_figures(mut self, figures: MailFigures) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.figures = figures;
        }
        self
    }

    pub(super) fn figures(&self) -> &MailFigures {
        &self.inner.figures
    }

    pub(super) fn now(&self) -> OffsetDateTime {
        self.inner.clock.now()
    }

    pub(super) fn games(&self) -> &Games {
        &self.inner.games
    }

    pub(super) fn accounts(&self) -> &Accounts {
        &self.inner.accounts
    }

    /// A player whose mail acts counts as present.
    pub(super) fn presence(&self) -> &Presence {
        self.inner.accounts.presence()
    }

    pub(super) fn database(&self) -> &Database {
        &self.inner.database
    }

    /// The token in an address; `None` if the address was not made by this server.
    #[must_use]
    pub fn token(&self, address: &str) -> Option<Token> {
        self.inner.addresses.as_ref()?.read(address)
    }

    /// Whether this is the common address, which has no token.
    #[must_use]
    pub fn is_common(&self, address: &str) -> bool {
        self.inner.addresses.as_ref().is_some_and(|addresses| addresses.is_common(address))
    }

    pub(super) fn ours(&self) -> &OurMail {
        &self.inner.ours
    }

    /// Does costly work where requests do not wait for it; `None` if it failed.
    pub(super) async fn read_apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        self.inner.reading.run(work).await
    }

    /// Tells the outbox that notices wait.
    pub(super) fn notify(&self) {
        self.inner.outbox_signal.notify();
    }

    /// Tells it also that somebody has written at the table of this game.
    pub(super) fn notify_of(&self, game_id: Uuid) {
        self.inner.outbox_signal.notify_of(&[game_id]);
    }

    /// Whether the receiving mail server reports a forged sender, and such mails are refused.
    pub(super) fn refuses(&self, head: &Head) -> bool {
        self.is_forged(head) && self.inner.policy.forged == ForgedSenders::Refuse
    }

    /// Whether the receiving mail server reports a forged sender.
    pub(super) fn is_forged(&self, head: &Head) -> bool {
        let finding = self.inner.policy.finding(&head.authentication, head.from.address());
        finding == SenderVerdict::Forged
    }

    /// Waits until no other mail of the player is being processed.
    pub(super) async fn lock(&self, player_id: Uuid) -> MutexGuard<'_, ()> {
        self.inner.reading.lock(player_id).await
    }

    fn is_to_everybody(&self, incoming: &Incoming<'_>, head: &Head) -> bool {
        match incoming.recipient {
            Some(recipient) => self.is_common(recipient),
            None => head.to.iter().any(|address| self.is_common(address)),
        }
    }

    /// Processes one mail.
    ///
    /// # Errors
    /// It could not be processed now; nothing is lost if it is delivered again.
    pub async fn receive(&self, incoming: Incoming<'_>) -> Result<ReceiveOutcome, ReplyError> {
        let receipt = self.take_in(incoming).await?;
        self.figures().received(receipt.label());
        tracing::debug!(?receipt, "a mail came in");
        Ok(receipt)
    }

    async fn take_in(&self, incoming: Incoming<'_>) -> Result<ReceiveOutcome, ReplyError> {
        if incoming.bytes > MAX_MAIL_BYTES {
            return Ok(ReceiveOutcome::TooLarge);
        }
        let (beginning, sender) = (incoming.beginning().to_vec(), incoming.sender.map(str::to_owned));
        let head = self.read_apart(move || message::read_head(&beginning, sender.as_deref())).await;
        let is_strange = incoming.recipient.is_some_and(|recipient| self.token(recipient).is_none());
        let Some(head) = head.flatten() else {
            return Ok(if is_strange {
                ReceiveOutcome::UnknownAddress { vouched: false }
            } else {
                ReceiveOutcome::Unreadable
            });
        };
        let token = match incoming.recipient {
            Some(recipient) => self.token(recipient),
            None => head.to.iter().find_map(|address| self.token(address)),
        };
        let unknown = self.unknown_address(&incoming, &head);
        let receipt = match (token, head.automatic) {
            (token, Some(why)) => {
                let bounced = match token {
                    Some(Token::Bounce { notice_id }) => Some(notice_id),
                    Some(Token::Reply { .. }) | None => None,
                };
                self.reported(bounced, incoming.raw).await?.unwrap_or(ReceiveOutcome::Ignored(why))
            }
            (None, _) if self.is_to_everybody(&incoming, &head) => self.hint(&head).await?.unwrap_or(unknown),
            (None, _) => unknown,
            // Only mail servers write to these addresses.
            (Some(Token::Bounce { .. }), None) => ReceiveOutcome::Ignored("no report"),
            (Some(Token::Reply { notice_id, seq }), None) => {
                match replies::answered(&self.inner.database, notice_id).await? {
                    Some(answered) if answered.kind.asks_to_confirm() => {
                        self.confirm((&incoming, &head), answered, notice_id).await?
                    }
                    Some(answered) => self.answer((&incoming, &head), answered, notice_id, seq).await?,
                    None => self.answer_of_stranger((&incoming, &head), notice_id).await?.unwrap_or(unknown),
                }
            }
        };
        Ok(receipt)
    }

    /// Reads the whole mail, which costs much: only once its sender may send another. `None` if it cannot be read.
    pub(super) async fn read_whole(&self, incoming: &Incoming<'_>) -> Option<Mail> {
        self.figures().read();
        let (beginning, sender) = (incoming.beginning().to_vec(), incoming.sender.map(str::to_owned));
        let read = self.read_apart(move || message::read(&beginning, sender.as_deref())).await;
        let mail = read.flatten()?;
        Some(Mail { is_cut: mail.is_cut || incoming.bytes > MAX_READ_BYTES, ..mail })
    }

    /// The mail server's findings are about the address that the mail names, and a refusal goes to that of its envelope.
    fn unknown_address(&self, incoming: &Incoming<'_>, head: &Head) -> ReceiveOutcome {
        let from = head.from.address();
        let same = from.zip(incoming.sender).is_some_and(|(from, sender)| from.eq_ignore_ascii_case(sender));
        let finding = self.inner.policy.finding(&head.authentication, from);
        ReceiveOutcome::UnknownAddress { vouched: same && finding == SenderVerdict::Genuine }
    }

    /// Handles a mail to the common address: queues a hint on how to move. `None`: its sender is no player.
    async fn hint(&self, head: &Head) -> Result<Option<ReceiveOutcome>, ReplyError> {
        let Some(address) = head.from.address() else { return Ok(None) };
        let database = &self.inner.database;
        let Some(player_id) = players::email_holder(database, &email_keys(address)).await? else {
            return Ok(None);
        };
        let now = self.now();
        let (kind, since) = (NoticeKind::HowToMove, now - Duration::DAY);
        if notices::count_since(database, player_id, kind, None, since).await? >= MAX_HINTS_A_DAY {
            return Ok(Some(ReceiveOutcome::Ignored("told before")));
        }
        notices::add(database, &NewNotice::to_player(kind, player_id, now)).await?;
        self.inner.outbox_signal.notify();
        Ok(Some(ReceiveOutcome::Taken))
    }
}
