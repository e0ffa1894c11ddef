//! Time zones and local times.

use std::fmt;
use std::sync::{Arc, LazyLock};

use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousTimestamp, TimeZone};
use jiff::{Timestamp, ToSpan, Zoned};
use time::OffsetDateTime;

use crate::offsets::Offset;
use pippost_record::record::Timestamp as Stamp;

/// The longest name of a zone, in bytes.
pub const MAX_ZONE_BYTES: usize = 64;

/// The first words of the names of zones that have a place. The others are old names, or offsets whose signs mislead.
const AREAS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

/// How many days are searched for a time of day, because a day may not have it.
const DAYS_AHEAD: i64 = 4;

/// The name is not a known zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a zone of the IANA time zone database is expected, as in Europe/Berlin")]
pub struct UnknownZone;

/// A time zone of the IANA database with all its offset changes, from the program's own copy: the system's may change while games run, and
/// differ between the machines of a server.
#[derive(Clone, PartialEq, Eq)]
pub struct Zone {
    zone: TimeZone,
    /// The name of a zone that this program does not know, or not any more: it counts as UTC.
    unknown: Option<Arc<str>>,
}

impl Zone {
    /// The default zone.
    pub const UTC: Self = Self { zone: TimeZone::UTC, unknown: None };

    /// The zone with a name such as `Europe/Berlin`.
    ///
    /// # Errors
    /// There is no such zone.
    pub fn named(name: &str) -> Result<Self, UnknownZone> {
        if name.len() > MAX_ZONE_BYTES {
            return Err(UnknownZone);
        }
        let zone = TimeZone::get(name).map_err(|_| UnknownZone)?;
        zone.iana_name().map(|_| ()).ok_or(UnknownZone)?;
        Ok(Self { zone, unknown: None })
    }

