//! From where claims look for notices. Index entries of notices that were claimed long ago stay as long as an old snapshot is open in the
//! database (a backup's, say), so a claim that began at the start of the index would walk over all of them.

use std::sync::{Arc, Mutex, PoisonError};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use diesel_async::RunQueryDsl;
use time::{Duration, OffsetDateTime};

use crate::{Connection, StoreError};

/// How long a transaction may take to write what is to be claimed, so that it is found at once; [`SWEEP_INTERVAL`] is for later ones.
pub const COMMIT_TIME: Duration = Duration::seconds(3);

/// How often claims look from the very beginning.
pub const SWEEP_INTERVAL: Duration = Duration::minutes(5);

/// Finds the oldest slot from `$1` on that has something to claim, and the newest slot of all.
const LOOK: &str = "
select (
    select n.slot from notices n where n.state = 'waiting' and n.ready and n.slot >= $1 order by n.slot limit 1
) as oldest, newest_notice_slot() as newest";

/// Where the claims of a process begin; its copies share it.
#[derive(Clone, Debug, Default)]
pub struct LowWaterMarks(Arc<Mutex<Marks>>);

#[derive(Clone, Copy, Debug)]
struct Marks {
    start: Start,
    /// Nothing can become ready in slots before this one, except by a transaction that takes longer than [`COMMIT_TIME`].
    final_slot: i64,
    /// The newest slot at `looked_at`.
    newest: i64,
    looked_at: Option<OffsetDateTime>,
    swept_at: OffsetDateTime,
    /// Whether each claim since `looked_at` made all notices ready that were due.
    all_woken: bool,
}

/// Where a claim begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// Nothing was ready in slots before this one when somebody looked last.
    pub slot: i64,
    /// Nothing that is put off is due before this time.
    pub due_from: OffsetDateTime,
}

impl Start {
    const FIRST: Self = Self { slot: 0, due_from: OffsetDateTime::UNIX_EPOCH };
}

impl Default for Marks {
    fn default() -> Self {
        let swept_at = OffsetDateTime::UNIX_EPOCH;
        Self { start: Start::FIRST, final_slot: 0, newest: 0, looked_at: None, swept_at, all_woken: true }
    }
}

impl Marks {
    /// Where a claim begins; from time to time that is the very beginning.
    fn begin(&mut self, now: OffsetDateTime) -> Start {
        // A clock that was set back counts as the end of the interval.
        if !(Duration::ZERO..SWEEP_INTERVAL).contains(&(now - self.swept_at)) {
            *self = Self { swept_at: now, ..Self::default() };
        }
        self.start
    }

    fn is_look_due(&self, now: OffsetDateTime) -> bool {
        self.looked_at.is_none_or(|at| now - at >= COMMIT_TIME)
    }

    /// Moves the marks up to what was found at `now`, the last one over nothing that a transaction may still be about to commit.
    fn advance(&mut self, now: OffsetDateTime, (oldest, newest): (Option<i64>, i64)) {
        self.start.slot = oldest.unwrap_or(newest);
        self.final_slot = self.final_slot.max(self.start.slot.min(self.newest));
        if let (Some(before), true) = (self.looked_at, self.all_woken) {
            self.start.due_from = before;
        }
        (self.newest, self.looked_at, self.all_woken) = (newest, Some(now), true);
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
    pub(super) fn begin(&self, now: OffsetDateTime) -> Start {
        self.marks().begin(now)
    }

    /// Tells that a claim left due notices for the next one.
    pub(super) fn left_some(&self) {
        self.marks().all_woken = false;
    }

    /// Tells of the oldest slot in which a claim found something.
    pub(super) fn found(&self, oldest: i64) {
        let mut marks = self.marks();
        marks.start.slot = marks.start.slot.max(oldest);
    }

    /// Looks how far the marks may move, if that was not done just now; and whether something was committed late meanwhile.
    pub(super) async fn look(
        &self,
        connection: &mut Connection,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let from = {
            let marks = self.marks();
            if !marks.is_look_due(now) {
                return Ok(());
            }
            marks.final_slot
        };
        let found: Found =
            diesel::sql_query(LOOK).bind::<BigInt, _>(from).get_result(&mut **connection).await?;
        self.marks().advance(now, (found.oldest, found.newest));
        Ok(())
    }

    fn marks(&self) -> std::sync::MutexGuard<'_, Marks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const BEGUN: OffsetDateTime = datetime!(2026-11-25 12:00 UTC);

    #[test]
    fn marks_move_over_no_slot_that_was_the_newest_less_than_three_seconds_ago() {
        let mut marks = Marks::default();
        assert_eq!((marks.begin(BEGUN), marks.final_slot), (Start::FIRST, 0));
        marks.advance(BEGUN, (None, 7));
        // Slot 7 may have notices that are not committed yet, and those before it, too.
        assert_eq!((marks.start.slot, marks.final_slot), (7, 0));
        assert!(!marks.is_look_due(BEGUN + COMMIT_TIME - Duration::MILLISECOND));
        let later = BEGUN + COMMIT_TIME;
        assert!(marks.is_look_due(later));
        marks.advance(later, (None, 9));
        assert_eq!((marks.begin(later), marks.final_slot), (Start { slot: 9, due_from: BEGUN }, 7));
        // What was committed late, and what waits in a slot, holds the mark there.
        marks.advance(later + COMMIT_TIME, (Some(8), 12));
        assert_eq!((marks.start.slot, marks.final_slot), (8, 8));
        marks.advance(later + COMMIT_TIME * 2, (Some(8), 13));
        assert_eq!((marks.start.slot, marks.final_slot), (8, 8));
    }

    #[test]
    fn marks_wait_for_due_notices_that_were_left() {
        let mut marks = Marks::default();
        marks.begin(BEGUN);
        marks.advance(BEGUN, (None, 0));
        marks.all_woken = false;
        marks.advance(BEGUN + COMMIT_TIME, (None, 0));
        assert_eq!(marks.begin(BEGUN + COMMIT_TIME).due_from, Start::FIRST.due_from);
        marks.advance(BEGUN + COMMIT_TIME * 2, (None, 0));
        assert_eq!(marks.begin(BEGUN + COMMIT_TIME * 2).due_from, BEGUN + COMMIT_TIME);
    }

    #[test]
    fn claims_look_from_the_beginning_every_five_minutes_and_when_a_clock_is_set_back() {
        let mut marks = Marks::default();
        marks.begin(BEGUN);
        for tick in 0..3 {
            marks.advance(BEGUN + COMMIT_TIME * tick, (None, 5));
        }
        let last = BEGUN + SWEEP_INTERVAL - Duration::MILLISECOND;
        assert_eq!(marks.begin(last).slot, 5);
        assert_eq!(marks.begin(BEGUN + SWEEP_INTERVAL), Start::FIRST);
        marks.advance(BEGUN + SWEEP_INTERVAL, (None, 5));
        marks.advance(BEGUN + SWEEP_INTERVAL + COMMIT_TIME, (None, 5));
        assert_eq!(marks.begin(BEGUN + SWEEP_INTERVAL + COMMIT_TIME).slot, 5);
        assert_eq!(marks.begin(BEGUN), Start::FIRST);
    }
}
