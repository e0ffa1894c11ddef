//! Live games in memory. Only a short cut: the statement's guard decides, and a lost entry costs one load.

use std::sync::Arc;

use quick_cache::sync::Cache as QuickCache;
use tokio::sync::{Mutex, OwnedMutexGuard};
use uuid::Uuid;

use super::live::LiveGame;

/// The most games kept in memory. A game takes 2 to 10 kB.
const MAX_GAMES: usize = 10_000;

/// A game's place in the cache. Whoever holds the lock may act; moves of one game follow each other.
pub type Slot = OwnedMutexGuard<Option<LiveGame>>;

/// Games by id.
pub struct Cache {
    games: QuickCache<Uuid, Arc<Mutex<Option<LiveGame>>>>,
}

impl Default for Cache {
    fn default() -> Self {
        Self { games: QuickCache::new(MAX_GAMES) }
    }
}

impl Cache {
    /// Waits for the game's turn in this process. Empty when the game is not in memory.
    pub async fn lock(&self, game_id: Uuid) -> Slot {
        let made =
            self.games.get_or_insert_with(&game_id, || Ok::<_, std::convert::Infallible>(Arc::default()));
        let slot = made.unwrap_or_else(|never| match never {});
        slot.lock_owned().await
    }
}
