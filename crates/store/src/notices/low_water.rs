//! From where claims look for notices. Index entries of notices that were claimed long ago stay as long as an old snapshot is open in the
//! database (a backup's, say), so a claim that began at the start of the index would walk over all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;

use crate::queue::{DueMark, Looks};
use crate::{Connection, StoreError};

/// Finds the oldest slot from `$1` on that has something to claim, and the newest slot of all.
const LOOK: &str = "
select (
    select n.slot from notices n where n.state = 'waiting' and n.ready and n.slot >= $1 order by n.slot limit 1
) as oldest, newest_notice_slot() as newest";

/// Finds the first notice from `$1` on that is put off.
const LOOK_AT_PUT_OFF: &str = "
select next_attempt_at as oldest from notices where state = 'waiting' and not ready and next_attempt_at >= $1
order by next_attempt_at limit 1";

/// Where the claims of a process begin; its copies share it.
#[derive(Clone, Debug, Default)]
pub struct LowWaterMarks {
    slots: Arc<Mutex<Slots>>,
    /// Of what is put off.
    due: DueMark,
}

/// Where a process looks for what is ready.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slots {
    /// Nothing was ready in slots before this one when somebody looked last.
    pub first: i64,
    /// Nothing can become ready in slots before this one, except by a transaction that is committed late.
    pub settled: i64,
    /// The newest slot at the last look.
    pub newest: i64,
    pub looks: Looks,
}

impl Slots {
    /// The slot at which a claim begins.
    pub fn begin(&mut self, now: OffsetDateTime) -> i64 {
        if self.looks.begin_anew(now) {
            *self = Self { looks: self.looks, ..Self::default() };
        }
        self.first
    }

    /// Moves up to what was found at `now`; the second mark moves over nothing that a transaction may still be about to commit.
    pub fn advance(&mut self, now: OffsetDateTime, (oldest, newest): (Option<i64>, i64)) {
        self.first = oldest.unwrap_or(newest);
        self.settled = self.settled.max(self.first.min(self.newest));
        self.newest = newest;
        self.looks.looked(now);
    }
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Nullable<BigInt>)]
    oldest: Option<i64>,
    #[diesel(sql_type = BigInt)]
    newest: i64,
}

impl LowWaterMarks {
    /// The first slot of a claim, and from what time on it looks for what was put off.
    pub(super) async fn begin(
        &self,
        connection: &mut Connection,
        now: OffsetDateTime,
    ) -> Result<(i64, OffsetDateTime), StoreError> {
        let due_from = self.due.begin(connection, LOOK_AT_PUT_OFF, now).await?;
        Ok((self.slots().begin(now), due_from))
    }

    /// Tells of the oldest slot in which a claim found something.
    pub(super) fn found(&self, oldest: i64) {
        let mut slots = self.slots();
        slots.first = slots.first.max(oldest);
    }

    /// Looks how far the marks may move, if that was not done just now; and whether something was committed late meanwhile.
    pub(super) async fn look(
        &self,
        connection: &mut Connection,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let from = Some(*self.slots()).filter(|slots| slots.looks.is_due(now)).map(|slots| slots.settled);
        let Some(from) = from else { return Ok(()) };
        let found: Found =
            diesel::sql_query(LOOK).bind::<BigInt, _>(from).get_result(&mut **connection).await?;
        self.slots().advance(now, (found.oldest, found.newest));
        Ok(())
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
