//! Records when players are present. A player who wants only one turn mail per absence can get the next one after coming back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::Notify;
use uuid::Uuid;

use pippost_clock::Clock;
use pippost_store::{Database, StoreError, preferences};

/// How long sightings are collected before they are written together.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Collects sightings of players and writes them in batches. Cheap to clone.
#[derive(Clone)]
pub struct Presence(Arc<Inner>);

struct Inner {
    database: Database,
    clock: Clock,
    seen: Mutex<HashMap<Uuid, OffsetDateTime>>,
    /// Notified when a player is seen, and when the last clone is dropped.
    someone: Arc<Notify>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.someone.notify_one();
    }
}

impl Presence {
    /// Starts the task that writes sightings; needs a runtime.
    #[must_use]
    pub fn start(database: Database, clock: Clock) -> Self {
        let someone = Arc::new(Notify::new());
        let inner = Arc::new(Inner { database, clock, seen: Mutex::default(), someone: someone.clone() });
        let writing = Arc::downgrade(&inner);
        tokio::spawn(async move {
            loop {
                someone.notified().await;
                let Some(inner) = writing.upgrade() else { return };
                if let Err(error) = Self(inner).write().await {
                    tracing::warn!(%error, "who was seen could not be written down");
                }
                tokio::time::sleep(WRITE_INTERVAL).await;
            }
        });
        Self(inner)
    }

    /// Records that a player is present.
    pub fn seen(&self, player_id: Uuid) {
        self.seen_at(player_id, self.0.clock.now());
    }

    /// Records that a player is present at `now`, for callers that have already read the clock.
    pub fn seen_at(&self, player_id: Uuid, now: OffsetDateTime) {
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(player_id, now);
        self.0.someone.notify_one();
    }

    /// Writes the collected sightings; returns how many players may be notified again.
    ///
    /// # Errors
    /// The database failed; the sightings are kept for the next call.
    pub async fn write(&self) -> Result<usize, StoreError> {
        let seen = std::mem::take(&mut *self.0.seen.lock().unwrap_or_else(PoisonError::into_inner));
        if seen.is_empty() {
            return Ok(0);
        }
        let players: Vec<_> = seen.into_iter().collect();
        let written = preferences::seen(&self.0.database, &players).await;
        if written.is_err() {
            let mut newer = self.0.seen.lock().unwrap_or_else(PoisonError::into_inner);
            for (player_id, at) in players {
                newer.entry(player_id).or_insert(at);
            }
        }
        written
    }
}
