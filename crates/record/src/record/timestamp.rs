//! Timestamps of a record: UTC with six decimals.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use crate::rules::schema::{self, named_schema};

/// The length of a written timestamp, in characters.
const LENGTH: usize = "2026-11-21T09:06:00.123456Z".len();

/// A point in time with microseconds, year 0001 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(OffsetDateTime);

named_schema!(Timestamp, "Timestamp", schema::date_time("A point in time in UTC with six decimals."));

impl Timestamp {
    /// The point in time, truncated to whole microseconds.
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

    /// Reads a time as RFC 3339 writes it, with any offset; `None` also for one that is not in the years 1 to 9999 of UTC.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let at = OffsetDateTime::parse(text, &Rfc3339).ok()?.checked_to_offset(UtcOffset::UTC)?;
        (1..=9999).contains(&at.year()).then(|| Self::new(at))
    }

    /// Parses exactly the format of a record.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text: &[u8; LENGTH] = text.as_bytes().try_into().ok()?;
        let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (26, b'Z')];
        if marks.iter().any(|(index, mark)| text[*index] != *mark) {
            return None;
        }
        let year = i32::try_from(number(&text[0..4])?).ok().filter(|year| *year > 0)?;
        let small = |digits: &[u8]| u8::try_from(number(digits)?).ok();
        let month = Month::try_from(small(&text[5..7])?).ok()?;
        let date = Date::from_calendar_date(year, month, small(&text[8..10])?).ok()?;
        let [hour, minute, second] = [&text[11..13], &text[14..16], &text[17..19]].map(small);
        let time = Time::from_hms_micro(hour?, minute?, second?, number(&text[20..26])?).ok()?;
        Some(Self(PrimitiveDateTime::new(date, time).assume_utc()))
    }
}

/// A number of digits only.
fn number(digits: &[u8]) -> Option<u32> {
    digits
        .iter()
        .try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0')))
}

impl Timestamp {
    /// The format of a record. Written by hand because events and views have several, and a general formatter is ten times
    /// slower.
    fn text(self) -> [u8; LENGTH] {
        let at = self.0;
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        let parts = [
            (0..4, u32::try_from(at.year()).unwrap_or_default()),
            (5..7, u8::from(at.month()).into()),
            (8..10, at.day().into()),
            (11..13, at.hour().into()),
            (14..16, at.minute().into()),
            (17..19, at.second().into()),
            (20..26, at.microsecond()),
        ];
        for (place, mut number) in parts {
            for digit in text[place].iter_mut().rev() {
                *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
                number /= 10;
            }
        }
        text
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(std::str::from_utf8(&self.text()).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text();
        serializer.serialize_str(std::str::from_utf8(&text).map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
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
            assert_eq!(Timestamp::parse(text).expect(text).to_string(), text);
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
            "2026-+1-21T09:06:00.123456Z",
            "2026-11-21T09:06:00.+23456Z",
            "2026-13-21T09:06:00.123456Z",
            "2026-00-21T09:06:00.123456Z",
            "2026-11-00T09:06:00.123456Z",
            "2026-11-21T09:60:00.123456Z",
            "2026-11-21T09:06:00,123456Z",
            "2026-11-21T09:06:00.12345\u{e9}",
            "2026-11-21T09:06:00.123456+",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
