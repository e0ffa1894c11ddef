//! Processes one mail from its arrival to its answer in the outbox: once, however often it is delivered.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::authentication::{AuthenticationPolicy, ForgedSenders, SenderVerdict};
use super::deciding::Case;
use super::message::{self, Mail};
use super::orders::{Orders, Writer};
use super::our_mail::OurMail;
use super::reading::Reading;
use super::table_message::Written;
use super::{
    MAX_ANSWERS_AN_HOUR, MAX_FOREIGN_MAILS_A_DAY, MAX_HINTS_A_DAY, MAX_MAIL_BYTES, MAX_MAILS_A_DAY,
    MAX_READ_BYTES, MAX_VAIN_ALIKE, ReplyError,
};
use crate::figures::MailFigures;
use pippost_accounts::{Accounts, Presence, ascii_key, email_keys};
use pippost_clock::Clock;
use pippost_games::letters::messages::{MAX_MESSAGES_AN_HOUR, MessageRefused};
use pippost_games::letters::notation::{LineReading, ReadLines};
use pippost_games::{Games, letters};
use pippost_keys::secret::sha256;
use pippost_language::Language;
use pippost_notices::replying::Token;
use pippost_notices::{Answer, ReplyAddresses, TableFate, Verdict};
use pippost_store::notices::{self, NewNotice, NoticeKind};
use pippost_store::replies::{self, Answered, ReplyRow, Settlement, Telling};
use pippost_store::table_messages::{self, NewMessage};
use pippost_store::{Database, OutboxSignal, Seq, players};

/// The age at which an unfinished mail is answered, with an unknown outcome. Until then a new delivery can finish it.
const UNSETTLED_TIMEOUT: Duration = Duration::hours(6);

/// The most unfinished mails answered by one call.
const MAX_UNSETTLED: i64 = 100;

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
    /// Adds the next piece of a mail to what is kept of it.
    pub fn keep(kept: &mut Vec<u8>, piece: &[u8]) {
        let room = MAX_READ_BYTES.saturating_sub(kept.len());
        kept.extend_from_slice(&piece[..piece.len().min(room)]);
    }
}

/// What follows from a mail besides its answer.
struct Outcome {
    /// What is told to the table.
    message: Option<String>,
    telling: Telling,
    /// The mail did nothing and asked for nothing.
    is_vain: bool,
}

