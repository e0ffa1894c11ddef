//! The problem of a day.

use pippost::games::learning::drawn;
use time::macros::date;

#[test]
fn a_day_draws_the_same_id_every_time_and_another_one_than_the_next() {
    let day = date!(2026 - 11 - 30);
    assert_eq!(drawn(day), drawn(day));
    assert_ne!(drawn(day), drawn(date!(2026 - 12 - 01)));
    // Over a year they fall into both halves.
    let days = std::iter::successors(Some(day), |day| day.next_day()).take(365);
    let low = days.filter(|day| drawn(*day).as_u128() < u128::MAX / 2).count();
    assert!((120..245).contains(&low), "{low}");
}
