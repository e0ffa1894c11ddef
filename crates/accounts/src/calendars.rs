//! A player's calendar: nights, rest days and holidays, which do not count in games that accept them.

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{AccountError, Accounts};
use pippost_clock::{Calendar, Zone};
use pippost_store::calendars::{self, HolidayRow};
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::{Database, StoreError};

/// The most days of holiday in a calendar year.
pub const HOLIDAY_DAYS_A_YEAR: u16 = 28;

/// How far ahead a holiday can be booked, in days.
pub const MAX_DAYS_AHEAD: i64 = 366;

/// The most holidays of a player that have not ended.
pub const MAX_HOLIDAYS: usize = 20;

/// How often a calendar can be changed within a week, because every change is a line in the log of every running game.
pub const MAX_CHANGES_A_WEEK: i16 = 7;

/// A booked holiday.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holiday {
    pub id: Uuid,
    pub first_day: Date,
    pub last_day: Date,
    pub from: OffsetDateTime,
    pub until: OffsetDateTime,
}

/// Why a calendar is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalendarRefused {
    #[error("a calendar can be changed {MAX_CHANGES_A_WEEK} times in a week")]
    TooManyChanges,
    #[error("a holiday begins today or later, in your zone, and at most {MAX_DAYS_AHEAD} days ahead")]
    NotBookable,
    #[error("a holiday has {HOLIDAY_DAYS_A_YEAR} days at most, and its last day is not before its first")]
    NotThatLong,
    #[error("you have a holiday on some of these days")]
    Overlaps,
    #[error("a calendar year has {HOLIDAY_DAYS_A_YEAR} days of holiday; of {year}, {left} are left")]
    OverBudget { year: i32, left: u16 },
    #[error("at most {MAX_HOLIDAYS} holidays are booked at a time")]
    TooMany,
}

impl Accounts {
    /// A player's calendar; one in which all time counts if none is stored.
    ///
    /// # Errors
    /// The database failed.
    pub async fn calendar(&self, player_id: Uuid) -> Result<Calendar, AccountError> {
        let stored = calendars::calendar(&self.0.database, player_id).await?;
        // A zone that an update of the zone database has removed leaves nothing to rest by.
        let read = stored.and_then(|text| serde_json::from_str(&text).ok());
        Ok(read.unwrap_or_else(all_counts))
    }

    /// Sets a player's calendar. Running games take it over from the player's next turn on.
    ///
    /// # Errors
    /// [`AccountError::CalendarRefused`], or the database failed.
    pub async fn set_calendar(&self, player_id: Uuid, calendar: &Calendar) -> Result<(), AccountError> {
        let (database, now) = (&self.0.database, self.0.clock.now());
        let text = serde_json::to_string(calendar).expect("plain data");
        if calendars::set_calendar(database, player_id, &text, MAX_CHANGES_A_WEEK, now).await? {
            Ok(())
        } else {
            Err(CalendarRefused::TooManyChanges.into())
        }
    }

    /// A player's holidays that have not ended, in order.
    ///
    /// # Errors
    /// The database failed.
    pub async fn holidays(&self, player_id: Uuid) -> Result<Vec<Holiday>, AccountError> {
        let rows = calendars::holidays(&self.0.database, player_id, self.0.clock.now()).await?;
        Ok(rows.into_iter().map(Holiday::from).collect())
    }

