//! Request and response bodies of calendars.

use serde::{Deserialize, Serialize};
use time::Date;
use time::format_description::well_known::Iso8601;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use uuid::Uuid;

use pippost_accounts::calendars::{HOLIDAY_DAYS_A_YEAR, Holiday};
use pippost_clock::calendar::{MAX_NIGHT_MINUTES, MAX_REST_DAYS};
use pippost_clock::{Calendar, MinuteOfDay, Night, RestDays, Zone};
use pippost_http::json::{object_or_null, whole_number, whole_numbers};
use pippost_http::problem::{Code, Problem};
use pippost_http::text::{ZoneName, checked};
use pippost_record::record::Timestamp;

/// The hours of each night that do not count, at most twelve.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CalendarNight)]
#[serde(deny_unknown_fields)]
pub struct NightBody {
    /// In the calendar's zone.
    #[schema(example = "22:00", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    from: String,
    /// In the calendar's zone; on the next day if it is before `from`.
    #[schema(example = "07:30", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    until: String,
}

/// Weekdays that do not count.
fn rest_days() -> Schema {
    let weekday = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(7));
    let days = ArrayBuilder::new().items(weekday).unique_items(true).max_items(Some(MAX_REST_DAYS));
    days.examples([serde_json::json!([6, 7])])
        .description(Some("Weekdays that do not count, from 1 (Monday) to 7, at most two."))
        .into()
}

/// A calendar.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarBody {
    /// The name of the time zone in the IANA database.
    #[schema(example = "Europe/Berlin", pattern = "^[A-Za-z0-9_+/-]{1,64}$")]
    zone: String,
    /// Null or missing: nights count.
    #[serde(default, deserialize_with = "object_or_null")]
    night: Option<NightBody>,
    /// Weekdays that do not count, from 1 (Monday) to 7, at most two.
    #[serde(default, deserialize_with = "whole_numbers")]
    #[schema(schema_with = rest_days)]
    rest_days: Vec<u8>,
}

/// Your calendar.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CalendarAnswer {
    zone: String,
    /// Null: nights count.
    night: Option<NightBody>,
    /// Weekdays that do not count, from 1 (Monday) to 7.
    #[schema(schema_with = rest_days)]
    rest_days: Vec<u8>,
}

impl CalendarBody {
    /// The checked calendar.
    pub fn parse(self) -> Result<Calendar, Problem> {
        let zone = Zone::named(&checked::<ZoneName>("zone", self.zone)?).map_err(|error| {
            Problem::new(Code::UnknownZone).detail(error.to_string()).with("field", "zone")
        })?;
        let time = |text: &str| {
            let expected = "a time of day is expected, as in 07:30";
            MinuteOfDay::parse(text).ok_or_else(|| refused("night", expected))
        };
        let night = self.night.map(|night| {
            let why = format!("a night has a minute to {} hours", MAX_NIGHT_MINUTES / 60);
            Night::new(time(&night.from)?, time(&night.until)?)
                .ok_or_else(|| Problem::new(Code::CalendarRefused).detail(&*why).with("field", "night"))
        });
        let why = format!("at most {MAX_REST_DAYS} different weekdays, from 1 (Monday) to 7");
        let rest_days = RestDays::new(self.rest_days).ok_or_else(|| refused("rest_days", &why))?;
        Ok(Calendar { night: night.transpose()?, offsets: None, rest_days, zone })
    }
}

impl From<Calendar> for CalendarAnswer {
    fn from(calendar: Calendar) -> Self {
        let night =
            |night: Night| NightBody { from: night.from().to_string(), until: night.until().to_string() };
        Self {
            zone: calendar.zone.name().to_owned(),
            night: calendar.night.map(night),
            rest_days: calendar.rest_days.days().to_vec(),
        }
    }
}

/// A holiday to book, in whole days of your calendar's zone.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HolidayBody {
    #[schema(format = Date, example = "2026-12-24")]
    first_day: String,
    /// The last day is part of the holiday.
    #[schema(format = Date, example = "2026-12-31")]
    last_day: String,
}

impl HolidayBody {
    /// The first and the last day.
    pub fn parse(self) -> Result<(Date, Date), Problem> {
        let day = |field, text: &str| {
            let is_plain = text.len() == "2026-12-24".len() && text.is_ascii();
            let day = Some(text).filter(|_| is_plain).and_then(|text| Date::parse(text, &Iso8601::DATE).ok());
            day.ok_or_else(|| refused(field, "a day is expected, as in 2026-12-24"))
        };
        Ok((day("first_day", &self.first_day)?, day("last_day", &self.last_day)?))
    }
}

/// A booked holiday.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HolidayView {
    id: Uuid,
    #[schema(format = Date)]
    first_day: String,
    #[schema(format = Date)]
    last_day: String,
    /// When clocks stop.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// When they go on.
    #[schema(value_type = String, format = DateTime)]
    until: Timestamp,
}

impl From<Holiday> for HolidayView {
    fn from(holiday: Holiday) -> Self {
        Self {
            id: holiday.id,
            first_day: holiday.first_day.to_string(),
            last_day: holiday.last_day.to_string(),
            from: Timestamp::new(holiday.from),
            until: Timestamp::new(holiday.until),
        }
    }
}

/// Your holidays.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Holidays {
    /// The most days in a calendar year.
    pub days_a_year: u16,
    pub holidays: Vec<HolidayView>,
}

impl From<Vec<Holiday>> for Holidays {
    fn from(holidays: Vec<Holiday>) -> Self {
        Self {
            days_a_year: HOLIDAY_DAYS_A_YEAR,
            holidays: holidays.into_iter().map(HolidayView::from).collect(),
        }
    }
}

/// A holiday that begins by itself when your flag would fall.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutomaticHoliday {
    /// Its days, as far as the budget has so many; 0: none begins by itself.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 0, maximum = 28, example = 3)]
    pub days: u16,
}

impl AutomaticHoliday {
    /// The days, if they are possible.
    pub fn checked(self) -> Result<u16, Problem> {
        if self.days > HOLIDAY_DAYS_A_YEAR {
            return Err(refused("days", "0 to 28"));
        }
        Ok(self.days)
    }
}

fn refused(field: &'static str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(why).with("field", field)
}