    /// The names of all zones, but for old names and those without a place, in order.
    #[must_use]
    pub fn names() -> &'static [String] {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            let all = jiff::tz::db().available().map(|name| name.to_string());
            let is_place = |name: &String| {
                name == "UTC" || name.split_once('/').is_some_and(|(area, _)| AREAS.contains(&area))
            };
            let mut names: Vec<String> = all.filter(is_place).collect();
            names.sort_unstable();
            names
        });
        &NAMES
    }

    /// The zone with a name that was known once. A running game goes on if a new version of the program does not know it. A name in
    /// other letters than the database has is none that it knows, so that what is written again stays the same.
    ///
    /// # Errors
    /// The name is none that a zone can have.
    pub fn kept(name: &str) -> Result<Self, UnknownZone> {
        let fits = (1..=MAX_ZONE_BYTES).contains(&name.len());
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-/".contains(&byte);
        match Self::named(name) {
            Ok(zone) if zone.name() == name => Ok(zone),
            _ if fits && name.bytes().all(is_name) => {
                Ok(Self { zone: TimeZone::UTC, unknown: Some(name.into()) })
            }
            _ => Err(UnknownZone),
        }
    }

    /// Whether this program knows it.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.unknown.is_none()
    }

    /// The IANA name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.unknown.as_deref().or(self.zone.iana_name()).unwrap_or("UTC")
    }

    /// The offsets from UTC in seconds, each with the time from which on it holds: first that at `from`, then every other one.
    pub fn changes(&self, from: Stamp) -> impl Iterator<Item = Offset> {
        let first = timestamp(from.get());
        let mut last = self.zone.to_offset(first).seconds();
        let start = (from, last);
        let changes = self
            .zone
            .following(first)
            .map(|change| (Stamp::new(offset_date_time(change.timestamp())), change.offset().seconds()))
            .filter(move |(_, offset)| std::mem::replace(&mut last, *offset) != *offset);
        std::iter::once(start).chain(changes)
    }

    /// The same up to `until`, but for the first.
    #[must_use]
    pub fn offsets(&self, from: Stamp, until: Stamp) -> Vec<Offset> {
        self.changes(from).take_while(|(at, _)| *at <= until.max(from)).collect()
    }

    /// The date at `at`.
    ///
    /// # Panics
    /// Never: a point in time has a date.
    #[must_use]
    pub fn day(&self, at: OffsetDateTime) -> time::Date {
        let date = self.zoned(at).date();
        let month = time::Month::try_from(date.month().unsigned_abs()).expect("a month");
        let day = time::Date::from_calendar_date(date.year().into(), month, date.day().unsigned_abs());
        day.expect("a date")
    }

    /// The beginning of a day: midnight, or the first time after it where clocks go forward then.
    ///
    /// # Panics
    /// The year does not have four digits.
    #[must_use]
    pub fn start_of(&self, day: time::Date) -> OffsetDateTime {
        let small = |number: u8| i8::try_from(number).expect("a small number");
        let year = i16::try_from(day.year()).expect("a year of four digits");
        let date = jiff::civil::Date::constant(year, small(day.month().into()), small(day.day()));
        let start = self.zone.to_ambiguous_timestamp(date.to_datetime(Time::midnight())).compatible();
        offset_date_time(start.unwrap_or(Timestamp::MAX))
    }

    pub(super) fn time_zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The local time at `at`.
    #[must_use]
    pub fn local(&self, at: OffsetDateTime) -> LocalTime {
        let local = self.zoned(at);
        let abbreviation = local.strftime("%Z").to_string();
        LocalTime {
            year: local.year(),
            month: local.month().unsigned_abs(),
            day: local.day().unsigned_abs(),
            weekday: local.weekday().to_monday_one_offset().unsigned_abs(),
            hour: local.hour().unsigned_abs(),
            minute: local.minute().unsigned_abs(),
            // Many zones have no abbreviation, only an offset.
            zone: if abbreviation.starts_with(['+', '-']) {
                format!("UTC{abbreviation}")
            } else {
                abbreviation
            },
        }
    }

    /// The first time after `after` at which the local time is `minute`. A time skipped when clocks go forward comes later by the
    /// same amount; of a time that occurs twice, the first counts.
    #[must_use]
    pub fn next(&self, minute: MinuteOfDay, after: OffsetDateTime) -> OffsetDateTime {
        Self::first_after(after, self.shown(minute, after).filter_map(|shown| shown.compatible().ok()))
    }

    /// The end of the quiet hours, if `at` is within them.
    #[must_use]
    pub fn quiet_until(&self, quiet: QuietHours, at: OffsetDateTime) -> Option<OffsetDateTime> {
        if !self.is_quiet(quiet, at) {
            return None;
        }
        // Both occurrences of a repeated hour are quiet.
        let ends = self.shown(quiet.until, at).flat_map(|shown| [shown.compatible(), shown.later()]);
        let end = Self::first_after(at, ends.filter_map(Result::ok));
        // Clocks that go forward may skip the end.
        let jump =
            self.zone.following(timestamp(at)).next().map(|change| offset_date_time(change.timestamp()));
        Some(jump.filter(|jump| *jump < end && !self.is_quiet(quiet, *jump)).unwrap_or(end))
    }

    /// The beginning of the quiet hours, if `at` is within them.
    #[must_use]
    pub fn quiet_since(&self, quiet: QuietHours, at: OffsetDateTime) -> Option<OffsetDateTime> {
        if !self.is_quiet(quiet, at) {
            return None;
        }
        // A day has at most 25 hours.
        let first = self.next(quiet.from, at - time::Duration::hours(25));
        let second = self.next(quiet.from, first);
        Some(if second <= at { second } else { first })
    }

    /// The times at which the local time is `minute`, on the day of `after` and the following days.
    fn shown(&self, minute: MinuteOfDay, after: OffsetDateTime) -> impl Iterator<Item = AmbiguousTimestamp> {
        let today = self.zoned(after).date();
        let zone = self.zone.clone();
        (0..DAYS_AHEAD).map(move |days| {
            let date = today.saturating_add(days.days());
            zone.to_ambiguous_timestamp(DateTime::from_parts(date, minute.time()))
        })
    }

    fn first_after(after: OffsetDateTime, mut candidates: impl Iterator<Item = Timestamp>) -> OffsetDateTime {
        let now = timestamp(after);
        offset_date_time(candidates.find(|candidate| *candidate > now).unwrap_or(now))
    }

    fn is_quiet(&self, quiet: QuietHours, at: OffsetDateTime) -> bool {
        let local = self.zoned(at).time();
        let now = MinuteOfDay(
            u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs()),
        );
        if quiet.from < quiet.until {
            quiet.from <= now && now < quiet.until
        } else {
            quiet.from <= now || now < quiet.until
        }
    }

    fn zoned(&self, at: OffsetDateTime) -> Zoned {
        timestamp(at).to_zoned(self.zone.clone())
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self::UTC
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Zone({})", self.name())
    }
}

