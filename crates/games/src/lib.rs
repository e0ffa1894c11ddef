//! The life of a game. The only caller of rules and record in a running server.
//!
//! [`Games`] is a handle to what all games share. What is done with it lies in folders by use, as functions that take the handle:
//! [`lobby`] before the start, [`playing`], [`viewing`], [`history`], [`feed`] (what happens, told to programs), [`clocks`],
//! [`letters`] (mails and messages), [`standing_orders`], [`reliability`] and [`ratings`] of players, [`statistics`], [`following`], [`clubs`], [`studies`] (lines that players keep), [`week`] (its best games), [`departing`] (of
//! deleted and closed accounts), [`tournaments`], [`ladders`], [`archiving`] (of finished games), [`dumps`] (of a day's games, for everybody), [`transparency`] (the log over all
//! records), [`learning`] (from finished games), [`moderation`] (what players report) and [`audit`];
//! [`memory`] keeps started games for all of them.
#![forbid(unsafe_code)]

mod above;
pub mod archiving;
pub mod audit;
pub mod clocks;
pub mod clubs;
pub mod departing;
pub mod dumps;
pub mod error;
pub mod feed;
pub mod figures;
pub mod following;
pub mod history;
pub mod ladders;
pub mod learning;
pub mod letters;
pub mod lobby;
pub mod memory;
pub mod moderation;
pub mod playing;
pub mod ratings;
pub mod reliability;
pub mod standing_orders;
pub mod statistics;
pub mod studies;
pub mod tournaments;
pub mod transparency;
pub mod viewing;
pub mod week;

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use tokio::sync::Semaphore;
use uuid::Uuid;

use pippost_accounts::{AccountLimits, GameQuotas, Limiter, names};
use pippost_clock::Clock;
use pippost_keys::beacon::Drand;
use pippost_keys::{SecretKey, SigningKeys};
use pippost_store::commit::Committer;
use pippost_store::{BeaconRound, Database, OutboxSignal, StoreError};

pub use above::{ReplyError, SandboxError};
pub use error::GameError;
pub use history::past_positions::At;
pub use lobby::joining::{NewGame, PlayerIdentity};
pub use playing::length::MAX_EVENTS;
pub use playing::move_response::{Acted, MoveResponse, Stopped};
pub use playing::request::{ActRequest, Command, IdempotencyKey, ListMode};
pub use viewing::view::{GameView, SeatClaim};

use feed::Hub;
use history::checkpoints::{Maker, Replayed};
use letters::reads::LetterReads;
use memory::cache::{Cache, Slot};
use memory::version_check::VersionCheck;
use transparency::{LogPromise, WitnessPolicy};
use viewing::film_cache::FilmCache;
use viewing::png_cache::PngCache;

/// The `typ` of a receipt.
pub const RECEIPT_KIND: &str = "pippost-receipt+jws";

/// How many days a game waits for players, unless the settings say otherwise.
pub const DEFAULT_OPEN_DAYS: u16 = 30;

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

fn days(days: u16) -> time::Duration {
    time::Duration::days(days.into())
}

/// The games of this server. Cheap to clone.
#[derive(Clone)]
pub struct Games {
    inner: Arc<Inner>,
    database: Database,
    /// The same with connections that are kept for moves and for questions that are asked together.
    reserved: Database,
    version_check: Arc<VersionCheck>,
    letter_reads: Arc<LetterReads>,
    committer: Arc<Committer<Slot>>,
    /// How long a new game waits for players, and a full one for its start.
    open_for: time::Duration,
    /// How many games each player may abort.
    aborts: Arc<Limiter<Uuid>>,
    quotas: GameQuotas,
}

struct Inner {
    clock: Clock,
    secret: Arc<SecretKey>,
    signing: Arc<SigningKeys>,
    /// The server's public address, without a slash at the end.
    public_url: String,
    cache: Cache,
    /// Notified when notices wait that no move wrote.
    outbox_signal: OutboxSignal,
    /// A handle to each writer.
    committers: Vec<Arc<Committer<Slot>>>,
    /// How many threads have been assigned to a writer.
    served: AtomicUsize,
    /// The public beacon that new games mix in, if one is configured.
    beacon: Option<Arc<Drand>>,
    /// The round at which the last search for games to start stopped; `None` to begin with the first.
    start_after: Mutex<Option<BeaconRound>>,
    /// The newest outage of the server that this process knows.
    newest_outage: AtomicI64,
    /// What receipts promise about the log; unset while there is none.
    log: OnceLock<LogPromise>,
    /// The witnesses of the log that receipts and proofs name; empty if there are none.
    witnesses: OnceLock<WitnessPolicy>,
    /// Permits for further archives.
    archives: Arc<Semaphore>,
    /// Cached pictures of boards.
    png_cache: PngCache,
    films: FilmCache,
    /// Makes missing checkpoints.
    maker: Maker,
    /// Wakes the readers of feeds.
    feeds: Arc<Hub>,
}

