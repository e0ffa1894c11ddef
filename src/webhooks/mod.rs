//! Webhooks: programs of players that are told of their games' events by HTTP requests of this server.
//!
//! A webhook has a cursor in its player's feed (`store::player_feeds`), and nothing else is stored of what it has to be told. So moves
//! write nothing for webhooks, and what is sent comes from committed events, each game's in order. The worker (`worker::webhooks`)
//! claims webhooks, reads the feed after the cursor, sends, and moves the cursor once a receiver has answered.

mod chat;
pub mod delivering;
mod error;
pub mod guard;
pub mod message;
mod registering;
pub mod schedule;
pub mod sender;
pub mod signing;
mod verifying;

use std::sync::Arc;

use time::OffsetDateTime;
use tokio::sync::Semaphore;

pub use error::WebhookError;
pub use guard::{Reach, Target, TargetRefused};
pub use registering::{
    MAX_WEBHOOKS, PREVIOUS_SECRET_LIFETIME, Rotated, Webhook, WebhookChanges, WebhookRequest,
};
pub use sender::{Attempt, Sender};
pub use signing::SigningSecret;
pub use verifying::{CHALLENGE_LIFETIME, MAX_CHALLENGE_CHARS};

use crate::accounts::Accounts;
use crate::clock::Clock;
use crate::keys::SecretKey;
use crate::notices::Links;
use crate::store::Database;
use crate::store::webhooks::WebhookRow;

/// The most challenges and deliveries by hand that a process sends at once.
const MAX_BY_HAND: usize = 8;

/// Operations with webhooks. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    database: Database,
    clock: Clock,
    secret: Arc<SecretKey>,
    accounts: Accounts,
    links: Links,
    sender: Sender,
    by_hand: Arc<Semaphore>,
}

impl Webhooks {
    /// The webhooks in `database`.
    #[must_use]
    pub fn new(
        database: Database,
        clock: Clock,
        secret: Arc<SecretKey>,
        accounts: Accounts,
        links: Links,
        sender: Sender,
    ) -> Self {
        let by_hand = Arc::new(Semaphore::new(MAX_BY_HAND));
        Self(Arc::new(Inner { database, clock, secret, accounts, links, sender, by_hand }))
    }

    /// The same webhooks with another sender.
    #[must_use]
    pub fn with_sender(&self, sender: Sender) -> Self {
        let inner = Inner { sender, ..Inner::clone(&self.0) };
        Self(Arc::new(inner))
    }

    /// The database, for the worker.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.0.database
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        self.0.clock.now()
    }

    /// Where a webhook leads. An address from the time when more was allowed is refused now.
    fn target(&self, row: &WebhookRow) -> Result<Target, WebhookError> {
        let corrupt = WebhookError::Corrupt(row.id, "address");
        let opened = self.0.secret.open(row.id, &row.url_sealed).and_then(|url| String::from_utf8(url).ok());
        let url = opened.ok_or(corrupt)?;
        Ok(Target::read(&url, self.0.sender.reach())?)
    }

    /// The secrets that sign now, the newest first.
    fn secrets(&self, row: &WebhookRow) -> Result<Vec<SigningSecret>, WebhookError> {
        let previous = row.previous_secret_sealed.as_ref();
        let previous = previous.filter(|_| row.previous_until.is_some_and(|until| self.now() < until));
        let opened = [Some(&row.secret_sealed), previous].into_iter().flatten().map(|sealed| {
            let opened = self.0.secret.open(row.id, sealed);
            opened.map(SigningSecret::from_bytes).ok_or(WebhookError::Corrupt(row.id, "secret"))
        });
        opened.collect()
    }
}
