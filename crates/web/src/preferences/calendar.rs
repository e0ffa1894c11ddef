//! Time: the zone, and the nights, rest days and holidays on which a player's clocks stand still.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;
use time::format_description::well_known::Iso8601;
use time::{Date, OffsetDateTime};

use super::{PreferencesPage, Section, back, show};
use crate::form::Posted;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::calendars::{CalendarRefused, HOLIDAY_DAYS_A_YEAR, Holiday, MAX_CHANGES_A_WEEK};
use pippost_accounts::{Account, AccountError, PreferencesChange};
use pippost_clock::{Calendar, MinuteOfDay, Night, RestDays, Zone};
use pippost_http::Problem;
use pippost_language::{Arguments, Language, words};

/// The fields of the form by name; a box that is not ticked is not sent.
type Fields = BTreeMap<String, String>;

/// The night that is shown to whoever has none.
const USUAL_NIGHT: [&str; 2] = ["23:00", "07:00"];

/// What the page shows of the player's time.
pub(super) async fn shown(
    accounts: &PreferencesPage,
    account: &Account,
    visitor: &Visitor,
) -> Result<Value, Problem> {
    let (player_id, language) = (account.player_id, visitor.language);
    let calendar = accounts.calendar(player_id).await?;
    let now = accounts.now();
    let holidays = accounts.holidays(player_id).await?;
    let holidays: Vec<_> = holidays.iter().map(|holiday| booked(holiday, now, language)).collect();
    Ok(context! {
        zones => Zone::names().to_vec(),
        now => words::date_time(now, &visitor.zone, language),
        today => visitor.zone.day(now).to_string(),
        changes_a_week => MAX_CHANGES_A_WEEK,
        days_a_year => HOLIDAY_DAYS_A_YEAR,
        holidays,
        automatic_days => accounts.automatic_holiday(player_id).await?,
        ..entered(&calendar, &visitor.zone, language)
    })
}

fn booked(holiday: &Holiday, now: OffsetDateTime, language: Language) -> Value {
    let days = Arguments::default()
        .text("first", words::date(holiday.first_day, language))
        .text("last", words::date(holiday.last_day, language));
    context! { words => language.say_with("holidays-days", &days), lasts => holiday.from <= now }
}

/// The entries of the calendar's form.
fn entered(calendar: &Calendar, zone: &Zone, language: Language) -> Value {
    let [from, until] = USUAL_NIGHT.map(str::to_owned);
    let rests = calendar.rest_days.days();
    let days = (1..=7_u8).map(|day| {
        context! { number => day, name => words::weekday(day, language), rests => rests.contains(&day) }
    });
    context! {
        zone => zone.name(),
        is_night => calendar.night.is_some(),
        night_from => calendar.night.map_or(from, |night| night.from().to_string()),
        night_until => calendar.night.map_or(until, |night| night.until().to_string()),
        days => days.collect::<Vec<_>>(),
    }
}

/// What the form asks for; or the name of a problem with it, and the key of its text.
fn asked(fields: &Fields) -> Result<Calendar, (&'static str, &'static str)> {
    let field = |name: &str| fields.get(name).map_or("", |value| value.trim());
    let zone = Zone::named(field("zone")).map_err(|_| ("zone_problem", "preferences-zone-bad"))?;
    let time = |name| MinuteOfDay::parse(field(name));
    let night = match (fields.contains_key("night"), time("night_from").zip(time("night_until"))) {
        (false, _) => None,
        (true, times) => {
            let night = times.and_then(|(from, until)| Night::new(from, until));
            Some(night.ok_or(("night_problem", "time-nights-bad"))?)
        }
    };
    let rest_days = (1..=7).filter(|day| fields.contains_key(&format!("rest-{day}"))).collect();
    let rest_days = RestDays::new(rest_days).ok_or(("rest_problem", "time-rest-days-bad"))?;
    Ok(Calendar { night, offsets: None, rest_days, zone })
}

/// What was typed, for a form that is shown again.
fn typed(fields: &Fields, language: Language) -> Value {
    let days = (1..=7_u8).map(|day| {
        let rests = fields.contains_key(&format!("rest-{day}"));
        context! { number => day, name => words::weekday(day, language), rests }
    });
    context! {
        zone => fields.get("zone"),
        is_night => fields.contains_key("night"),
        night_from => fields.get("night_from"),
        night_until => fields.get("night_until"),
        days => days.collect::<Vec<_>>(),
    }
}

