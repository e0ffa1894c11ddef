//! Formats times and lists.

use time::{Date, Duration, OffsetDateTime};

use pippost_record::voice;

use super::{Arguments, Language};
use pippost_clock::Zone;

/// What follows the handle of a program's account, where people read of it. The word is the same in all languages.
const BOT_MARK: &str = "(bot)";

/// A player's handle, marked if a program plays on the account.
#[must_use]
pub fn player(handle: &str, bot: bool) -> String {
    if bot { format!("{handle} {BOT_MARK}") } else { handle.to_owned() }
}

/// The most opponents named in a game's name; longer lists are hard to read.
const NAMED_OPPONENTS: usize = 3;

/// A game's name, which is the same in everything that is sent about it, such as `Six•Six against bob`.
#[must_use]
pub fn game_name(rules_title: &str, opponents: &[String], language: Language) -> String {
    let named = |key, arguments: Arguments| language.say_with(key, &arguments.text("rules", rules_title));
    match opponents {
        [] => rules_title.to_owned(),
        few if few.len() <= NAMED_OPPONENTS => {
            named("game-against", Arguments::default().text("opponents", list(few, language)))
        }
        [first, rest @ ..] => {
            let arguments = Arguments::default().text("first", first).text("others", rest.len().to_string());
            named("game-against-many", arguments)
        }
    }
}

/// From here on minutes are not said.
const MINUTES_OF_HALF_A_DAY: i64 = 12 * 60;

/// A date and time in `zone`, such as `Saturday 28 November 2026, 10:06 CET`.
#[must_use]
pub fn date_time(at: OffsetDateTime, zone: &Zone, language: Language) -> String {
    let local = zone.local(at);
    let arguments = Arguments::default()
        .number("weekday", local.weekday.into())
        .number("month", local.month.into())
        .text("day", local.day.to_string())
        .text("year", local.year.to_string())
        .text("time", format!("{:02}:{:02}", local.hour, local.minute))
        .text("zone", local.zone);
    language.say_with("date-time", &arguments)
}

/// A date, such as `Saturday 28 November 2026`.
#[must_use]
pub fn date(day: Date, language: Language) -> String {
    let arguments = Arguments::default()
        .number("weekday", day.weekday().number_from_monday().into())
        .number("month", u8::from(day.month()).into())
        .text("day", day.day().to_string())
        .text("year", day.year().to_string());
    language.say_with("date", &arguments)
}

/// A day of the week, from 1 (Monday) to 7.
#[must_use]
pub fn weekday(number: u8, language: Language) -> String {
    language.say_with("weekday", &Arguments::default().number("weekday", number.into()))
}

/// A duration in its two largest units, such as `6 days and 23 hours`: rounded to the nearest hour from half a day on,
/// rounded down below.
#[must_use]
pub fn span(span: Duration, language: Language) -> String {
    let minutes = span.whole_minutes().max(0);
    let minutes = if minutes >= MINUTES_OF_HALF_A_DAY { (minutes + 30) / 60 * 60 } else { minutes };
    let (days, hours, minutes) = (minutes / (24 * 60), minutes / 60 % 24, minutes % 60);
    let parts = match (days, hours, minutes) {
        (0, 0, 0) => return language.say("less-than-a-minute"),
        (0, hours, minutes) => [("hours", hours), ("minutes", minutes)],
        (days, hours, _) => [("days", days), ("hours", hours)],
    };
    let told = parts.into_iter().filter(|(_, count)| *count > 0);
    let parts: Vec<_> = told
        .map(|(unit, count)| language.say_with(unit, &Arguments::default().number("count", count)))
        .collect();
    list(&parts, language)
}

/// A duration in its largest unit, such as `5 hours`, for figures that are no appointments: hours up to two days, rounded up.
#[must_use]
pub fn rough_span(span: Duration, language: Language) -> String {
    let seconds = span.whole_seconds().max(0);
    let (unit, count) = match seconds {
        ..60 => return language.say("less-than-a-minute"),
        60..=3_540 => ("minutes", (seconds + 59) / 60),
        3_541..=172_800 => ("hours", (seconds + 3_599) / 3_600),
        _ => ("days", (seconds + 86_399) / 86_400),
    };
    language.say_with(unit, &Arguments::default().number("count", count))
}

/// `alice`, `alice and bob`, `alice, bob and carol`.
#[must_use]
pub fn list<T: AsRef<str>>(parts: &[T], language: Language) -> String {
    voice::list(parts, &|key, arguments| language.say_with(key, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_moment_is_written_out_as_the_clocks_of_the_reader_show_it() {
        let at = datetime!(2026-11-08 01:06:59 +2);
        assert_eq!(date_time(at, &Zone::UTC, Language::ENGLISH), "Saturday 7 November 2026, 23:06 UTC");
        let berlin = Zone::named("Europe/Berlin").expect("a zone");
        assert_eq!(date_time(at, &berlin, Language::ENGLISH), "Sunday 8 November 2026, 00:06 CET");
        assert_eq!(date_time(at, &berlin, Language::GERMAN), "Sonntag, 8. November 2026, 00:06 Uhr (CET)");
    }

    #[test]
    fn a_span_has_two_units_and_no_zeros() {
        let said = |seconds| span(Duration::seconds(seconds), Language::ENGLISH);
        assert_eq!(said(7 * 86_400 - 5), "7 days");
        assert_eq!(said(7 * 86_400 - 3_600), "6 days and 23 hours");
        assert_eq!(said(86_400 + 59), "1 day");
        assert_eq!(said(86_399), "1 day");
        assert_eq!(said(12 * 3_600 + 60), "12 hours");
        assert_eq!(said(12 * 3_600 - 1), "11 hours and 59 minutes");
        assert_eq!(said(3_660), "1 hour and 1 minute");
        assert_eq!(said(120), "2 minutes");
        assert_eq!(said(59), "less than a minute");
        assert_eq!(said(-60), "less than a minute");
        assert_eq!(span(Duration::seconds(7 * 86_400 - 3_600), Language::GERMAN), "6 Tage und 23 Stunden");
    }

    #[test]
    fn a_rough_span_has_one_unit() {
        let said = |seconds| rough_span(Duration::seconds(seconds), Language::ENGLISH);
        assert_eq!(said(59), "less than a minute");
        assert_eq!(said(60), "1 minute");
        assert_eq!(said(3_540), "59 minutes");
        assert_eq!(said(3_541), "1 hour");
        assert_eq!(said(18_001), "6 hours");
        assert_eq!(said(172_800), "48 hours");
        assert_eq!(said(172_801), "3 days");
        assert_eq!(rough_span(Duration::hours(5), Language::GERMAN), "5 Stunden");
    }

    #[test]
    fn a_list_ends_in_and() {
        let said = |parts: &[&str]| list(parts, Language::ENGLISH);
        assert_eq!(said(&[]), "");
        assert_eq!(said(&["alice"]), "alice");
        assert_eq!(said(&["alice", "bob"]), "alice and bob");
        assert_eq!(said(&["alice", "bob", "carol"]), "alice, bob and carol");
        assert_eq!(list(&["alice", "bob"], Language::GERMAN), "alice und bob");
    }
}
