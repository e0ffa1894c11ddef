//! Times and lists in words.

use time::format_description::FormatItem;
use time::macros::format_description;
use time::{Duration, OffsetDateTime};

const MOMENT: &[FormatItem<'_>] =
    format_description!("[weekday] [day padding:none] [month repr:long] [year], [hour]:[minute] UTC");

/// A moment written out, as in `Saturday 28 November 2026, 09:06 UTC`.
pub fn moment(at: OffsetDateTime) -> String {
    at.to_utc().format(MOMENT).expect("a year of four digits")
}

/// A time in its two largest units, rounded down, as in `6 days and 23 hours`.
pub fn span(span: Duration) -> String {
    let minutes = span.whole_minutes().max(0);
    let (days, hours, minutes) = (minutes / (24 * 60), minutes / 60 % 24, minutes % 60);
    let parts = match (days, hours, minutes) {
        (0, 0, 0) => return "less than a minute".to_owned(),
        (0, hours, minutes) => [count(hours, "hour"), count(minutes, "minute")],
        (days, hours, _) => [count(days, "day"), count(hours, "hour")],
    };
    list(&parts.into_iter().flatten().collect::<Vec<_>>())
}

/// `1 day`, `2 days`; nothing for none.
fn count(number: i64, unit: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("1 {unit}")),
        _ => Some(format!("{number} {unit}s")),
    }
}

/// `alice`, `alice and bob`, `alice, bob and carol`.
pub fn list<T: AsRef<str>>(parts: &[T]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_moment_is_written_out_in_utc() {
        assert_eq!(moment(datetime!(2026-11-08 01:06:59 +2)), "Saturday 7 November 2026, 23:06 UTC");
    }

    #[test]
    fn a_span_has_two_units_and_no_zeros() {
        let said = |seconds| span(Duration::seconds(seconds));
        assert_eq!(said(7 * 86_400 - 1), "6 days and 23 hours");
        assert_eq!(said(86_400 + 59), "1 day");
        assert_eq!(said(86_399), "23 hours and 59 minutes");
        assert_eq!(said(3_660), "1 hour and 1 minute");
        assert_eq!(said(120), "2 minutes");
        assert_eq!(said(59), "less than a minute");
        assert_eq!(said(-60), "less than a minute");
    }

    #[test]
    fn a_list_ends_in_and() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["alice"]), "alice");
        assert_eq!(list(&["alice", "bob"]), "alice and bob");
        assert_eq!(list(&["alice", "bob", "carol"]), "alice, bob and carol");
    }
}
