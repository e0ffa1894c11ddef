//! The life of a game: create, join, start, act, resign, time out, view, replay. The only caller of rules and record in a running
//! server.

pub mod move_response;
pub mod act;
pub mod answering;
pub mod archive;
pub mod audit;
pub mod board;
pub mod cache;
pub mod checkpoints;
mod deciding;
pub mod error;
pub mod png_cache;
pub mod inviting;
pub mod length;
pub mod mail_content;
pub mod listing;
pub mod live;
pub mod lobby;
pub mod messages;
pub mod past_positions;
pub mod notation;
pub mod outcome;
pub mod history;
pub mod preview;
pub mod progress;
pub mod receipts;
pub mod replay;
pub mod request;
pub mod set_aside;
pub mod starting;
pub mod timing;
pub mod verdict;
pub mod view;
pub mod view_text;
pub mod version_check;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use crate::beacon::Drand;
use crate::clock::Clock;
use crate::commit::Committer;
use crate::keys::{SecretKey, SigningKeys};
use crate::store::{Database, OutboxSignal, StoreError};

pub use error::GameError;
pub use length::MAX_EVENTS;
pub use lobby::{NewGame, PlayerIdentity};
pub use move_response::{Acted, Stopped};
pub use past_positions::At;
pub use request::{ActRequest, Command, IdempotencyKey, ListMode};
pub use view::{GameView, SeatClaim};

/// The `typ` of a receipt.
pub const RECEIPT_KIND: &str = "pippost-receipt+jws";

/// The most actions that one request may hold.
pub const MAX_ACTIONS: usize = 32;

/// Resources that a server spends on speed.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Memory for cached games, in bytes.
    pub cache_bytes: u64,
    /// Writer threads, each with connections of its own; at least one.
    pub writers: u16,
}

/// The games of this server. Cheap to clone.
#[derive(Clone)]
pub struct Games {
    inner: Arc<Inner>,
    database: Database,
    version_check: Arc<version_check::VersionCheck>,
    committer: Committer<cache::Slot>,
}

struct Inner {
    clock: Clock,
    secret: Arc<SecretKey>,
    signing: Arc<SigningKeys>,
    /// The server's public address, without a slash at the end.
    public_url: String,
    cache: cache::Cache,
    /// Notified when notices wait that no move wrote.
    outbox_signal: OutboxSignal,
    /// A handle to each writer.
    committers: Vec<Committer<cache::Slot>>,
    /// How many threads have been assigned to a writer.
    served: AtomicUsize,
    /// The public beacon that new games mix in, if one is configured.
    beacon: Option<Arc<Drand>>,
    /// The round at which the last search for games to start stopped.
    start_after: AtomicI64,
    /// Permits for further archives.
    archives: Arc<Semaphore>,
    /// Cached pictures of boards.
    png_cache: png_cache::PngCache,
    /// Makes missing checkpoints.
    maker: checkpoints::Maker,
}

impl Games {
    /// Starts the writers; needs a runtime.
    #[must_use]
    #[allow(clippy::too_many_arguments, reason = "the parts of a server, named where they are put together")]
    pub fn new(
        database: Database,
        clock: Clock,
        secret: Arc<SecretKey>,
        signing: Arc<SigningKeys>,
        public_url: &str,
        outbox_signal: OutboxSignal,
        beacon: Option<Arc<Drand>>,
        tuning: &Tuning,
    ) -> Self {
        let committers: Vec<_> =
            (0..tuning.writers.max(1)).map(|_| Committer::start(&database, outbox_signal.clone())).collect();
        let committer = committers[0].clone();
        let version_check = Arc::new(version_check::VersionCheck::start(database.clone()));
        let public_url = public_url.trim_end_matches('/').to_owned();
        let cache = cache::Cache::new(tuning.cache_bytes);
        let archives = Arc::new(Semaphore::new(archive::MAX_AT_ONCE));
        let png_cache = png_cache::PngCache::new();
        let inner = Inner {
            clock,
            secret,
            signing,
            public_url,
            cache,
            outbox_signal,
            committers,
            served: AtomicUsize::new(0),
            beacon,
            start_after: AtomicI64::new(starting::FROM_THE_FIRST),
            archives,
            png_cache,
            maker: checkpoints::Maker::new(),
        };
        Self { inner: Arc::new(inner), database, version_check, committer }
    }

    /// The same games for a thread with a runtime of its own: with its own connections and version check. Threads are assigned to
    /// writers in turn.
    ///
    /// # Errors
    /// The connections cannot be made.
    pub fn apart(&self, connections: usize) -> Result<Self, StoreError> {
        let database = self.database.apart(connections)?;
        let version_check = Arc::new(version_check::VersionCheck::start(database.clone()));
        let served = self.inner.served.fetch_add(1, Ordering::Relaxed);
        let committers = &self.inner.committers;
        let committer = committers[served % committers.len()].for_this_thread();
        Ok(Self { inner: Arc::clone(&self.inner), database, version_check, committer })
    }

    /// The public host of the server, with its port; empty if there is none.
    #[must_use]
    pub fn public_host(&self) -> &str {
        let after_scheme = self.inner.public_url.split_once("://").map_or("", |(_, rest)| rest);
        after_scheme.split('/').next().unwrap_or_default()
    }

    /// The address of a game's page, for people.
    #[must_use]
    pub fn page_url(&self, game_id: uuid::Uuid) -> String {
        format!("{}/games/{game_id}", self.inner.public_url)
    }
}
