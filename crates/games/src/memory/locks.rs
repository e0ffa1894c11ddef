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

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    const GAME: Uuid = Uuid::from_u128(0);

    #[tokio::test]
    async fn a_game_has_one_lock_while_somebody_holds_it_or_waits_and_none_afterwards() {
        let locks = Arc::new(Locks::default());
        let held = locks.lock(GAME).await;
        let other = locks.lock(Uuid::from_u128(1)).await;
        let mut waiting = Box::pin(locks.lock(GAME));
        let mut gives_up = Box::pin(locks.lock(GAME));
        assert!(poll!(waiting.as_mut()).is_pending() && poll!(gives_up.as_mut()).is_pending());
        drop(gives_up);
        drop(held);
        assert!(locks.by_game().contains_key(&GAME), "somebody waits for it");
        let held = waiting.await;
        assert!(poll!(Box::pin(locks.lock(GAME))).is_pending(), "it is held");
        drop((held, other));
        assert!(locks.by_game().is_empty());
    }
}
