//! Live games in memory, bounded by bytes. Only a shortcut: the statement's guard decides about moves, [`super::version_check`] about
//! what is shown, and a lost entry costs one load. An entry may be dropped and made again while somebody still holds the old slot;
//! then there are two copies of one game for a while, which harms nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quick_cache::Weighter;
use quick_cache::sync::Cache as QuickCache;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use uuid::Uuid;

use super::live::LiveGame;

/// What an entry takes besides its game, in bytes.
const ENTRY_BYTES: u64 = 512;

/// The size of a game that the cache is laid out for, in bytes; others are as welcome.
const USUAL_BYTES: u64 = 8 * 1024;

/// A game's place in the cache. Whoever holds the lock may act; moves of one game follow each other.
pub struct Slot {
    game_id: Uuid,
    entry: Entry,
    _turn: OwnedMutexGuard<()>,
}

impl Slot {
    /// The game, if it is in memory.
    #[must_use]
    pub fn get(&self) -> Option<Arc<LiveGame>> {
        self.entry.place.live().clone()
    }

    /// Takes the game out; the slot is empty until one is put in.
    pub fn take(&mut self) -> Option<Arc<LiveGame>> {
        self.entry.place.live().take()
    }
}

/// What a slot locks.
#[derive(Default)]
struct Place {
    turn: Arc<AsyncMutex<()>>,
    live: Mutex<Option<Arc<LiveGame>>>,
}

impl Place {
    fn live(&self) -> MutexGuard<'_, Option<Arc<LiveGame>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone)]
struct Entry {
    place: Arc<Place>,
    /// Of the game, as it was last weighed.
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
}

impl Cache {
    /// A cache of at most so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let games = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX).max(1);
        Self { games: QuickCache::with_weighter(games, bytes, Bytes) }
    }

    /// The game, if it is in memory and nobody has taken it out, without waiting for its turn.
    #[must_use]
    pub fn peek(&self, game_id: Uuid) -> Option<Arc<LiveGame>> {
        self.games.get(&game_id)?.place.live().clone()
    }

    /// Waits for the game's turn in this process. Empty when the game is not in memory.
    pub async fn lock(&self, game_id: Uuid) -> Slot {
        let empty = || Entry { place: Arc::default(), bytes: 0 };
        let made = self.games.get_or_insert_with(&game_id, || Ok::<_, std::convert::Infallible>(empty()));
        let entry = made.unwrap_or_else(|never| match never {});
        let turn = Arc::clone(&entry.place.turn).lock_owned().await;
        Slot { game_id, entry, _turn: turn }
    }

    /// Puts a game into its slot. One that has grown is weighed again.
    pub fn put(&self, slot: &mut Slot, live: Arc<LiveGame>) {
        let bytes = live.estimated_bytes();
        *slot.entry.place.live() = Some(live);
        if bytes > slot.entry.bytes {
            // Room to grow, so that not every move weighs again.
            slot.entry.bytes = bytes + bytes / 4;
            self.games.insert(slot.game_id, slot.entry.clone());
        }
    }

    /// Gives up a game's place: one that is over is moved no more, and would only keep out those in play.
    pub fn forget(&self, slot: Slot) {
        self.games.remove(&slot.game_id);
        drop(slot);
    }

    /// What the games in memory weigh, in bytes.
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
