//! A player's calendar: the nights and rest days that do not count.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::offsets::Offsets;
use super::zone::{MinuteOfDay, Zone};
use super::{MICROSECONDS, microseconds_of, timestamp_of};
use pippost_record::record::Timestamp as Stamp;

/// The longest night, in minutes: 12 hours.
pub const MAX_NIGHT_MINUTES: u16 = 12 * 60;

/// The most rest days in a week.
pub const MAX_REST_DAYS: usize = 2;

/// Minutes in a day.
const DAY_MINUTES: u16 = 24 * 60;

/// A minute in microseconds.
const MINUTE: i64 = 60 * MICROSECONDS;

/// A day of 24 hours in microseconds.
const DAY: i64 = 24 * 60 * MINUTE;

/// Why a clock stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ClockRest)]
pub enum Rest {
    Night,
    RestDay,
    Holiday,
    Pause,
    DownTime,
    /// The flag of the seat fell, and the seat waits for a substitute.
    Vacancy,
}

/// The hours of each night that do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Night {
    from: MinuteOfDay,
    until: MinuteOfDay,
}

impl Night {
    /// `None` if it is empty or longer than [`MAX_NIGHT_MINUTES`].
    #[must_use]
    pub fn new(from: MinuteOfDay, until: MinuteOfDay) -> Option<Self> {
        let minutes = (DAY_MINUTES + until.minutes() - from.minutes()) % DAY_MINUTES;
        (1..=MAX_NIGHT_MINUTES).contains(&minutes).then_some(Self { from, until })
    }

    #[must_use]
    pub fn from(self) -> MinuteOfDay {
        self.from
    }

    #[must_use]
    pub fn until(self) -> MinuteOfDay {
        self.until
    }

    fn contains(self, minute: u16) -> bool {
        let (from, until) = (self.from.minutes(), self.until.minutes());
        if from < until { (from..until).contains(&minute) } else { minute >= from || minute < until }
    }
}

/// Weekdays, ascending from 1 (Monday) to 7.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RestDays(Vec<u8>);

impl RestDays {
    /// `None` if there are too many, or one is no weekday or given twice.
    #[must_use]
    pub fn new(mut days: Vec<u8>) -> Option<Self> {
        days.sort_unstable();
        let distinct = days.windows(2).all(|pair| pair[0] < pair[1]);
        let known = days.iter().all(|day| (1..=7).contains(day));
        (distinct && known && days.len() <= MAX_REST_DAYS).then_some(Self(days))
    }

    #[must_use]
    pub fn days(&self) -> &[u8] {
        &self.0
    }
}

/// When a player rests, by the clock on the player's wall. A point in time rests if the local time then is within the night or on a
/// rest day, so an hour that occurs twice rests twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calendar {
    pub night: Option<Night>,
    /// Those of the zone that count in a game, as they were when it took the calendar. None: those that this program knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offsets: Option<Offsets>,
    pub rest_days: RestDays,
    pub zone: Zone,
}

/// A point in time by a calendar: why it rests, if it does, and a later point up to which that stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub rest: Option<Rest>,
    pub until: i64,
}

impl Calendar {
    /// What of it a game with these permissions takes; `None` if nothing of it rests.
    #[must_use]
    pub fn permitted(&self, nights: bool, rest_days: bool) -> Option<Self> {
        let night = self.night.filter(|_| nights);
        let rest_days = if rest_days { self.rest_days.clone() } else { RestDays::default() };
        let rests = night.is_some() || !rest_days.0.is_empty();
        rests.then(|| Self { night, offsets: self.offsets.clone(), rest_days, zone: self.zone.clone() })
    }

    /// The same with the offsets of its zone as this program knows them, for a line that is written at `at`.
    #[must_use]
    pub fn with_offsets(self, at: Stamp) -> Self {
        Self { offsets: Some(Offsets::of(&self.zone, at)), ..self }
    }

    /// Whether `newer`, which a game could take at `at`, rests when this one does from then on.
    #[must_use]
    pub fn goes_on_as(&self, newer: &Self, at: Stamp) -> bool {
        let offsets = match (&self.offsets, &newer.offsets) {
            (Some(own), Some(newer)) => own.go_on_as(newer, at),
            (own, newer) => own == newer,
        };
        offsets && self.night == newer.night && self.rest_days == newer.rest_days && self.zone == newer.zone
    }

    /// Whether it is one that a player may have: a stored or foreign one may not be.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let night = self.night.is_none_or(|night| Night::new(night.from, night.until).is_some());
        night && RestDays::new(self.rest_days.0.clone()).as_ref() == Some(&self.rest_days)
    }

    /// The stretch that begins at `at`, in microseconds since 1970.
    pub(super) fn stretch(&self, at: i64) -> Stretch {
        let (offset, change) = self.offset(at);
        let local = at + offset;
        let (day, within) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let minute = u16::try_from(within / MINUTE).expect("less than a day");
        // 1 January 1970 was a Thursday.
        let weekday = u8::try_from((day + 3).rem_euclid(7) + 1).expect("1 to 7");
        let rest = if self.rest_days.0.contains(&weekday) {
            Some(Rest::RestDay)
        } else if self.night.is_some_and(|night| night.contains(minute)) {
            Some(Rest::Night)
        } else {
            None
        };
        let marks = self.night.map(|night| [night.from, night.until]).into_iter().flatten();
        let marks = marks.map(|mark| i64::from(mark.minutes()) * MINUTE).chain([DAY]);
        let next = marks.filter(|mark| *mark > within).min().expect("the day ends");
        let until = day * DAY + next - offset;
        Stretch { rest, until: change.map_or(until, |change| until.min(change)) }
    }

    /// The offset at a time, and when it changes next, all in microseconds.
    fn offset(&self, at: i64) -> (i64, Option<i64>) {
        if let Some(offsets) = &self.offsets {
            return offsets.at(at);
        }
        let (zone, now) = (self.zone.time_zone(), timestamp_of(at));
        (i64::from(zone.to_offset(now).seconds()) * MICROSECONDS, next_change(zone, now))
    }
}

/// The next change of a zone's offset.
fn next_change(zone: &TimeZone, after: Timestamp) -> Option<i64> {
    zone.following(after).next().map(|change| microseconds_of(change.timestamp()))
}

impl Serialize for MinuteOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MinuteOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a time of day is expected, as in 07:30"))
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::kept(&name).map_err(serde::de::Error::custom)
    }
}