    /// Books a holiday of whole days in the zone of the player's calendar. It holds in all games that accept holidays, also in running
    /// ones, and cannot be taken back. Returns the response that `respond` makes of it; a repeated request with the same key gets it again.
    ///
    /// # Errors
    /// [`AccountError::CalendarRefused`]; [`AccountError::KeyReused`]; or the database failed.
    pub async fn book_holiday(
        &self,
        player_id: Uuid,
        (first_day, last_day): (Date, Date),
        key: Option<RequestKey>,
        respond: impl FnOnce(Holiday) -> String,
    ) -> Result<String, AccountError> {
        let key = self.sealed_key(key);
        if let Some(response) = self.response_before(key.as_ref(), player_id).await? {
            return Ok(response);
        }
        let now = self.0.clock.now();
        let zone = self.calendar(player_id).await?.zone;
        let booked = holiday(player_id, &zone, first_day, last_day, now)?;
        let response = respond(booked.clone().into());
        let stored = self.sealed_response(key.as_ref(), player_id, &response);
        // All that can share a year with it.
        let after = booked.from_at - time::Duration::days(2 * MAX_DAYS_AHEAD);
        let may = |others: &[HolidayRow]| may_book(&booked, others, now);
        match calendars::book(&self.0.database, &booked, after, now, stored.as_ref(), may).await? {
            Once::Now(done) => done.map(|()| response).map_err(AccountError::from),
            Once::Before(before) => self.opened_response(before, key.as_ref(), player_id),
        }
    }
}

/// The holiday that lasts, and what is left of the year's days after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HolidayNow {
    pub last_day: Date,
    /// Its days.
    pub days: u16,
    /// The days of the year in which it began that are not booked.
    pub left: u16,
}