/// Sets the zone, of times on pages and in mails as of the calendar, the nights and the rest days.
#[post("/preferences/time")]
pub async fn change_time(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<Fields>,
) -> Result<HttpResponse, Problem> {
    let fields = form.into_inner();
    let (player_id, language) = (signed_in.account.player_id, signed_in.visitor.language);
    let calendar = match asked(&fields) {
        Ok(calendar) => calendar,
        Err((name, key)) => {
            let problem = BTreeMap::from([(name, language.say(key))]);
            let more = context! { ..problem, ..typed(&fields, language) };
            return show(StatusCode::UNPROCESSABLE_ENTITY, Section::Time, signed_in, &accounts, more).await;
        }
    };
    let zone = calendar.zone.clone();
    if accounts.calendar(player_id).await? != calendar
        && let Err(error) = accounts.set_calendar(player_id, &calendar).await
    {
        let more = context! { problem => refusal(error, language)?, ..typed(&fields, language) };
        return show(StatusCode::CONFLICT, Section::Time, signed_in, &accounts, more).await;
    }
    let change = PreferencesChange { zone: Some(zone), ..PreferencesChange::default() };
    accounts.change_preferences(player_id, change).await?;
    Ok(back("time", Section::Time, "main"))
}

/// The days of a holiday, as browsers send dates.
#[derive(Debug, Default, Deserialize)]
pub struct HolidayForm {
    #[serde(default)]
    first_day: String,
    #[serde(default)]
    last_day: String,
}

#[post("/preferences/holiday")]
pub async fn book_holiday(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<HolidayForm>,
) -> Result<HttpResponse, Problem> {
    let HolidayForm { first_day, last_day } = form.into_inner();
    let (player_id, visitor) = (signed_in.account.player_id, &signed_in.visitor);
    let language = visitor.language;
    let days = [&first_day, &last_day].map(|day| Date::parse(day, &Iso8601::DATE));
    let refused = match days {
        [Ok(first), Ok(last)] => {
            adopt_zone(&accounts, player_id, visitor).await?;
            match accounts.book_holiday(player_id, (first, last), None, |_| String::new()).await {
                Ok(_) => return Ok(back("time", Section::Time, "holidays")),
                Err(error) => refusal(error, language)?,
            }
        }
        _ => language.say("holidays-unreadable"),
    };
    let more = context! { holiday_problem => refused, first_day, last_day };
    show(StatusCode::UNPROCESSABLE_ENTITY, Section::Time, signed_in, &accounts, more).await
}

/// Whoever has never set a calendar means the days of the zone that the page shows.
async fn adopt_zone(
    accounts: &PreferencesPage,
    player_id: uuid::Uuid,
    visitor: &Visitor,
) -> Result<(), Problem> {
    let calendar = accounts.calendar(player_id).await?;
    let rests = calendar.night.is_some() || !calendar.rest_days.days().is_empty();
    if rests || calendar.zone == visitor.zone {
        return Ok(());
    }
    let adopted = Calendar { zone: visitor.zone.clone(), ..calendar };
    match accounts.set_calendar(player_id, &adopted).await {
        Ok(()) | Err(AccountError::CalendarRefused(CalendarRefused::TooManyChanges)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct AutomaticForm {
    #[serde(default)]
    days: String,
}

#[post("/preferences/automatic-holiday")]
pub async fn change_automatic_holiday(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<AutomaticForm>,
) -> Result<HttpResponse, Problem> {
    // The browser checks the number; what is none switches it off.
    let days = form.into_inner().days.trim().parse().unwrap_or(0);
    accounts.set_automatic_holiday(signed_in.account.player_id, days).await?;
    Ok(back("time", Section::Time, "automatic"))
}

/// Why a calendar is not changed, in words.
fn refusal(error: AccountError, language: Language) -> Result<String, Problem> {
    let AccountError::CalendarRefused(refused) = error else { return Err(error.into()) };
    let key = match refused {
        CalendarRefused::TooManyChanges => "time-too-many",
        CalendarRefused::NotBookable => "holidays-not-bookable",
        CalendarRefused::NotThatLong => "holidays-too-long",
        CalendarRefused::Overlaps => "holidays-overlap",
        CalendarRefused::TooMany => "holidays-too-many",
        CalendarRefused::OverBudget { year, left } => {
            let left = Arguments::default().text("year", year.to_string()).number("left", left.into());
            return Ok(language.say_with("holidays-over-budget", &left));
        }
    };
    Ok(language.say(key))
}
