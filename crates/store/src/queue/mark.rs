//! From what time on the claims of a queue look for rows that are due. A row that is claimed or settled is due later or gone, but its
//! entry in the index of times stays as long as an old snapshot is open in the database. Decision 0211.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use diesel_async::RunQueryDsl;
use time::{Duration, OffsetDateTime};

use crate::{Connection, StoreError};

/// How long a transaction may take to write what is to be claimed, so that it is found at once; [`SWEEP_INTERVAL`] is for later ones.
pub const COMMIT_TIME: Duration = Duration::seconds(3);

/// How often claims look from the very beginning.
pub const SWEEP_INTERVAL: Duration = Duration::minutes(5);

/// When a process looks how far its mark may move.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    last: Option<OffsetDateTime>,
    swept_at: OffsetDateTime,
}

impl Default for Looks {
    fn default() -> Self {
        Self { last: None, swept_at: OffsetDateTime::UNIX_EPOCH }
    }
}

impl Looks {
    /// Whether the mark is set to the very beginning, as from time to time. A clock that was set back counts as that time.
    pub fn begin_anew(&mut self, now: OffsetDateTime) -> bool {
        let is_time = !(Duration::ZERO..SWEEP_INTERVAL).contains(&(now - self.swept_at));
        if is_time {
            *self = Self { last: None, swept_at: now };
        }
        is_time
    }

    #[must_use]
    pub fn is_due(&self, now: OffsetDateTime) -> bool {
        self.last.is_none_or(|at| now - at >= COMMIT_TIME)
    }

    pub fn looked(&mut self, now: OffsetDateTime) {
        self.last = Some(now);
    }
}

/// The mark of a process for one queue; its copies share it.
#[derive(Clone, Debug, Default)]
pub struct DueMark(Arc<Mutex<Mark>>);

/// The mark itself.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Nothing is due before, except by a transaction that takes longer than [`COMMIT_TIME`].
    from: OffsetDateTime,
    pub looks: Looks,
}

impl Default for Mark {
    fn default() -> Self {
        Self { from: OffsetDateTime::UNIX_EPOCH, looks: Looks::default() }
    }
}

impl Mark {
    /// Where a claim begins.
    pub fn begin(&mut self, now: OffsetDateTime) -> OffsetDateTime {
        if self.looks.begin_anew(now) {
            self.from = OffsetDateTime::UNIX_EPOCH;
        }
        self.from
    }

    /// Moves the mark to the oldest row that was found at `now`, over no time in which a transaction may still make one due.
    pub fn advance(&mut self, now: OffsetDateTime, oldest: Option<OffsetDateTime>) {
        let settled = now - COMMIT_TIME;
        self.from = oldest.map_or(settled, |oldest| oldest.min(settled));
        self.looks.looked(now);
    }
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Timestamptz)]
    oldest: OffsetDateTime,
}

impl DueMark {
    /// From what time on a claim looks. `look` finds the oldest time from `$1` on at which a row is due, as `oldest`; it is asked every
    /// [`COMMIT_TIME`].
    pub(crate) async fn begin(
        &self,
        connection: &mut Connection,
        look: &str,
        now: OffsetDateTime,
    ) -> Result<OffsetDateTime, StoreError> {
        let from = {
            let mut mark = self.mark();
            let from = mark.begin(now);
            if !mark.looks.is_due(now) {
                return Ok(from);
            }
            from
        };
        let found = diesel::sql_query(look).bind::<Timestamptz, _>(from);
        let found: Option<Found> = found.get_result(&mut **connection).await.optional()?;
        let mut mark = self.mark();
        mark.advance(now, found.map(|found| found.oldest));
        Ok(mark.from)
    }

    fn mark(&self) -> MutexGuard<'_, Mark> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
