//! Which time counts. Pure arithmetic in microseconds since 1970.

use serde::{Deserialize, Serialize};

use super::calendar::{Calendar, Rest};
use pippost_record::rules::Seat;

/// A time in which clocks stand still, whatever calendars say: `from` is in it, `until` is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Still {
    pub from: i64,
    pub until: i64,
    /// The seat whose clock stands still; none: all do.
    pub seat: Option<Seat>,
    pub why: Rest,
}

/// When one seat's clock stands still.
#[derive(Clone, Copy, Debug)]
pub struct Rests<'a> {
    pub seat: Seat,
    pub calendar: Option<&'a Calendar>,
    pub stills: &'a [Still],
}

/// From here on no point in time is calculated: the year 9000.
const END: i64 = 221_845_392_000_000_000;

impl Rests<'_> {
    /// Why the clock stands still at `at`, if it does, and a later point up to which that stays so.
    fn stretch(&self, at: i64) -> (Option<Rest>, i64) {
        let own = || self.stills.iter().filter(|still| still.seat.is_none_or(|seat| seat == self.seat));
        let covering = own().filter(|still| (still.from..still.until).contains(&at));
        if let Some(still) = covering.max_by_key(|still| still.until) {
            return (Some(still.why), still.until);
        }
        let next_still = own().map(|still| still.from).filter(|from| *from > at).min();
        let (rest, until) = match self.calendar {
            Some(calendar) => {
                let stretch = calendar.stretch(at);
                (stretch.rest, stretch.until)
            }
            None => (None, END),
        };
        (rest, next_still.map_or(until, |from| until.min(from)))
    }

    /// How much of the time from `from` up to `until` counts.
    #[must_use]
    pub fn counted(&self, from: i64, until: i64) -> i64 {
        let (mut at, mut counted) = (from, 0);
        while at < until {
            let (rest, end) = self.stretch(at);
            let end = end.min(until);
            counted += if rest.is_none() { end - at } else { 0 };
            at = end;
        }
        counted
    }

    /// When a flag falls that has `left` from `from` on: at the first point in time that counts and at which nothing is left. So no
    /// flag falls while its clock stands still.
    #[must_use]
    pub fn fall(&self, from: i64, mut left: i64) -> i64 {
        let mut at = from;
        while at < END {
            let (rest, end) = self.stretch(at);
            if rest.is_none() {
                if left < end - at {
                    return at + left;
                }
                left -= end - at;
            }
            at = end;
        }
        END
    }

    /// Why the clock stands still at `at` and when it goes on; `None` if it runs.
    #[must_use]
    pub fn standing(&self, at: i64) -> Option<(Rest, i64)> {
        let (why, mut until) = self.stretch(at);
        let why = why?;
        while until < END {
            let (rest, end) = self.stretch(until);
            if rest.is_none() {
                break;
            }
            until = end;
        }
        Some((why, until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::{Night, RestDays};
    use crate::control::HOUR;
    use crate::zone::{MinuteOfDay, Zone};
    use crate::{microseconds, time_of};
    use pippost_record::record::Timestamp;

    fn at(text: &str) -> i64 {
        let text = format!("{}:00.000000Z", text.replace(' ', "T"));
        microseconds(Timestamp::parse(&text).expect("a time").get())
    }

    fn shown(at: i64) -> String {
        Timestamp::new(time_of(at)).to_string()[..16].replace('T', " ")
    }

    fn calendar(zone: &str, night: Option<(&str, &str)>, days: &[u8]) -> Calendar {
        let minute = |text| MinuteOfDay::parse(text).expect("a time of day");
        Calendar {
            night: night.map(|(from, until)| Night::new(minute(from), minute(until)).expect("a night")),
            offsets: None,
            rest_days: RestDays::new(days.to_vec()).expect("days"),
            zone: Zone::named(zone).expect("a zone"),
        }
    }

    fn rests(calendar: &Calendar) -> Rests<'_> {
        Rests { seat: Seat(0), calendar: Some(calendar), stills: &[] }
    }

    #[test]
    fn nights_and_rest_days_do_not_count_by_the_clock_on_the_wall() {
        let berlin = calendar("Europe/Berlin", Some(("22:00", "07:00")), &[6, 7]);
        for (from, hours, falls) in [
            // A Tuesday in winter: 15 hours of a day count.
            ("2026-11-24 12:00", 9, "2026-11-25 06:00"),
            ("2026-11-24 12:00", 10, "2026-11-25 07:00"),
            ("2026-11-24 23:00", 1, "2026-11-25 07:00"),
            // From Friday to Monday.
            ("2026-11-27 20:00", 1, "2026-11-30 06:00"),
            ("2026-11-27 20:00", 2, "2026-11-30 07:00"),
        ] {
            assert_eq!(shown(rests(&berlin).fall(at(from), hours * HOUR)), falls, "{hours} from {from}");
        }
    }

    #[test]
    fn a_night_with_a_change_of_clocks_is_longer_or_shorter() {
        let berlin = calendar("Europe/Berlin", Some(("22:00", "07:00")), &[]);
        let counted = |from, until| rests(&berlin).counted(at(from), at(until)) / HOUR;
        // From noon to noon by the wall; on 29 March and 25 October 2026 the clocks change.
        assert_eq!(counted("2026-03-28 11:00", "2026-03-29 10:00"), 15);
        assert_eq!(counted("2026-10-24 10:00", "2026-10-25 11:00"), 15);
        let small_hours = calendar("Europe/Berlin", Some(("01:00", "02:30")), &[]);
        let counted = |from, until| rests(&small_hours).counted(at(from), at(until)) / (HOUR / 60);
        // 2:00 to 3:00 is skipped, or occurs twice.
        assert_eq!(counted("2026-03-29 00:00", "2026-03-29 02:00"), 60);
        assert_eq!(counted("2026-10-24 22:00", "2026-10-25 02:00"), 120);
    }

    #[test]
    fn a_clock_stands_still_in_what_is_common_to_all_or_its_own() {
        let still = |from, until, seat, why| Still { from: at(from), until: at(until), seat, why };
        let stills = [
            still("2026-11-24 00:00", "2026-11-25 00:00", None, Rest::Pause),
            still("2026-11-24 12:00", "2026-11-26 00:00", Some(Seat(0)), Rest::Holiday),
            still("2026-11-26 00:00", "2026-11-30 00:00", Some(Seat(1)), Rest::Holiday),
        ];
        let rests = Rests { seat: Seat(0), calendar: None, stills: &stills };
        assert_eq!(shown(rests.fall(at("2026-11-23 23:00"), 2 * HOUR)), "2026-11-26 01:00");
        assert_eq!(shown(rests.fall(at("2026-11-23 23:00"), HOUR)), "2026-11-26 00:00");
        assert_eq!(rests.standing(at("2026-11-24 00:00")), Some((Rest::Pause, at("2026-11-26 00:00"))));
        assert_eq!(rests.standing(at("2026-11-26 00:00")), None);
    }

    #[test]
    fn nothing_left_falls_at_once_or_when_the_rest_ends() {
        let berlin = calendar("Europe/Berlin", Some(("22:00", "07:00")), &[]);
        assert_eq!(shown(rests(&berlin).fall(at("2026-11-24 12:00"), 0)), "2026-11-24 12:00");
        assert_eq!(shown(rests(&berlin).fall(at("2026-11-24 22:00"), 0)), "2026-11-25 06:00");
    }
}
