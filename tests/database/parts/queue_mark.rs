//! From where claims of a queue look.

use pippost::store::queue::{COMMIT_TIME, Mark, SWEEP_INTERVAL};
use time::{Duration, OffsetDateTime};

use time::macros::datetime;

const BEGUN: OffsetDateTime = datetime!(2026-11-25 12:00 UTC);

#[test]
fn a_mark_follows_the_oldest_row_and_comes_no_nearer_than_three_seconds() {
    let mut mark = Mark::default();
    assert_eq!(mark.begin(BEGUN), OffsetDateTime::UNIX_EPOCH);
    mark.advance(BEGUN, None);
    assert_eq!(mark.begin(BEGUN), BEGUN - COMMIT_TIME);
    assert!(!mark.looks.is_due(BEGUN + COMMIT_TIME - Duration::MILLISECOND));
    let later = BEGUN + COMMIT_TIME;
    assert!(mark.looks.is_due(later));
    // What waits holds it, and what is due only in future does not move it on.
    mark.advance(later, Some(BEGUN - Duration::SECOND));
    assert_eq!(mark.begin(later), BEGUN - Duration::SECOND);
    mark.advance(later, Some(later + Duration::HOUR));
    assert_eq!(mark.begin(later), BEGUN);
}

#[test]
fn every_five_minutes_and_after_a_clock_was_set_back_it_is_the_very_beginning() {
    let mut mark = Mark::default();
    for now in [BEGUN, BEGUN + SWEEP_INTERVAL, BEGUN + SWEEP_INTERVAL * 3, BEGUN] {
        assert_eq!(mark.begin(now), OffsetDateTime::UNIX_EPOCH);
        mark.advance(now, None);
        assert_eq!(mark.begin(now + Duration::minutes(4)), now - COMMIT_TIME);
    }
}