/// A local date and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalTime {
    pub year: i16,
    pub month: u8,
    pub day: u8,
    /// From 1 (Monday) to 7.
    pub weekday: u8,
    pub hour: u8,
    pub minute: u8,
    /// The zone's abbreviation, such as `CET`, or `UTC-03`.
    pub zone: String,
}

/// A time of day, in minutes after midnight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MinuteOfDay(u16);

impl MinuteOfDay {
    /// `minutes` after midnight; `None` from 24:00 on.
    #[must_use]
    pub const fn new(minutes: u16) -> Option<Self> {
        if minutes < 24 * 60 { Some(Self(minutes)) } else { None }
    }

    /// Parses a time such as `07:30`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.split_once(':')?;
        let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(hour) || !digits(minute) {
            return None;
        }
        let minute: u16 = minute.parse().ok().filter(|minute| *minute < 60)?;
        Self::new(hour.parse::<u16>().ok()? * 60 + minute)
    }

    /// Minutes after midnight.
    #[must_use]
    pub fn minutes(self) -> u16 {
        self.0
    }

    fn time(self) -> Time {
        let part = |number: u16| i8::try_from(number).expect("less than 60");
        Time::constant(part(self.0 / 60), part(self.0 % 60), 0, 0)
    }
}

impl fmt::Display for MinuteOfDay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// The part of each day in which a player gets no mails about games; may include midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    from: MinuteOfDay,
    until: MinuteOfDay,
}

impl QuietHours {
    /// `None` if the times are equal, because "no mails at all" is another preference.
    #[must_use]
    pub fn new(from: MinuteOfDay, until: MinuteOfDay) -> Option<Self> {
        (from != until).then_some(Self { from, until })
    }

    #[must_use]
    pub fn from(self) -> MinuteOfDay {
        self.from
    }

    #[must_use]
    pub fn until(self) -> MinuteOfDay {
        self.until
    }
}

fn timestamp(at: OffsetDateTime) -> Timestamp {
    Timestamp::from_nanosecond(at.unix_timestamp_nanos()).expect("a year of four digits")
}

