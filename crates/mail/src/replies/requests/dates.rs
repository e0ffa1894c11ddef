//! Reads days as people write them in mails: `12.–20.12.`, `2026-12-12 2026-12-20`, `3 days`.

use time::{Date, Duration, Month};

/// The days of a pause whose line says none.
const DAYS_OF_A_PAUSE: i64 = 7;

/// The most days of which a number is a number of days.
const MAX_DAYS: i64 = 366;

/// A day on which each text is read that may name days, to see whether it does.
const SOME_DAY: Date = time::macros::date!(2026 - 01 - 01);

/// Words between the first and the last day.
const BETWEEN: [&str; 5] = ["to", "until", "till", "bis", "through"];

/// Whether [`until`] reads the text on some day.
pub fn is_until(text: &str) -> bool {
    until(text, SOME_DAY).is_some()
}

/// Whether [`days`] reads the text on some day.
pub fn are_days(text: &str) -> bool {
    days(text, SOME_DAY).is_some()
}

/// The last day of a pause that begins `today`: in so many days, as in `3 days`, or a day. Without a text, a week.
pub fn until(text: &str, today: Date) -> Option<Date> {
    let text = text.trim().to_lowercase();
    let bare = BETWEEN.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(&text).trim();
    if bare.is_empty() {
        return today.checked_add(Duration::days(DAYS_OF_A_PAUSE));
    }
    let digits = bare.len() - bare.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let (number, unit) = bare.split_at(digits);
    if matches!(unit.trim(), "" | "d" | "day" | "days" | "t" | "tag" | "tage") {
        let count: i64 = number.parse().ok()?;
        return (1..=MAX_DAYS).contains(&count).then(|| today.checked_add(Duration::days(count)))?;
    }
    day(bare, today, None)
}

/// The first and the last day that a text names, the same if it names one. Without a year the next such day is meant.
pub fn days(text: &str, today: Date) -> Option<(Date, Date)> {
    let text = text.trim().to_lowercase().replace(['\u{2013}', '\u{2014}'], "-");
    let between = |word: &str| if BETWEEN.contains(&word) { "-".to_owned() } else { word.to_owned() };
    let words: Vec<String> = text.split_whitespace().map(between).collect();
    if let Some(days) = iso_days(&words) {
        return Some(days);
    }
    let joined = words.concat();
    let (first, last) = joined.split_once('-').unwrap_or((&joined, &joined));
    let last_day = day(last, today, None)?;
    let first_day = day(first, today, Some(last_day))?;
    // `28.12.-3.1.` ends in the next year.
    let last_day = if last_day < first_day { day(last, first_day, None)? } else { last_day };
    Some((first_day, last_day))
}

fn iso_days(words: &[String]) -> Option<(Date, Date)> {
    let days: Option<Vec<Date>> = words.iter().filter(|word| *word != "-").map(|word| iso(word)).collect();
    match days?.as_slice() {
        [day] => Some((*day, *day)),
        [first, last] => Some((*first, *last)),
        _ => None,
    }
}

/// A day as in `2026-12-24`.
fn iso(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_iso = parts.next().is_none() && year.len() == 4;
    is_iso.then(|| date(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?))?
}

/// A day as in `24.12.`, `24.12.2026`, or `24.` in the month of `within`; the first one not before `today`.
fn day(text: &str, today: Date, within: Option<Date>) -> Option<Date> {
    if let Some(day) = iso(text) {
        return Some(day);
    }
    let numbers: Option<Vec<i32>> =
        text.trim_end_matches('.').split('.').map(|part| part.trim().parse().ok()).collect();
    let has_point = text.contains('.') || within.is_some();
    match (numbers?.as_slice(), within) {
        ([day, month, year], _) => date(*year, (*month).try_into().ok()?, (*day).try_into().ok()?),
        ([day, month], _) if has_point => {
            let of_year = |year| date(year, (*month).try_into().ok()?, (*day).try_into().ok()?);
            [0, 1].into_iter().filter_map(|ahead| of_year(today.year() + ahead)).find(|day| *day >= today)
        }
        ([day], Some(within)) => date(within.year(), within.month().into(), (*day).try_into().ok()?),
        _ => None,
    }
}

fn date(year: i32, month: u8, day: u8) -> Option<Date> {
    Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    const TODAY: Date = date!(2026 - 11 - 28);

    #[test]
    fn days_are_read_as_people_write_them() {
        let week = Some((date!(2026 - 12 - 12), date!(2026 - 12 - 20)));
        for text in [
            "12.–20.12.",
            "12.12.-20.12.",
            "12.12. - 20.12.",
            "12. bis 20.12.",
            "12.12.2026 to 20.12.2026",
            "2026-12-12 2026-12-20",
            "2026-12-12 - 2026-12-20",
        ] {
            assert_eq!(days(text, TODAY), week, "{text}");
        }
        let over_new_year = Some((date!(2026 - 12 - 28), date!(2027 - 01 - 03)));
        assert_eq!(days("28.12.-3.1.", TODAY), over_new_year);
        assert_eq!(days("1.3.", TODAY), Some((date!(2027 - 03 - 01), date!(2027 - 03 - 01))));
        for text in ["", "soon", "32.12.", "12", "12-20", "in december", "1.2.3.4", "9999999999.1."] {
            assert_eq!(days(text, TODAY), None, "{text}");
        }
    }

    #[test]
    fn a_pause_ends_in_some_days_or_on_a_day() {
        assert_eq!(until("", TODAY), Some(date!(2026 - 12 - 05)));
        for text in ["3", "3 days", "3d", "3 Tage", "1.12.", "until 1.12.", "bis 2026-12-01"] {
            assert_eq!(until(text, TODAY), Some(date!(2026 - 12 - 01)), "{text}");
        }
        for text in ["0", "400", "a while", "for a bit", "-1", "3 moves"] {
            assert_eq!(until(text, TODAY), None, "{text}");
        }
    }
}
