//! The time that players have, in the form of a new game: one of the usual paces, or hours and days of one's own.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use super::lists::pace;
use pippost_clock::control::DEFAULT_LIMIT_HOURS;
use pippost_clock::{Bank, TimeControl};
use pippost_language::Language;

/// The entries of the form by name; a box that is not ticked is not sent.
type Fields = BTreeMap<String, String>;

/// The pace that is given in the other fields.
const OWN: &str = "own";

/// Says that the form has the boxes of what does not count, of which only the ticked ones are sent.
const RESTS_CHOSEN: &str = "rests_chosen";

/// The offered limits for a turn, in hours, beside those of [`TimeControl::PRESETS`].
const OTHER_LIMITS_HOURS: [i32; 3] = [1, 12, 14 * 24];

/// The units of time, by name, in hours.
const UNITS: [(&str, i32); 2] = [("hours", 1), ("days", 24)];

/// The offered time controls with their names in the form: the limits by length, then those with a bank, then none.
fn paces() -> Vec<(String, TimeControl)> {
    let others = OTHER_LIMITS_HOURS.map(|hours| (format!("{hours}-hours"), TimeControl::limited(hours)));
    let presets = TimeControl::PRESETS.map(|preset| (preset.name.to_owned(), preset.control));
    let mut paces: Vec<_> = others.into_iter().chain(presets).collect();
    paces.sort_by_key(|(_, control)| (control.is_unlimited(), control.bank.is_some(), control.limit_hours));
    paces
}

/// The time control that the form asks for. What is no number is refused later, as hours that are out of range.
pub fn read(given: &Fields) -> TimeControl {
    let text = |name: &str| given.get(name).map_or("", |value| value.trim());
    let control = match text("pace") {
        OWN => own(given),
        wanted => {
            let pace = paces().into_iter().find(|(name, _)| name == wanted);
            pace.map_or(TimeControl::limited(DEFAULT_LIMIT_HOURS), |(_, control)| control)
        }
    };
    let counts = |name: &str| !given.contains_key(RESTS_CHOSEN) || given.contains_key(name);
    TimeControl {
        nights: counts("nights"),
        rest_days: counts("rest_days"),
        holidays: counts("holidays"),
        ..control
    }
}

/// The hours of a field in the unit of the form; `None` if it is empty.
fn hours(given: &Fields, name: &str) -> Option<i32> {
    let unit = given.get("unit").map_or("", String::as_str);
    let (_, factor) = UNITS.into_iter().find(|(known, _)| *known == unit).unwrap_or(UNITS[1]);
    let text = given.get(name).map_or("", |value| value.trim());
    let number = (!text.is_empty()).then(|| text.parse::<i32>().unwrap_or(-1))?;
    Some(number.saturating_mul(factor))
}

fn own(given: &Fields) -> TimeControl {
    let bank = given.contains_key("bank").then(|| {
        let start_hours = hours(given, "bank_start").unwrap_or(-1);
        let gain_hours = hours(given, "bank_gain").unwrap_or(0);
        // Without a cap the bank holds what it begins with.
        Bank { start_hours, gain_hours, cap_hours: hours(given, "bank_cap").unwrap_or(start_hours) }
    });
    let wait_hours = hours(given, "wait").unwrap_or(0);
    TimeControl { limit_hours: hours(given, "limit"), bank, wait_hours, ..TimeControl::UNLIMITED }
}

/// The fields of the form, as they were typed before.
pub fn shown(given: &Fields, chosen: &TimeControl, language: Language) -> Value {
    let is_own = given.get("pace").is_some_and(|pace| pace == OWN);
    let is_chosen = |control: &TimeControl| {
        !is_own && control.limit_hours == chosen.limit_hours && control.bank == chosen.bank
    };
    let offered = |(name, control): (String, TimeControl)| {
        context! { name, label => pace(&control, language), is_chosen => is_chosen(&control) }
    };
    let field = |name: &str| given.get(name).cloned().unwrap_or_default();
    let unit = given.get("unit").cloned().unwrap_or_else(|| UNITS[1].0.to_owned());
    context! {
        paces => paces().into_iter().map(offered).collect::<Vec<_>>(),
        own_pace => is_own,
        units => UNITS.map(|(name, _)| context! { name, is_chosen => name == unit }).to_vec(),
        limit => field("limit"),
        has_bank => given.contains_key("bank"),
        bank_start => field("bank_start"),
        bank_gain => field("bank_gain"),
        bank_cap => field("bank_cap"),
        wait => field("wait"),
        rests => [("nights", chosen.nights), ("rest_days", chosen.rest_days), ("holidays", chosen.holidays)]
            .map(|(name, is_on)| context! { name, is_on })
            .to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(fields: &[(&str, &str)]) -> TimeControl {
        let field = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        read(&fields.iter().map(field).collect())
    }

    #[test]
    fn a_pace_of_ones_own_is_read_in_its_unit_and_what_is_no_number_is_refused() {
        let own = [("pace", "own"), ("unit", "days"), ("limit", "2"), ("wait", "3"), ("bank", "on")];
        let banked =
            control(&[&own[..], &[("bank_start", "5"), ("bank_gain", "1"), ("bank_cap", "9")]].concat());
        let bank = Bank { start_hours: 120, gain_hours: 24, cap_hours: 216 };
        let expected =
            TimeControl { limit_hours: Some(48), bank: Some(bank), wait_hours: 72, ..TimeControl::UNLIMITED };
        assert_eq!((banked, banked.check()), (expected, Ok(())));
        assert_eq!(control(&[("pace", "own"), ("unit", "hours"), ("limit", "36")]).limit_hours, Some(36));
        assert_eq!(control(&[("pace", "own")]).limit_hours, None);
        for limit in ["x", "-1", "0", "99999999999", "2147483647"] {
            assert!(control(&[("pace", "own"), ("limit", limit)]).check().is_err(), "{limit}");
        }
        assert!(control(&[("pace", "own"), ("bank", "on")]).check().is_err(), "an empty bank");
    }

    #[test]
    fn nights_rest_days_and_holidays_do_not_count_unless_their_boxes_are_cleared() {
        let usual = control(&[("pace", "3-days")]);
        assert!(usual.nights && usual.rest_days && usual.holidays);
        let strict = control(&[("pace", "3-days"), ("rests_chosen", "on"), ("holidays", "on")]);
        assert_eq!(
            (strict.limit_hours, strict.nights, strict.rest_days, strict.holidays),
            (Some(72), false, false, true)
        );
    }
}