/// The holiday of a player that lasts at `now`.
///
/// # Errors
/// The database failed.
pub async fn holiday_now(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<HolidayNow>, StoreError> {
    // All that can share a year with it.
    let rows =
        calendars::holidays(database, player_id, now - time::Duration::days(2 * MAX_DAYS_AHEAD)).await?;
    let Some(lasting) = rows.iter().find(|row| row.from_at <= now && now < row.until_at) else {
        return Ok(None);
    };
    let year = lasting.first_day.year();
    let used: i64 = rows.iter().map(|row| days_in(row, year)).sum();
    let count = |days: i64| u16::try_from(days.max(0)).unwrap_or_default();
    let days = (lasting.last_day - lasting.first_day).whole_days() + 1;
    let left = i64::from(HOLIDAY_DAYS_A_YEAR) - used;
    Ok(Some(HolidayNow { last_day: lasting.last_day, days: count(days), left: count(left) }))
}

fn all_counts() -> Calendar {
    Calendar { night: None, offsets: None, rest_days: pippost_clock::RestDays::default(), zone: Zone::UTC }
}

fn holiday(
    player_id: Uuid,
    zone: &Zone,
    first_day: Date,
    last_day: Date,
    now: OffsetDateTime,
) -> Result<HolidayRow, CalendarRefused> {
    let ahead = (first_day - zone.day(now)).whole_days();
    if !(0..=MAX_DAYS_AHEAD).contains(&ahead) {
        return Err(CalendarRefused::NotBookable);
    }
    let days = (last_day - first_day).whole_days() + 1;
    if !(1..=i64::from(HOLIDAY_DAYS_A_YEAR)).contains(&days) {
        return Err(CalendarRefused::NotThatLong);
    }
    let after = last_day.next_day().ok_or(CalendarRefused::NotBookable)?;
    let (from_at, until_at) = (zone.start_of(first_day).max(now), zone.start_of(after));
    Ok(HolidayRow { id: Uuid::now_v7(), player_id, first_day, last_day, from_at, until_at })
}

pub(super) fn may_book(
    booked: &HolidayRow,
    others: &[HolidayRow],
    now: OffsetDateTime,
) -> Result<(), CalendarRefused> {
    let shares_days = |other: &HolidayRow| {
        let dates = other.first_day <= booked.last_day && booked.first_day <= other.last_day;
        dates || (other.from_at < booked.until_at && booked.from_at < other.until_at)
    };
    if others.iter().any(shares_days) {
        return Err(CalendarRefused::Overlaps);
    }
    if others.iter().filter(|other| other.until_at > now).count() >= MAX_HOLIDAYS {
        return Err(CalendarRefused::TooMany);
    }
    for year in booked.first_day.year()..=booked.last_day.year() {
        let used: i64 = others.iter().map(|other| days_in(other, year)).sum();
        let left = i64::from(HOLIDAY_DAYS_A_YEAR) - used;
        if days_in(booked, year) > left {
            let left = u16::try_from(left.max(0)).unwrap_or_default();
            return Err(CalendarRefused::OverBudget { year, left });
        }
    }
    Ok(())
}

/// How many days of a holiday are in a year.
fn days_in(holiday: &HolidayRow, year: i32) -> i64 {
    let first =
        Date::from_ordinal_date(year, 1).map_or(holiday.first_day, |first| first.max(holiday.first_day));
    let last = Date::from_calendar_date(year, time::Month::December, 31);
    let last = last.map_or(holiday.last_day, |last| last.min(holiday.last_day));
    ((last - first).whole_days() + 1).max(0)
}

impl From<HolidayRow> for Holiday {
    fn from(row: HolidayRow) -> Self {
        let HolidayRow { id, first_day, last_day, from_at, until_at, .. } = row;
        Self { id, first_day, last_day, from: from_at, until: until_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::{date, datetime};

    const NOW: OffsetDateTime = datetime!(2026-11-24 12:00 UTC);

    fn book(first: Date, last: Date, others: &[HolidayRow]) -> Result<HolidayRow, CalendarRefused> {
        let booked = holiday(Uuid::nil(), &Zone::named("Europe/Berlin").expect("a zone"), first, last, NOW)?;
        may_book(&booked, others, NOW).map(|()| booked)
    }

    #[test]
    fn a_holiday_has_whole_days_of_its_zone() {
        let booked = book(date!(2026 - 12 - 24), date!(2027 - 01 - 02), &[]).expect("a holiday");
        assert_eq!(booked.from_at, datetime!(2026-12-23 23:00 UTC));
        assert_eq!(booked.until_at, datetime!(2027-01-02 23:00 UTC));
        assert_eq!((days_in(&booked, 2026), days_in(&booked, 2027), days_in(&booked, 2028)), (8, 2, 0));
        let today = book(date!(2026 - 11 - 24), date!(2026 - 11 - 24), &[]).expect("a holiday");
        assert_eq!(today.from_at, NOW, "what has passed of today is not given");
    }

    #[test]
    fn the_budget_of_each_year_is_never_overdrawn() {
        let first = book(date!(2026 - 12 - 10), date!(2027 - 01 - 05), &[]).expect("27 days");
        let others = [first];
        assert_eq!(
            book(date!(2026 - 12 - 01), date!(2026 - 12 - 07), &others),
            Err(CalendarRefused::OverBudget { year: 2026, left: 6 })
        );
        book(date!(2026 - 12 - 01), date!(2026 - 12 - 06), &others).expect("6 days");
        book(date!(2027 - 02 - 01), date!(2027 - 02 - 23), &others).expect("23 days of another year");
    }

    #[test]
    fn a_holiday_is_refused_in_the_past_too_far_ahead_too_long_and_twice() {
        let others = [book(date!(2026 - 12 - 10), date!(2026 - 12 - 12), &[]).expect("a holiday")];
        for (first, last, why) in [
            (date!(2026 - 11 - 23), date!(2026 - 11 - 25), CalendarRefused::NotBookable),
            (date!(2027 - 11 - 26), date!(2027 - 11 - 26), CalendarRefused::NotBookable),
            (date!(2026 - 12 - 02), date!(2026 - 12 - 01), CalendarRefused::NotThatLong),
            (date!(2026 - 12 - 01), date!(2026 - 12 - 29), CalendarRefused::NotThatLong),
            (date!(2026 - 12 - 12), date!(2026 - 12 - 13), CalendarRefused::Overlaps),
        ] {
            assert_eq!(book(first, last, &others), Err(why), "{first}");
        }
    }
}
