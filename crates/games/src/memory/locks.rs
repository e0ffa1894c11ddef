//! A lock for each game that somebody acts in. It exists while it is held or waited for, so there are as many as requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use uuid::Uuid;

/// The locks that are held or waited for, by game.
#[derive(Default)]
pub struct Locks(Mutex<HashMap<Uuid, Arc<AsyncMutex<()>>>>);

/// A game's lock, held until this is dropped.
pub struct Lock {
    /// Released before the claim ends.
    _held: OwnedMutexGuard<()>,
    _claim: Claim,
}

/// Keeps a lock in the map for whoever holds it or waits for it.
struct Claim {
    locks: Arc<Locks>,
    game_id: Uuid,
    lock: Arc<AsyncMutex<()>>,
}

impl Locks {
    /// Waits for the game's lock; those who wait get it in the order in which they came.
    pub async fn lock(self: &Arc<Self>, game_id: Uuid) -> Lock {
        let lock = Arc::clone(self.by_game().entry(game_id).or_default());
        let claim = Claim { locks: Arc::clone(self), game_id, lock };
        Lock { _held: Arc::clone(&claim.lock).lock_owned().await, _claim: claim }
    }

    /// How many games have a lock.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_game().len()
    }

    /// Whether no game has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn by_game(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<AsyncMutex<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut locks = self.locks.by_game();
        // Every claim has a copy, and copies are made under the map's lock: with two, one is the map's and this claim is the last.
        if Arc::strong_count(&self.lock) == 2 {
            locks.remove(&self.game_id);
        }
    }
}
