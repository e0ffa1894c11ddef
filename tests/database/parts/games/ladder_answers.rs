//! Until when a challenge of a ladder is answered.

use pippost::games::ladders::after_holidays;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

#[test]
fn the_days_to_answer_stand_still_during_holidays() {
    let since = datetime!(2026-12-01 12:00 UTC);
    let (first, second) = (datetime!(2026-12-03 00:00 UTC), datetime!(2026-12-20 00:00 UTC));
    let days = Duration::days;
    let after = |holidays: &[(OffsetDateTime, OffsetDateTime)]| after_holidays(since, days(7), holidays);
    assert_eq!(after(&[]), since + days(7));
    assert_eq!(after(&[(first, first + days(3))]), since + days(10));
    assert_eq!(after(&[(second, second + days(3))]), since + days(7), "it begins later");
    let both = [(first, first + days(3)), (first + days(1), first + days(4))];
    assert_eq!(after(&both), since + days(11), "those that overlap count once");
    let running = [(since - days(2), since + days(2)), (since + days(9), since + days(11))];
    assert_eq!(after(&running), since + days(9), "the last moment is before the second");
    let longer = [(since - days(2), since + days(2)), (since + days(8), since + days(11))];
    assert_eq!(after(&longer), since + days(12));
}