impl Outcome {
    /// Nothing is told to anybody.
    fn silent() -> Self {
        Self { message: None, telling: Telling::Never, is_vain: false }
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

    fn is_to_everybody(&self, incoming: &Incoming<'_>, mail: &Mail) -> bool {
        match incoming.recipient {
            Some(recipient) => self.is_common(recipient),
            None => mail.to.iter().any(|address| self.is_common(address)),
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
        let beginning = &incoming.raw[..incoming.raw.len().min(MAX_READ_BYTES)];
        let (raw, sender) = (beginning.to_vec(), incoming.sender.map(str::to_owned));
        let read = self.inner.reading.run(move || message::read(&raw, sender.as_deref())).await;
        let is_strange = incoming.recipient.is_some_and(|recipient| self.token(recipient).is_none());
        let Some(mut mail) = read.flatten() else {
            return Ok(if is_strange {
                ReceiveOutcome::UnknownAddress { vouched: false }
            } else {
                ReceiveOutcome::Unreadable
            });
        };
        mail.is_cut |= incoming.bytes > MAX_READ_BYTES;
        let token = match incoming.recipient {
            Some(recipient) => self.token(recipient),
            None => mail.to.iter().find_map(|address| self.token(address)),
        };
        let unknown = self.unknown_address(&incoming, &mail);
        let receipt = match (token, mail.automatic) {
            (token, Some(why)) => {
                let bounced = match token {
                    Some(Token::Bounce { notice_id }) => Some(notice_id),
                    Some(Token::Reply { .. }) | None => None,
                };
                self.reported(bounced, incoming.raw).await?.unwrap_or(ReceiveOutcome::Ignored(why))
            }
            (None, _) if self.is_to_everybody(&incoming, &mail) => self.hint(&mail).await?.unwrap_or(unknown),
            (None, _) => unknown,
            // Only mail servers write to these addresses.
            (Some(Token::Bounce { .. }), None) => ReceiveOutcome::Ignored("no report"),
            (Some(Token::Reply { notice_id, seq }), None) => {
                match replies::answered(&self.inner.database, notice_id).await? {
                    Some(answered) => self.answer(mail, answered, notice_id, seq).await?,
                    None => unknown,
                }
            }
        };
        Ok(receipt)
    }

    /// The mail server's findings are about the address that the mail names, and a refusal goes to that of its envelope.
    fn unknown_address(&self, incoming: &Incoming<'_>, mail: &Mail) -> ReceiveOutcome {
        let from = mail.from.address();
        let same = from.zip(incoming.sender).is_some_and(|(from, sender)| from.eq_ignore_ascii_case(sender));
        let finding = self.inner.policy.finding(&mail.authentication, from);
        ReceiveOutcome::UnknownAddress { vouched: same && finding == SenderVerdict::Genuine }
    }

    /// Handles a mail to the common address: queues a hint on how to move. `None`: its sender is no player.
    async fn hint(&self, mail: &Mail) -> Result<Option<ReceiveOutcome>, ReplyError> {
        let Some(address) = mail.from.address() else { return Ok(None) };
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

    async fn answer(
        &self,
        mail: Mail,
        answered: Answered,
        notice_id: Uuid,
        seq: Seq,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let database = &self.inner.database;
        // The mails of a player are processed one after the other.
        let _turn = self.inner.reading.lock(answered.player_id).await;
        let finding = self.inner.policy.finding(&mail.authentication, mail.from.address());
        let is_own =
            mail.from.address().is_some_and(|from| ascii_key(from) == ascii_key(&answered.email_key));
        // A token that somebody has found does not use up what the player may send.
        let foreign = !is_own || finding == SenderVerdict::Forged;
        let since = self.now() - Duration::DAY;
        let today = replies::count_of_sender(database, answered.player_id, foreign, since).await?;
        let most = if foreign { MAX_FOREIGN_MAILS_A_DAY } else { MAX_MAILS_A_DAY };
        if today > most || foreign && today == most {
            return Ok(ReceiveOutcome::Ignored("too many in a day"));
        }
        let too_many = today == most;
        let mail = Arc::new(mail);
        let orders = if too_many { Some(Orders::default()) } else { self.orders(&mail, &answered).await? };
        let Some(orders) = orders else { return Ok(ReceiveOutcome::Unreadable) };
        let case = Case {
            mail: &mail,
            foreign,
            answered: &answered,
            orders: &orders,
            seq,
            language: Language::of_tag(&answered.language).unwrap_or_default(),
            refused_as_forged: finding == SenderVerdict::Forged
                && self.inner.policy.forged == ForgedSenders::Refuse,
            too_many,
        };
        let row = replies::begin(database, &self.row(&case, notice_id)?).await?;
        if row.settled_at.is_some() {
            return Ok(ReceiveOutcome::Repeated);
        }
        let verdict = self.decide(&case, &row).await?;
        self.figures().decided(&verdict);
        // A program in a loop answers each mail once: it uses no token twice.
        let is_vain = !verdict.acted() && !orders.asks() && verdict != Verdict::Used;
        let of = (row.player_id, row.game_id);
        let is_silent = is_vain
            && (mail.suspect.is_some() && !matches!(verdict, Verdict::Asked { .. })
                || replies::count_vain_alike(database, of, &row.text_key, since).await? >= MAX_VAIN_ALIKE);
        let doubted = finding == SenderVerdict::Forged;
        let (answer, message) = self.answer_to(&case, &row, verdict, doubted).await?;
        if is_silent {
            // Without an answer a loop ends. People may send the same message often, and nothing else in the mail.
            let message = message.filter(|_| orders.left_out.is_empty());
            self.settle(&row, &answer, Outcome { message, is_vain, ..Outcome::silent() }).await?;
            return Ok(ReceiveOutcome::Ignored(mail.suspect.unwrap_or("the same words again")));
        }
        let telling = if case.too_many { Telling::By(self.now()) } else { self.telling(&row).await? };
        self.settle(&row, &answer, Outcome { message, telling, is_vain }).await
    }

    /// What the mail orders; `None` if it cannot be read.
    async fn orders(&self, mail: &Arc<Mail>, answered: &Answered) -> Result<Option<Orders>, ReplyError> {
        let reader = letters::line_reader(&self.inner.games, answered.game_id, answered.player_id).await?;
        let (replies, mail, handle) = (self.clone(), mail.clone(), answered.handle.clone());
        let read = move || {
            let no_game = |_: &str| LineReading::Other;
            let reader: &dyn ReadLines = reader.as_ref().map_or(&no_game, |reader| reader);
            let writer = Writer {
                ours: &replies.inner.ours,
                name: mail.writer_name(),
                address: mail.from.address(),
                handle: &handle,
            };
            let mut orders = Orders::read(&mail.text, writer, reader);
            if let Some(subject) = mail.subject.as_deref() {
                orders.read_subject(subject, reader);
            }
            orders
        };
        Ok(self.inner.reading.run(read).await)
    }

    /// Changes preferences, checks the table message, and builds the answer.
    async fn answer_to(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        verdict: Verdict,
        doubted: bool,
    ) -> Result<(Answer, Option<String>), ReplyError> {
        let orders = case.orders;
        if verdict.is_of_a_stranger() {
            return Ok((Answer { doubted, ..Answer::new(verdict) }, None));
        }
        let is_expired = verdict == Verdict::Expired;
        let preferences = if is_expired { &[][..] } else { &orders.preferences };
        for change in preferences {
            self.inner.accounts.change_preferences(row.player_id, change.clone()).await?;
        }
        let (table, message) = self.table_message(&orders.message, row, verdict.is_refusal()).await?;
        let (standing, order_lines) = self.standing(case, row, &verdict).await?;
        let told = message.clone().filter(|_| table == TableFate::Part);
        let unclear = matches!(verdict, Verdict::Empty | Verdict::NoOrder | Verdict::Unreadable { .. });
        let answer = Answer {
            history: orders.history,
            help: orders.help || unclear,
            table,
            told: told.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")),
            left_out: orders.left_out.clone(),
            preferences: !preferences.is_empty(),
            unsubscribed: orders.unsubscribes && !is_expired,
            orders: standing,
            order_lines,
            doubted,
            verdict,
        };
        Ok((answer, message))
    }

    /// Checks the message to the table; returns the text to send, if any.
    async fn table_message(
        &self,
        written: &Written,
        row: &ReplyRow,
        refused: bool,
    ) -> Result<(TableFate, Option<String>), ReplyError> {
        let (text, cut) = match written {
            Written::Nothing => return Ok((TableFate::None, None)),
            Written::Empty => return Ok((TableFate::Empty, None)),
            Written::Signature => return Ok((TableFate::Signature, None)),
            Written::Message { .. } if refused => return Ok((TableFate::NotTold, None)),
            Written::Message { text, cut } => (text, *cut),
        };
        let text = match letters::clean_message(&self.inner.games, text) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok((TableFate::Empty, None)),
            Err(MessageRefused::TooLong) => return Ok((TableFate::TooLong, None)),
            Err(MessageRefused::Address) => return Ok((TableFate::Address, None)),
        };
        let since = self.now() - Duration::HOUR;
        let said = table_messages::since(&self.inner.database, row.game_id, row.player_id, since).await?.0;
        Ok(if said < MAX_MESSAGES_AN_HOUR {
            (if cut { TableFate::Part } else { TableFate::Told }, Some(text))
        } else {
            (TableFate::TooMany, None)
        })
    }

    /// When the answer is sent: at once or, after too many answers within the hour, later and together with others.
    async fn telling(&self, row: &ReplyRow) -> Result<Telling, ReplyError> {
        let (database, now) = (&self.inner.database, self.now());
        let before = replies::count_since(database, row.player_id, now - Duration::HOUR).await?;
        if before <= MAX_ANSWERS_AN_HOUR {
            return Ok(Telling::By(now));
        }
        let oldest = replies::oldest_of(database, row.player_id, MAX_ANSWERS_AN_HOUR).await?;
        let not_before = oldest.map_or(now, |oldest| oldest + Duration::HOUR);
        let waiting = replies::waiting_answer(database, row.player_id, row.game_id).await?;
        Ok(waiting.map_or(Telling::By(not_before), |id| Telling::With { id, otherwise: not_before }))
    }

    fn row(&self, case: &Case<'_>, notice_id: Uuid) -> Result<ReplyRow, ReplyError> {
        let Answered { player_id, game_id, .. } = *case.answered;
        Ok(ReplyRow {
            id: Uuid::now_v7(),
            notice_id,
            mail_key: case.mail.key.to_vec(),
            player_id,
            game_id,
            seq: case.seq,
            asked: case.orders.actions.join("; "),
            answer: serde_json::to_string(&Answer::new(Verdict::Unknown))?,
            received_at: self.now(),
            settled_at: None,
            used: false,
            text_key: sha256(case.orders.words.as_bytes()).to_vec(),
            refused: false,
            deferred: false,
            told_with: None,
            foreign_sender: case.foreign,
        })
    }

    async fn settle(
        &self,
        row: &ReplyRow,
        answer: &Answer,
        outcome: Outcome,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let Outcome { message, telling, is_vain } = outcome;
        let message = message.map(|text| NewMessage {
            id: row.id,
            game_id: row.game_id,
            player_id: row.player_id,
            seq: row.seq,
            text,
            created_at: self.now(),
        });
        let settlement = Settlement {
            row,
            answer: &serde_json::to_string(answer)?,
            used: answer.verdict.acted(),
            refused: is_vain,
            telling,
            message,
            now: self.now(),
        };
        let settled = replies::settle(&self.inner.database, &settlement).await?;
        self.inner.outbox_signal.notify();
        Ok(if settled { ReceiveOutcome::Taken } else { ReceiveOutcome::Repeated })
    }

    /// Answers mails whose processing was interrupted and that were not delivered again. Returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn settle_left_over(&self) -> Result<usize, ReplyError> {
        let now = self.now();
        let answer = serde_json::to_string(&Answer::new(Verdict::Unknown))?;
        let before = now - UNSETTLED_TIMEOUT;
        let settled =
            replies::settle_left_over(&self.inner.database, before, &answer, now, MAX_UNSETTLED).await?;
        if settled > 0 {
            self.inner.outbox_signal.notify();
        }
        Ok(settled)
    }
}
