//! One mail, from its arrival to its answer in the outbox: once, however often it is delivered.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::deciding::Case;
use super::message::{self, Mail};
use super::orders::Orders;
use super::{MAX_ANSWERS_AN_HOUR, MAX_MAIL_BYTES};
use crate::accounts::Presence;
use crate::clock::Clock;
use crate::games::{GameError, Games};
use crate::language::Language;
use crate::notices::replying::Token;
use crate::notices::{Answer, ReplyAddresses, Verdict};
use crate::store::replies::{self, Answered, ReplyRow, Settlement};
use crate::store::table_messages::NewMessage;
use crate::store::{Bell, Database, StoreError};

/// What became of a mail, for whoever delivers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// It was taken: what it asks for is done or refused, and the answer is on its way.
    Taken,
    /// It had been taken before.
    Repeated,
    /// A machine has sent it, so nothing is done and nobody answers.
    Ignored(&'static str),
    /// No address of it is one that this server has made.
    UnknownAddress,
    /// It is larger than [`MAX_MAIL_BYTES`].
    TooLarge,
    /// It is no mail.
    Unreadable,
}

/// Why a mail could not be dealt with now. It should be delivered again later.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("an answer cannot be written: {0}")]
    Answer(#[from] serde_json::Error),
}

/// A mail on its way in, with its envelope as far as that is known.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Empty for mails that come back.
    pub sender: Option<&'a str>,
    pub recipient: Option<&'a str>,
    pub raw: &'a [u8],
}

/// Takes the mails that players send. Cheap to clone.
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
    /// Rung when notices wait.
    bell: Bell,
    presence: Presence,
}

impl Replies {
    #[must_use]
    pub fn new(
        database: Database,
        clock: Clock,
        games: Games,
        addresses: Option<ReplyAddresses>,
        bell: Bell,
        presence: Presence,
    ) -> Self {
        let inner = Inner { database, clock, games, addresses, bell, presence };
        Self { inner: Arc::new(inner) }
    }

    pub(super) fn now(&self) -> OffsetDateTime {
        self.inner.clock.now()
    }

    pub(super) fn games(&self) -> &Games {
        &self.inner.games
    }

    /// Whose mail acts, is there.
    pub(super) fn presence(&self) -> &Presence {
        &self.inner.presence
    }

    pub(super) fn database(&self) -> &Database {
        &self.inner.database
    }

    /// What an address is for; `None` if it is none that this server has made.
    #[must_use]
    pub fn token(&self, address: &str) -> Option<Token> {
        self.inner.addresses.as_ref()?.read(address)
    }

    /// Takes one mail.
    ///
    /// # Errors
    /// It could not be dealt with now; nothing is lost if it is delivered again.
    pub async fn receive(&self, incoming: Incoming<'_>) -> Result<Receipt, ReplyError> {
        if incoming.raw.len() > MAX_MAIL_BYTES {
            return Ok(Receipt::TooLarge);
        }
        let Some(mail) = message::read(incoming.raw, incoming.sender) else { return Ok(Receipt::Unreadable) };
        let token = match incoming.recipient {
            Some(recipient) => self.token(recipient),
            None => mail.to.iter().find_map(|address| self.token(address)),
        };
        let receipt = match (token, mail.automatic) {
            (Some(Token::Bounce { notice_id }), Some(_)) => self.bounced(notice_id, incoming.raw).await?,
            (_, Some(why)) => Receipt::Ignored(why),
            (None, _) => Receipt::UnknownAddress,
            // Nobody but a mail server writes to these.
            (Some(Token::Bounce { .. }), None) => Receipt::Ignored("no report"),
            (Some(Token::Reply { notice_id, seq }), None) => self.answer(&mail, notice_id, seq).await?,
        };
        tracing::debug!(?receipt, "a mail came in");
        Ok(receipt)
    }

    async fn answer(&self, mail: &Mail, notice_id: Uuid, seq: u64) -> Result<Receipt, ReplyError> {
        let Some(answered) = replies::answered(&self.inner.database, notice_id).await? else {
            return Ok(Receipt::UnknownAddress);
        };
        let orders = Orders::read(&mail.text);
        let language = Language::of_tag(&answered.language).unwrap_or_default();
        let case = Case { mail, answered: &answered, orders: &orders, seq, language };
        let hoped = answer_of(case.hoped(), &orders);
        let new = self.row(&case, notice_id, &hoped)?;
        let row = replies::begin(&self.inner.database, &new).await?;
        if row.settled_at.is_some() {
            return Ok(Receipt::Repeated);
        }
        let since = self.now() - Duration::HOUR;
        let before = replies::count_since(&self.inner.database, row.player_id, since).await?;
        let tells = before <= MAX_ANSWERS_AN_HOUR;
        let verdict = self.decide(&case, &row, tells).await?;
        self.settle(&row, answer_of(verdict, &orders), orders.ok().and_then(|orders| orders.message), tells)
            .await
    }

    fn row(&self, case: &Case<'_>, notice_id: Uuid, hoped: &Answer) -> Result<ReplyRow, ReplyError> {
        let Answered { player_id, game_id, .. } = *case.answered;
        Ok(ReplyRow {
            id: Uuid::now_v7(),
            notice_id,
            mail_key: case.mail.key.to_vec(),
            player_id,
            game_id,
            seq: i64::try_from(case.seq).unwrap_or(i64::MAX),
            asked: case.orders.as_ref().map(Orders::summary).unwrap_or_default(),
            answer: serde_json::to_string(hoped)?,
            received_at: self.now(),
            settled_at: None,
            used: false,
        })
    }

    async fn settle(
        &self,
        row: &ReplyRow,
        answer: Answer,
        message: Option<String>,
        tells: bool,
    ) -> Result<Receipt, ReplyError> {
        let (is_deed, is_refusal) = (answer.verdict.is_deed(), answer.verdict.is_refusal());
        let message = message.filter(|_| tells && !is_refusal).map(|text| NewMessage {
            id: row.id,
            game_id: row.game_id,
            player_id: row.player_id,
            seq: row.seq,
            text,
            created_at: self.now(),
        });
        let settlement = Settlement {
            row,
            answer: &serde_json::to_string(&answer)?,
            used: is_deed,
            // What was done in the game has brought its notice with it.
            notice: tells && !is_deed,
            message,
            now: self.now(),
        };
        let settled = replies::settle(&self.inner.database, &settlement).await?;
        self.inner.bell.ring();
        Ok(if settled { Receipt::Taken } else { Receipt::Repeated })
    }
}

fn answer_of(verdict: Verdict, orders: &Result<Orders, super::orders::Confused>) -> Answer {
    match orders {
        Ok(orders) => Answer {
            history: orders.history,
            help: orders.help || matches!(verdict, Verdict::Empty),
            message: orders.message.is_some(),
            verdict,
        },
        Err(_) => Answer { verdict, history: false, help: true, message: false },
    }
}
