//! When what has failed is tried again.

use pippost::store::queue::BackOff;
use time::{Duration, OffsetDateTime};

use time::macros::datetime;

const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);
const DELAYS: [Duration; 3] = [Duration::SECOND, Duration::MINUTE, Duration::HOUR];

fn delays(back_off: BackOff) -> Vec<Option<Duration>> {
    (1..6).map(|failures| back_off.retry_at(failures, NOW, NOW).map(|at| at - NOW)).collect()
}

#[test]
fn delays_grow_and_then_the_last_repeats_or_it_is_given_up() {
    let [first, second, third] = DELAYS.map(Some);
    assert_eq!(delays(BackOff::endless(&DELAYS)), [first, second, third, third, third]);
    assert_eq!(delays(BackOff::ending(&DELAYS)), [first, second, third, None, None]);
}

#[test]
fn the_last_try_is_at_the_end_of_the_time_and_few_failures_give_nothing_up() {
    let (time, fewest) = (Duration::hours(3), 5);
    let back_off = BackOff::within(&DELAYS, time, fewest);
    let (mut now, mut failures) = (NOW, 1);
    while let Some(next) = back_off.retry_at(failures, NOW, now) {
        assert!(next > now);
        (now, failures) = (next, failures + 1);
    }
    assert_eq!((now - NOW, failures), (time, 6), "after 1 s, 61 s, 1 h 61 s, 2 h 61 s and 3 h");
    let later = NOW + Duration::days(30);
    assert_eq!(back_off.retry_at(fewest - 1, NOW, later), Some(later + Duration::HOUR));
    assert_eq!(back_off.retry_at(fewest, NOW, later), None);
}
