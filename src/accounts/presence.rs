//! Who has been seen: players who asked to be told once, and then not again until they come back, have come back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::clock::Clock;
use crate::store::{Database, StoreError, preferences};

/// How long sightings are gathered before they are written together.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Sightings of players, written together now and then. Cheap to clone.
#[derive(Clone)]
pub struct Presence(Arc<Inner>);

struct Inner {
    database: Database,
    clock: Clock,
    seen: Mutex<HashMap<Uuid, OffsetDateTime>>,
    /// Notified when somebody has been seen, and when the last clone is dropped.
    someone: Arc<Notify>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.someone.notify_one();
    }
}

impl Presence {
    /// Starts the task that writes; needs a runtime.
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

    /// A player acts or looks.
    pub fn seen(&self, player_id: Uuid) {
        self.seen_at(player_id, self.0.clock.now());
    }

    /// A player acts or looks `now`, for those who have asked the clock already.
    pub fn seen_at(&self, player_id: Uuid, now: OffsetDateTime) {
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(player_id, now);
        self.0.someone.notify_one();
    }

    /// Writes down who has been seen; returns how many may be told again.
    ///
    /// # Errors
    /// The database failed; those who were seen are written another time.
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
