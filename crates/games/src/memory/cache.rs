//! The cache of live games, bounded by bytes. Correctness does not depend on it: the statement's guard decides about moves,
//! [`super::version_check`] about reads, and a lost entry costs one load. An entry may be dropped at any time; a game's lock is
//! kept apart from it ([`super::locks`]), so its slot has one holder all the same.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quick_cache::Weighter;
use quick_cache::sync::Cache as QuickCache;
use uuid::Uuid;

use crate::memory::live::LiveGame;
use crate::memory::locks::{Lock, Locks};

/// The overhead of an entry, in bytes.
pub const ENTRY_BYTES: u64 = 512;

/// The expected size of a game, in bytes; the cache's capacity is derived from it.
const USUAL_BYTES: u64 = 8 * 1024;

/// A game's slot in the cache. The holder of its lock may act, so moves of one game are sequential.
pub struct Slot {
    game_id: Uuid,
    entry: Entry,
    _lock: Lock,
}

impl Slot {
    /// The game, if it is in memory.
    #[must_use]
    pub fn get(&self) -> Option<Arc<LiveGame>> {
        self.entry.place.live().clone()
    }

    /// Takes the game out; the slot is empty until a game is put in.
    pub fn take(&mut self) -> Option<Arc<LiveGame>> {
        self.entry.place.live().take()
    }
}

/// Where a game lies; empty while a move has it.
#[derive(Default)]
struct CachedGame(Mutex<Option<Arc<LiveGame>>>);

impl CachedGame {
    fn live(&self) -> MutexGuard<'_, Option<Arc<LiveGame>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone)]
struct Entry {
    place: Arc<CachedGame>,
    /// The game's weight when it was last measured.
    bytes: u64,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Uuid, Entry> for Bytes {
    fn weight(&self, _: &Uuid, entry: &Entry) -> u64 {
        ENTRY_BYTES + entry.bytes
    }
}

/// Games by id.
pub struct Cache {
    games: QuickCache<Uuid, Entry, Bytes>,
    locks: Arc<Locks>,
}

impl Cache {
    /// A cache of at most that many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let games = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX).max(1);
        Self { games: QuickCache::with_weighter(games, bytes, Bytes), locks: Arc::default() }
    }

    /// The game, if it is in memory and its slot is not locked; never waits.
    #[must_use]
    pub fn peek(&self, game_id: Uuid) -> Option<Arc<LiveGame>> {
        self.games.get(&game_id)?.place.live().clone()
    }

    /// Waits for the game's slot. It is empty if the game is not in memory.
    pub async fn lock(&self, game_id: Uuid) -> Slot {
        let lock = self.locks.lock(game_id).await;
        let empty = || Entry { place: Arc::default(), bytes: 0 };
        let made = self.games.get_or_insert_with(&game_id, || Ok::<_, std::convert::Infallible>(empty()));
        let entry = made.unwrap_or_else(|never| match never {});
        Slot { game_id, entry, _lock: lock }
    }

    /// Puts a game into its slot, and measures it again if it has grown.
    pub fn put(&self, slot: &mut Slot, live: Arc<LiveGame>) {
        let bytes = live.estimated_bytes();
        *slot.entry.place.live() = Some(live);
        if bytes > slot.entry.bytes {
            // Leaves room to grow, so that not every move measures it again.
            slot.entry.bytes = bytes + bytes / 4;
            self.games.insert(slot.game_id, slot.entry.clone());
        }
    }

    /// Removes a finished game, which will not be moved again, to make room for others.
    pub fn forget(&self, slot: Slot) {
        self.games.remove(&slot.game_id);
        drop(slot);
    }

    /// Whether the game has an entry, which may be empty.
    #[must_use]
    pub fn has_entry(&self, game_id: Uuid) -> bool {
        self.games.contains_key(&game_id)
    }

    /// The weight of the games in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.games.weight()
    }

    /// The number of games in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether no game is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