fn offset_date_time(at: Timestamp) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(at.as_nanosecond()).expect("a year of four digits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    fn zone(name: &str) -> Zone {
        Zone::named(name).unwrap_or_else(|_| panic!("{name}"))
    }

    fn at(text: &str) -> MinuteOfDay {
        MinuteOfDay::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    fn quiet(from: &str, until: &str) -> QuietHours {
        QuietHours::new(at(from), at(until)).expect("some hours")
    }

    #[test]
    fn only_names_of_the_database_are_zones() {
        assert_eq!(zone("Europe/Berlin").name(), "Europe/Berlin");
        assert_eq!(zone("UTC").name(), "UTC");
        for name in ["", "Berlin", "Europe/Atlantis", "../../etc/passwd", "+01:00", &"x".repeat(65)] {
            assert_eq!(Zone::named(name), Err(UnknownZone), "{name}");
        }
    }

    #[test]
    fn a_zone_that_is_known_no_more_keeps_its_name_and_counts_as_utc() {
        let gone = Zone::kept("Europe/Atlantis").expect("a name");
        assert_eq!((gone.name(), gone.is_known()), ("Europe/Atlantis", false));
        assert_eq!(gone.local(datetime!(2026-07-01 12:00 UTC)).hour, 12);
        assert_eq!(Zone::kept("Europe/Berlin"), Ok(zone("Europe/Berlin")));
        assert_eq!(
            Zone::kept("europe/berlin").map(|kept| kept.name().to_owned()),
            Ok("europe/berlin".to_owned())
        );
        for name in ["", "no zone", "x\u{e4}", &"x".repeat(65)] {
            assert_eq!(Zone::kept(name), Err(UnknownZone), "{name}");
        }
    }

    #[test]
    fn local_time_follows_the_clocks_of_the_zone() {
        let shown = |name: &str, at| {
            let local = zone(name).local(at);
            format!(
                "{} {}.{}. {:02}:{:02} {}",
                local.weekday, local.day, local.month, local.hour, local.minute, local.zone
            )
        };
        assert_eq!(shown("Europe/Berlin", datetime!(2026-11-28 23:06 UTC)), "7 29.11. 00:06 CET");
        assert_eq!(shown("Europe/Berlin", datetime!(2026-07-01 12:00 UTC)), "3 1.7. 14:00 CEST");
        assert_eq!(shown("America/Sao_Paulo", datetime!(2026-11-28 12:00 UTC)), "6 28.11. 09:00 UTC-03");
        assert_eq!(Zone::UTC.local(datetime!(2026-11-28 12:00 UTC)).zone, "UTC");
    }

    /// A time in UTC, as in `2026-10-25 07:00`.
    fn utc(text: &str) -> OffsetDateTime {
        let text = format!("{}:00Z", text.replace(' ', "T"));
        OffsetDateTime::parse(&text, &time::format_description::well_known::Rfc3339).expect("a time")
    }

    #[test]
    fn the_same_hour_comes_every_day_also_when_clocks_change() {
        let berlin = zone("Europe/Berlin");
        for (minute, after, next) in [
            ("08:00", "2026-11-21 07:00", "2026-11-22 07:00"),
            // Clocks went back on 25 October 2026 at 3:00 summer time.
            ("08:00", "2026-10-24 06:00", "2026-10-25 07:00"),
            // Clocks go forward on 29 March 2026 at 2:00, so 2:30 is an hour later on that day only.
            ("02:30", "2026-03-28 01:30", "2026-03-29 01:30"),
            ("02:30", "2026-03-29 01:30", "2026-03-30 00:30"),
            // 2:30 occurs twice when clocks go back, and counts once.
            ("02:30", "2026-10-25 00:30", "2026-10-26 01:30"),
        ] {
            assert_eq!(berlin.next(at(minute), utc(after)), utc(next), "{minute} after {after}");
        }
    }

    #[test]
    fn quiet_hours_end_by_the_clock_on_the_wall_over_midnight_and_when_clocks_change() {
        let berlin = zone("Europe/Berlin");
        let (night, small_hours) = (quiet("22:00", "07:00"), quiet("01:00", "02:30"));
        for (hours, at, until) in [
            (night, "2026-11-21 20:59", None),
            (night, "2026-11-21 21:00", Some("2026-11-22 06:00")),
            (night, "2026-11-22 05:59", Some("2026-11-22 06:00")),
            (night, "2026-11-22 06:00", None),
            // Nights with a clock change are an hour longer or shorter.
            (night, "2026-10-24 21:00", Some("2026-10-25 06:00")),
            (night, "2026-03-28 22:00", Some("2026-03-29 05:00")),
            // 2:00 to 3:00 does not exist on that day: the quiet hours end with the jump.
            (small_hours, "2026-03-29 00:15", Some("2026-03-29 01:00")),
            // 2:15 occurs twice and is quiet both times.
            (small_hours, "2026-10-25 00:15", Some("2026-10-25 00:30")),
            (small_hours, "2026-10-25 01:15", Some("2026-10-25 01:30")),
        ] {
            assert_eq!(berlin.quiet_until(hours, utc(at)), until.map(utc), "{hours:?} at {at}");
        }
    }

    #[test]
    fn quiet_hours_begin_on_the_evening_before() {
        let berlin = zone("Europe/Berlin");
        let night = quiet("22:00", "07:00");
        for (at, since) in [
            ("2026-11-21 20:59", None),
            ("2026-11-21 21:00", Some("2026-11-21 21:00")),
            ("2026-11-22 05:59", Some("2026-11-21 21:00")),
            ("2026-10-25 05:59", Some("2026-10-24 20:00")),
            ("2026-03-29 04:59", Some("2026-03-28 21:00")),
        ] {
            assert_eq!(berlin.quiet_since(night, utc(at)), since.map(utc), "at {at}");
        }
    }

    #[test]
    fn times_of_day_are_read_and_written_alike() {
        for text in ["00:00", "07:30", "23:59"] {
            assert_eq!(at(text).to_string(), text);
        }
        for text in ["", "7:30", "24:00", "07:60", "07.30", "+7:30", "07:3a"] {
            assert_eq!(MinuteOfDay::parse(text), None, "{text}");
        }
        assert_eq!(QuietHours::new(at("07:00"), at("07:00")), None);
    }
}
