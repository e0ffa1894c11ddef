//! The life of a game: create, join, start, act, resign, time out, view, replay. The only caller of rules and record.

pub mod accepted;
pub mod act;
pub mod answering;
pub mod appender;
pub mod archive;
pub mod audit;
pub mod board;
pub mod cache;
pub mod error;
pub mod freshness;
pub mod gallery;
pub mod inviting;
pub mod letter;
pub mod listing;
pub mod live;
pub mod lobby;
pub mod messages;
pub mod moments;
pub mod outcome;
pub mod past;
pub mod receipts;
pub mod replay;
pub mod request;
pub mod starting;
pub mod timing;
pub mod verdict;
pub mod view;
pub mod view_text;

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::beacon::Drand;
use crate::clock::Clock;
use crate::keys::{SecretKey, SigningKeys};
use crate::store::{Bell, Database, StoreError};

pub use accepted::Moved;
pub use error::GameError;
pub use lobby::{NewGame, PlayerIdentity};
pub use moments::At;
pub use request::{ActRequest, Deed, IdempotencyKey};
pub use view::{GameView, SeatClaim};

/// The `typ` of a receipt.
pub const RECEIPT_KIND: &str = "pippost-receipt+jws";

/// The most actions that one request may hold.
pub const MAX_ACTIONS: usize = 32;

/// What a server spends on speed.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Memory for games that are kept ready, in bytes.
    pub cache_bytes: u64,
    /// Statements with moves that each thread may have under way at once.
    pub writers: u16,
}

/// The games of this server. Cheap to clone.
#[derive(Clone)]
pub struct Games {
    inner: Arc<Inner>,
    database: Database,
    freshness: Arc<freshness::Freshness>,
    appender: Arc<appender::Appender>,
}

struct Inner {
    clock: Clock,
    secret: Arc<SecretKey>,
    signing: Arc<SigningKeys>,
    /// How players reach the server, without a slash at the end.
    public_url: String,
    cache: cache::Cache,
    /// Rung when notices wait that no move wrote.
    bell: Bell,
    /// Of each thread.
    writers: u16,
    /// The public beacon that new games mix in, if one is configured.
    beacon: Option<Arc<Drand>>,
    /// How many more archives may be made.
    archives: Arc<Semaphore>,
    /// Boards that were drawn.
    gallery: gallery::Gallery,
}

impl Games {
    /// Starts the task that appends; needs a runtime.
    #[must_use]
    #[allow(clippy::too_many_arguments, reason = "the parts of a server, named where they are put together")]
    pub fn new(
        database: Database,
        clock: Clock,
        secret: Arc<SecretKey>,
        signing: Arc<SigningKeys>,
        public_url: &str,
        bell: Bell,
        beacon: Option<Arc<Drand>>,
        tuning: &Tuning,
    ) -> Self {
        let appender = Arc::new(appender::Appender::start(&database, tuning.writers, bell.clone()));
        let freshness = Arc::new(freshness::Freshness::start(database.clone()));
        let public_url = public_url.trim_end_matches('/').to_owned();
        let cache = cache::Cache::new(tuning.cache_bytes);
        let archives = Arc::new(Semaphore::new(archive::MAX_AT_ONCE));
        let gallery = gallery::Gallery::new();
        let writers = tuning.writers;
        let inner =
            Inner { clock, secret, signing, public_url, cache, bell, writers, beacon, archives, gallery };
        Self { inner: Arc::new(inner), database, freshness, appender }
    }

    /// The same games for a thread with a runtime of its own, by connections, an asker and writers of its own: no thread wakes
    /// another. The writers leave at least one connection to those who read.
    ///
    /// # Errors
    /// There can be no such connections.
    pub fn apart(&self, connections: usize) -> Result<Self, StoreError> {
        let database = self.database.apart(connections)?;
        let freshness = Arc::new(freshness::Freshness::start(database.clone()));
        let spare = u16::try_from(connections.saturating_sub(1)).unwrap_or(u16::MAX);
        let writers = self.inner.writers.min(spare);
        let appender = Arc::new(appender::Appender::start(&database, writers, self.inner.bell.clone()));
        Ok(Self { inner: Arc::clone(&self.inner), database, freshness, appender })
    }

    /// The address of a game's page, for people.
    #[must_use]
    pub fn page_url(&self, game_id: uuid::Uuid) -> String {
        format!("{}/games/{game_id}", self.inner.public_url)
    }
}
