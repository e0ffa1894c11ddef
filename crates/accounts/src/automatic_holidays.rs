//! Holidays that begin by themselves when a player's flag would fall.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::calendars::{HOLIDAY_DAYS_A_YEAR, MAX_DAYS_AHEAD, may_book};
use super::{AccountError, Accounts};
use pippost_clock::{Calendar, Zone};
use pippost_store::calendars::{self, HolidayRow, Saving};
use pippost_store::{Database, StoreError};

impl Accounts {
    /// For how many days a holiday begins by itself when a flag of the player would fall; 0: none does.
    ///
    /// # Errors
    /// The database failed.
    pub async fn automatic_holiday(&self, player_id: Uuid) -> Result<u16, AccountError> {
        let days = calendars::automatic_days(&self.0.database, player_id).await?;
        Ok(days.and_then(|days| u16::try_from(days).ok()).unwrap_or(0))
    }

    /// Sets it; the days are at most [`HOLIDAY_DAYS_A_YEAR`].
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_automatic_holiday(&self, player_id: Uuid, days: u16) -> Result<(), AccountError> {
        let days = i16::try_from(days.min(HOLIDAY_DAYS_A_YEAR)).unwrap_or(0);
        Ok(calendars::set_automatic_days(&self.0.database, player_id, days).await?)
    }
}

/// The holiday that saves a player whose flag falls at `fall`: one that has that time in it, or a new one, if the player wants it and
/// has days left. A new one has the whole day on which the flag falls, so that it saves the player in all games of that day.
///
/// # Errors
/// The database failed.
pub async fn saving_holiday(
    database: &Database,
    player_id: Uuid,
    fall: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<Option<HolidayRow>, StoreError> {
    let Some(most) = calendars::automatic_days(database, player_id).await? else { return Ok(None) };
    let zone = calendars::calendar(database, player_id).await?;
    let zone = zone.and_then(|text| serde_json::from_str::<Calendar>(&text).ok());
    let zone = zone.map_or(Zone::UTC, |calendar| calendar.zone);
    let longest: Vec<HolidayRow> =
        (1..=i64::from(most)).rev().filter_map(|days| of_days(player_id, &zone, fall, days)).collect();
    let Some(longest_from) = longest.first().map(|row| row.from_at) else { return Ok(None) };
    // All that can share a year with it.
    let after = longest_from - Duration::days(2 * MAX_DAYS_AHEAD);
    calendars::save(database, player_id, after, |others| choose(&longest, others, fall, now)).await
}

/// Chooses among the possible new holidays, longest first. One that is booked already is taken even if it is over: the clock then goes on
/// where it ended.
fn choose(
    longest: &[HolidayRow],
    others: &[HolidayRow],
    fall: OffsetDateTime,
    now: OffsetDateTime,
) -> Saving {
    if let Some(covering) = others.iter().find(|row| row.from_at <= fall && fall < row.until_at) {
        return Saving::Booked(covering.clone());
    }
    let mut lasting = longest.iter().filter(|row| row.until_at > now);
    let bookable = lasting.find(|row| may_book(row, others, now).is_ok());
    bookable.map_or(Saving::Nothing, |row| Saving::New(row.clone()))
}

fn of_days(player_id: Uuid, zone: &Zone, fall: OffsetDateTime, days: i64) -> Option<HolidayRow> {
    let first_day = zone.day(fall);
    let last_day = first_day.checked_add(Duration::days(days - 1))?;
    let (from_at, until_at) = (zone.start_of(first_day), zone.start_of(last_day.next_day()?));
    Some(HolidayRow { id: Uuid::now_v7(), player_id, first_day, last_day, from_at, until_at })
}
