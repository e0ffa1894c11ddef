//! From where claims look for notices.

use pippost::store::notices::Slots;
use pippost::store::queue::COMMIT_TIME;
use time::OffsetDateTime;

use time::Duration;
use time::macros::datetime;

const BEGUN: OffsetDateTime = datetime!(2026-11-25 12:00 UTC);

#[test]
fn slots_move_over_none_that_was_the_newest_less_than_three_seconds_ago() {
    let mut slots = Slots::default();
    assert_eq!((slots.begin(BEGUN), slots.settled), (0, 0));
    slots.advance(BEGUN, (None, 7));
    // Slot 7 may have notices that are not committed yet, and those before it, too.
    assert_eq!((slots.first, slots.settled), (7, 0));
    assert!(!slots.looks.is_due(BEGUN + COMMIT_TIME - Duration::MILLISECOND));
    let later = BEGUN + COMMIT_TIME;
    assert!(slots.looks.is_due(later));
    slots.advance(later, (None, 9));
    assert_eq!((slots.begin(later), slots.settled), (9, 7));
    // What was committed late, and what waits in a slot, holds the mark there.
    slots.advance(later + COMMIT_TIME, (Some(8), 12));
    assert_eq!((slots.first, slots.settled), (8, 8));
    slots.advance(later + COMMIT_TIME * 2, (Some(8), 13));
    assert_eq!((slots.first, slots.settled), (8, 8));
    assert_eq!(slots.begin(BEGUN + Duration::minutes(5)), 0);
    assert_eq!((slots.settled, slots.newest), (0, 0), "from the very beginning");
}
