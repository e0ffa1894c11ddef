//! Slots of cached games.

use futures_util::poll;
use pippost::games::memory::cache::{Cache, ENTRY_BYTES};
use uuid::Uuid;

const GAME: Uuid = Uuid::from_u128(0);

/// Locks other games until the cache has dropped the entry of [`GAME`]; each twice, because the cache keeps what is used again.
async fn evict(cache: &Cache) {
    for other in (1..=10_000).map(Uuid::from_u128) {
        drop(cache.lock(other).await);
        drop(cache.lock(other).await);
        if !cache.has_entry(GAME) {
            return;
        }
    }
    panic!("the cache keeps every entry");
}

#[tokio::test]
async fn whoever_comes_after_an_entry_was_dropped_waits_for_the_holder_of_its_slot() {
    // The smaller cache has no room for any entry, so it drops that of the slot at once.
    for bytes in [1, 8 * ENTRY_BYTES] {
        let cache = Cache::new(bytes);
        let held = cache.lock(GAME).await;
        evict(&cache).await;
        let mut next = std::pin::pin!(cache.lock(GAME));
        assert!(poll!(next.as_mut()).is_pending(), "two requests hold the slot in a cache of {bytes} bytes");
        drop(held);
        assert!(poll!(next.as_mut()).is_ready(), "the slot is free");
    }
}

#[tokio::test]
async fn whoever_comes_after_a_game_was_forgotten_waits_for_those_who_came_before() {
    let cache = Cache::new(1 << 20);
    let held = cache.lock(GAME).await;
    let mut first = std::pin::pin!(cache.lock(GAME));
    assert!(poll!(first.as_mut()).is_pending());
    cache.forget(held);
    let mut second = std::pin::pin!(cache.lock(GAME));
    assert!(poll!(second.as_mut()).is_pending(), "the first one goes first");
    drop(first.await);
    assert!(poll!(second.as_mut()).is_ready());
}
