//! Queues the daily digests at each player's chosen time.

use time::OffsetDateTime;

use pippost_clock::{MinuteOfDay, Zone};
use pippost_store::digests::{self, DueDigest};
use pippost_store::{Database, StoreError};

/// The most digests queued by one call.
const BATCH: i64 = 200;

/// Queues digests.
#[derive(Clone)]
pub struct Digests {
    database: Database,
}

impl Digests {
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Queues the digests due at `now` and plans the next ones; returns how many. Each is queued once, however many workers run.
    ///
    /// # Errors
    /// The database failed; nothing was queued.
    pub async fn queue(&self, now: OffsetDateTime) -> Result<usize, StoreError> {
        digests::queue(&self.database, now, BATCH, |due| next(due, now)).await
    }
}

/// The next time at which the player's clock shows the chosen time; missed digests are skipped.
fn next(due: &DueDigest, now: OffsetDateTime) -> OffsetDateTime {
    let minute = u16::try_from(due.digest_minute).ok().and_then(MinuteOfDay::new);
    let zone = Zone::named(&due.zone).unwrap_or_default();
    zone.next(minute.unwrap_or_default(), now)
}
