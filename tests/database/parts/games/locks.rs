//! Locks of games.

use std::sync::Arc;

use futures_util::poll;
use pippost::games::memory::locks::Locks;
use uuid::Uuid;

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
    assert_eq!(locks.len(), 2, "somebody waits for it");
    let held = waiting.await;
    assert!(poll!(Box::pin(locks.lock(GAME))).is_pending(), "it is held");
    drop((held, other));
    assert!(locks.is_empty());
}
