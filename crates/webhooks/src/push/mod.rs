//! Web push: browsers and programs of players are told of notices through the push services of their makers (RFC 8030, 8291, 8292).
//!
//! The first claim of a notice writes a message for each subscription of its player (`store::notices::claim`), so moves write nothing for
//! web push. The worker (`worker::pushes`) claims messages, decides once more whether they are to be told, and sends them with the client
//! that webhooks have: an address at a push service is chosen by whoever subscribes.

mod message;
mod subscribing;
mod sending;

use std::sync::Arc;

use time::OffsetDateTime;

pub use message::{MAX_BODY_CHARS, MAX_TITLE_CHARS};
pub use sending::{RATE_AT_ONCE, RATE_PERIOD};
pub use subscribing::{MAX_LABEL_CHARS, PushError, SubscriptionRequest};

use crate::Sender;
use pippost_clock::Clock;
use pippost_keys::SecretKey;
use pippost_notices::{Links, MailContents};
use pippost_store::Database;

pub use pippost_store::push_subscriptions::MAX_SUBSCRIPTIONS;

/// Operations with web push. Cheap to clone.
#[derive(Clone)]
pub struct Pushes(Arc<Inner>);

/// What web push is assembled from.
#[derive(Clone)]
pub struct PushParts {
    pub database: Database,
    pub clock: Clock,
    pub secret: Arc<SecretKey>,
    pub contents: Arc<dyn MailContents>,
    pub links: Links,
    pub sender: Sender,
    /// Where operators of push services reach those of this server: `mailto:` or `https:`.
    pub contact: String,
    /// Whether anything is sent, and anybody may subscribe.
    pub is_on: bool,
}

struct Inner(PushParts);

impl Pushes {
    /// Web push of the server with these parts.
    #[must_use]
    pub fn new(parts: PushParts) -> Self {
        Self(Arc::new(Inner(parts)))
    }

    /// The same with other parts.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(PushParts) -> PushParts) -> Self {
        Self::new(change(self.parts().clone()))
    }

    fn parts(&self) -> &PushParts {
        &self.0.0
    }

    /// Whether anything is sent, and anybody may subscribe.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.parts().is_on
    }

    /// Where push services, and others, reach those who run the server.
    #[must_use]
    pub fn contact(&self) -> &str {
        &self.parts().contact
    }

    /// The public key that browsers need to subscribe; `None` if nothing is sent.
    #[must_use]
    pub fn public_key(&self) -> Option<&str> {
        self.is_on().then(|| self.parts().secret.vapid().public())
    }

    /// The database, for the worker.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.parts().database
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        self.parts().clock.now()
    }

    /// The time that push services compare with their own clocks: in a sandbox not that of its clock, which may be years ahead.
    fn real_now(&self) -> OffsetDateTime {
        match &self.parts().clock {
            Clock::Ahead(ahead) => ahead.base().now(),
            clock => clock.now(),
        }
    }
}
