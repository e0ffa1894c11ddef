//! A time of a record: UTC with six decimals.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime, UtcOffset};

const FORM: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z");

/// Length of a written moment, in characters.
const LENGTH: usize = "2026-11-21T09:06:00.123456Z".len();

/// A moment with microseconds, year 0001 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(OffsetDateTime);

impl Moment {
    /// The moment, cut to whole microseconds.
    #[must_use]
    pub fn new(at: OffsetDateTime) -> Self {
        let at = at.to_offset(UtcOffset::UTC);
        let whole = at.nanosecond() / 1000 * 1000;
        Self(at.replace_nanosecond(whole).expect("fewer nanoseconds than before"))
    }

    #[must_use]
    pub fn get(self) -> OffsetDateTime {
        self.0
    }

    /// Reads exactly the form of a record.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != LENGTH || text.starts_with("0000") {
            return None;
        }
        let at = PrimitiveDateTime::parse(text, FORM).ok()?.assume_utc();
        Some(Self(at))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.0;
        write!(
            out,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
            at.year(),
            u8::from(at.month()),
            at.day(),
            at.hour(),
            at.minute(),
            at.second(),
            at.microsecond()
        )
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a UTC time with six decimals expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_they_are_written() {
        for text in
            ["0001-01-01T00:00:00.000000Z", "2026-11-21T09:06:00.123456Z", "2024-02-29T23:59:59.999999Z"]
        {
            assert_eq!(Moment::parse(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn other_forms_and_impossible_times_are_refused() {
        for text in [
            "0000-01-01T00:00:00.000000Z",
            "2023-02-29T00:00:00.000000Z",
            "2026-11-21T24:00:00.000000Z",
            "2026-11-21T09:06:60.000000Z",
            "2026-11-21T09:06:00.12345Z",
            "2026-11-21T09:06:00.1234567Z",
            "2026-11-21T09:06:00.123456z",
            "2026-11-21 09:06:00.123456Z",
            "+026-11-21T09:06:00.123456Z",
            "2026-11-21T09:06:00.123456+",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
