//! Clocks of whole games, simulated over a year: players in eight zones with nights, rest days, holidays, changes of all these, pauses,
//! gifts, substitutes and outages of the server. Games are real games of every rule set, so their records and clock logs are verified, too.

use pippost::clock::control::HOUR;
use pippost::clock::counting::{Rests, Still};
use pippost::clock::{Rest, microseconds, time_of};
use pippost::rules::Seat;
use proptest::prelude::*;

use support::simulated_clocks::{control, play, simulated, some_calendar, step};

proptest! {
    // 72 games of two to four: more than 200 players.
    #![proptest_config(ProptestConfig { cases: 72, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_year_of_games_keeps_every_promise_of_the_clock(
        number in 0..4000_usize,
        control in control(),
        calendars in proptest::collection::vec(proptest::option::of(some_calendar()), 2..=4),
        steps in proptest::collection::vec(step(), 0..120),
    ) {
        play(number, control, &calendars, &steps);
    }

    #[test]
    fn counting_agrees_with_a_look_at_every_minute(
        calendar in some_calendar(),
        start in 0..525_600_i64,
        minutes in 1..6000_i64,
        still in (0..6000_i64, 1..3000_i64),
        left in 0..3000_i64,
    ) {
        const MINUTE: i64 = HOUR / 60;
        let from = microseconds(time::macros::datetime!(2026-01-01 0:00 UTC)) + start * MINUTE;
        let calendar = calendar.calendar();
        let (still_from, long) = still;
        let still = Still {
            from: from + still_from * MINUTE,
            until: from + (still_from + long) * MINUTE,
            seat: None,
            why: Rest::Pause,
        };
        let stills = [still];
        let rests = Rests { seat: Seat(0), calendar: Some(&calendar), stills: &stills };
        let counts = |minute: i64| {
            let at = from + minute * MINUTE;
            let local = calendar.zone.local(time_of(at));
            let now = u16::from(local.hour) * 60 + u16::from(local.minute);
            let in_night = calendar.night.is_some_and(|night| {
                let (begins, ends) = (night.from().minutes(), night.until().minutes());
                if begins < ends { begins <= now && now < ends } else { begins <= now || now < ends }
            });
            let rests = calendar.rest_days.days().contains(&local.weekday);
            !in_night && !rests && !(still.from..still.until).contains(&at)
        };
        let counted = (0..minutes).filter(|minute| counts(*minute)).count();
        prop_assert_eq!(rests.counted(from, from + minutes * MINUTE), i64::try_from(counted).expect("few") * MINUTE);
        let mut remaining = left;
        // No calendar lets a clock stand still for a year.
        let falls = (0..366 * 24 * 60).find(|minute| {
            let counting = counts(*minute);
            let fallen = counting && remaining == 0;
            remaining -= i64::from(counting && !fallen);
            fallen
        });
        prop_assert_eq!(Some(rests.fall(from, left * MINUTE)), falls.map(|minute| from + minute * MINUTE));
    }
}

/// A thousand games from a seed, so that the same ones are verified every time.
#[test]
fn a_thousand_simulated_games_are_verified_with_all_their_times() {
    assert_eq!(simulated(1000).len(), 1000);
}