/// The connections of a thread, if it has twice as many, that are kept for moves and for questions that are asked together: whoever moves
/// or looks at a game never waits behind those who ask for much.
const RESERVED_CONNECTIONS: usize = 2;

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
        let committers: Vec<_> = (0..tuning.writers.max(1))
            .map(|_| Arc::new(Committer::start(&database, outbox_signal.clone())))
            .collect();
        let committer = Arc::clone(&committers[0]);
        let version_check = Arc::new(VersionCheck::start(database.clone()));
        let letter_reads = Arc::new(LetterReads::start(database.clone()));
        let public_url = public_url.trim_end_matches('/').to_owned();
        let cache = Cache::new(tuning.cache_bytes);
        let archives = Arc::new(Semaphore::new(history::archive::MAX_AT_ONCE));
        let png_cache = PngCache::new();
        let feeds = Hub::start(database.clone(), outbox_signal.clone());
        let aborts = Arc::new(Limiter::new(names::ABORT, AccountLimits::default().aborts, &clock));
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
            start_after: Mutex::new(None),
            newest_outage: AtomicI64::new(0),
            log: OnceLock::new(),
            witnesses: OnceLock::new(),
            archives,
            png_cache,
            films: FilmCache::new(),
            maker: Maker::new(),
            feeds,
        };
        let open_for = days(DEFAULT_OPEN_DAYS);
        Self {
            inner: Arc::new(inner),
            reserved: database.clone(),
            database,
            version_check,
            letter_reads,
            committer,
            open_for,
            aborts,
            quotas: GameQuotas::default(),
        }
    }

    /// The same games, where new ones wait for so many days.
    #[must_use]
    pub fn with_open_days(self, open_days: u16) -> Self {
        Self { open_for: days(open_days), ..self }
    }

    /// The same games, of which each player may have and abort so many.
    #[must_use]
    pub fn with_limits(self, limits: &AccountLimits) -> Self {
        let aborts = Limiter::new(names::ABORT, limits.aborts, &self.inner.clock).into();
        Self { aborts, quotas: limits.quotas, ..self }
    }

    /// The same games for a thread with a runtime of its own: with its own connections and version check. Threads are assigned to
    /// writers in turn.
    ///
    /// # Errors
    /// The connections cannot be made.
    pub fn with_own_connections(&self, connections: usize) -> Result<Self, StoreError> {
        // On a cluster such a question may wait for a silent node, and must not keep what the games of others need.
        let keeps = !self.database.topology().is_citus() && connections >= 2 * RESERVED_CONNECTIONS;
        let kept = if keeps { RESERVED_CONNECTIONS } else { 0 };
        let database = self.database.with_own_connections(connections - kept)?;
        let reserved = if kept > 0 { self.database.with_own_connections(kept)? } else { database.clone() };
        let version_check = Arc::new(VersionCheck::start(reserved.clone()));
        let letter_reads = Arc::new(LetterReads::start(reserved.clone()));
        let served = self.inner.served.fetch_add(1, Ordering::Relaxed);
        let committers = &self.inner.committers;
        let committer = Arc::clone(&committers[served % committers.len()]);
        Ok(Self {
            inner: Arc::clone(&self.inner),
            database,
            reserved,
            version_check,
            letter_reads,
            committer,
            open_for: self.open_for,
            aborts: Arc::clone(&self.aborts),
            quotas: self.quotas,
        })
    }

    /// The time by which this server goes.
    #[must_use]
    pub fn now(&self) -> time::OffsetDateTime {
        self.inner.clock.now()
    }

    /// Boards as PNG.
    #[must_use]
    pub fn png_cache(&self) -> &PngCache {
        &self.inner.png_cache
    }

    /// Animated pictures of games.
    #[must_use]
    pub fn films(&self) -> &FilmCache {
        &self.inner.films
    }

    /// The readers of feeds.
    #[must_use]
    pub fn feeds(&self) -> &Arc<Hub> {
        &self.inner.feeds
    }

    /// How many events this process has replayed.
    #[must_use]
    pub fn replayed(&self) -> &Replayed {
        self.inner.maker.replayed()
    }

    /// The public host of the server, with its port; empty if there is none.
    #[must_use]
    pub fn public_host(&self) -> &str {
        let after_scheme = self.inner.public_url.split_once("://").map_or("", |(_, rest)| rest);
        after_scheme.split('/').next().unwrap_or_default()
    }

    /// The public address of a path of this server.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.inner.public_url)
    }

    /// The address of a game's page, for people.
    #[must_use]
    pub fn page_url(&self, game_id: uuid::Uuid) -> String {
        format!("{}/games/{game_id}", self.inner.public_url)
    }

    /// The address of the picture of its board.
    pub(crate) fn board_url(&self, game_id: uuid::Uuid) -> String {
        format!("{}/api/v1/games/{game_id}/board.svg", self.inner.public_url)
    }

    /// The address of the page of a problem.
    pub(crate) fn problem_url(&self, problem_id: uuid::Uuid) -> String {
        format!("{}/problems/{problem_id}", self.inner.public_url)
    }

    /// The address of the page of a ladder.
    pub(crate) fn ladder_url(&self, rules: &str) -> String {
        self.address(&format!("/ladders/{rules}"))
    }

    /// The address of the page that creates a game of these rules.
    #[must_use]
    pub(crate) fn new_game_url(&self, rules: &str) -> String {
        format!("{}/games/new?rules={rules}", self.inner.public_url)
    }
}
