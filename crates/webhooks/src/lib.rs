//! Webhooks: programs of players that are told of their games' events by HTTP requests of this server.
//!
//! A webhook has a cursor in its player's feed (`store::player_feeds`), and nothing else is stored of the events that it has to be told.
//! So moves write nothing for webhooks, and what is sent comes from committed events, each game's in order. The worker
//! (`worker::webhooks`) claims webhooks, reads the feed after the cursor, sends, and moves the cursor once a receiver has answered.
//! Messages at the table, and events of tournaments, are in no player's feed: whoever writes one stores it for each webhook
//! (`store::webhook_messages`, `store::tournaments::events`).
#![forbid(unsafe_code)]

pub mod push;
mod capturing;
mod chat;
pub mod delivering;
mod error;
pub mod guard;
pub mod message;
mod registering;
pub mod schedule;
pub mod sender;
pub mod signing;
mod tournaments;
mod verifying;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;
use uuid::Uuid;

pub use delivering::Told;
pub use error::WebhookError;
pub use guard::{Reach, Target, TargetRefused};
pub use message::Message;
pub use pippost_store::webhook_managers::Manager;
pub use registering::{
    MAX_WEBHOOKS, PREVIOUS_SECRET_LIFETIME, Rotated, Webhook, WebhookChanges, WebhookRequest,
};
pub use sender::{Attempt, Sender};
pub use signing::SigningSecret;
pub use verifying::{CHALLENGE_LIFETIME, MAX_CHALLENGE_CHARS};

use pippost_accounts::Accounts;
use pippost_clock::Clock;
use pippost_keys::SecretKey;
use pippost_notices::Links;
use pippost_store::Database;
use pippost_store::webhooks::WebhookRow;

/// The most challenges and deliveries by hand that a process sends at once, one of each player.
const MAX_BY_HAND: usize = 64;

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
    by_hand: ByHand,
}

/// The players for whom a challenge or a delivery by hand is being sent.
#[derive(Clone, Default)]
struct ByHand(Arc<Mutex<HashSet<Uuid>>>);

impl ByHand {
    /// No panic inside leaves the set inconsistent, so poisoning is ignored.
    fn players(&self) -> MutexGuard<'_, HashSet<Uuid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to send one challenge or delivery by hand, which a player has once at a time.
pub struct PlaceToSend {
    among: ByHand,
    player_id: Uuid,
}

impl Drop for PlaceToSend {
    fn drop(&mut self) {
        self.among.players().remove(&self.player_id);
    }
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
        let by_hand = ByHand::default();
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

    /// A place to send a challenge or a delivery by hand. A slow receiver of one player takes none from others.
    ///
    /// # Errors
    /// [`WebhookError::SendsAlready`], or [`WebhookError::Busy`]: something is being sent for too many players.
    pub fn place_to_send(&self, player_id: Uuid) -> Result<PlaceToSend, WebhookError> {
        let among = self.0.by_hand.clone();
        let mut players = among.players();
        if players.contains(&player_id) {
            return Err(WebhookError::SendsAlready);
        }
        if players.len() >= MAX_BY_HAND {
            return Err(WebhookError::Busy);
        }
        players.insert(player_id);
        drop(players);
        Ok(PlaceToSend { among, player_id })
    }

    /// The time that receivers compare with their own clocks: in a sandbox not that of its clock, which may be years ahead.
    fn real_now(&self) -> OffsetDateTime {
        match &self.0.clock {
            Clock::Ahead(ahead) => ahead.base().now(),
            clock => clock.now(),
        }
    }

    /// The address as it was written; `None` if it cannot be read.
    fn opened_url(&self, row: &WebhookRow) -> Option<String> {
        self.0.secret.open(row.id, &row.url_sealed).and_then(|url| String::from_utf8(url).ok())
    }

    /// Where a webhook leads. An address from the time when more was allowed is refused now.
    fn target(&self, row: &WebhookRow) -> Result<Target, WebhookError> {
        let url = self.opened_url(row).ok_or(WebhookError::Corrupt(row.id, "address"))?;
        Ok(Target::read(&url, self.0.sender.reach())?)
    }

    /// The secrets that sign now, the newest first. One before a rotation that cannot be read does not sign.
    fn secrets(&self, row: &WebhookRow) -> Result<Vec<SigningSecret>, WebhookError> {
        let opened = |sealed: &Vec<u8>| self.0.secret.open(row.id, sealed).map(SigningSecret::from_bytes);
        let current = opened(&row.secret_sealed).ok_or(WebhookError::Corrupt(row.id, "secret"))?;
        let previous = row.previous_secret_sealed.as_ref();
        let previous = previous.filter(|_| row.previous_until.is_some_and(|until| self.now() < until));
        Ok([Some(current), previous.and_then(opened)].into_iter().flatten().collect())
    }
}
