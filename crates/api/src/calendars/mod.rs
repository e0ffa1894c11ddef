//! A player's calendar and holidays.

mod bodies;

use actix_web::{HttpResponse, get, post, put, web};

use self::bodies::{AutomaticHoliday, CalendarAnswer, CalendarBody, HolidayBody, HolidayView, Holidays};
use super::access::{Participant, Reader};
use super::accounts::refusals::{BadBody, Failed, InvalidValue, MissingScope, Unauthenticated};
use super::declared::problems;
use super::declared_headers::KeyHeader;
use super::idempotency::CreationKey;
use super::routes::Routes;
use crate::created;
use pippost_accounts::Accounts;
use pippost_accounts::calendars::Holiday;
use pippost_http::json::Body;
use pippost_http::problem::Problem;

problems! {
    CalendarProblems: UnknownZone, CalendarRefused;
    HolidayProblems: CalendarRefused;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(show_calendar)
        .service(set_calendar)
        .service(list_holidays)
        .service(book_holiday)
        .service(show_automatic_holiday)
        .service(set_automatic_holiday);
}

/// Shows the nights and rest days that do not count in games that accept them.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "Your calendar; all time counts if you have set none.", body = CalendarAnswer),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/calendar")]
pub async fn show_calendar(
    accounts: web::Data<Accounts>,
    reader: Reader,
) -> Result<web::Json<CalendarAnswer>, Problem> {
    Ok(web::Json(accounts.calendar(reader.player_id).await?.into()))
}

/// Sets your calendar. It holds for new games, and in running ones from your next turn on: the running turn keeps the old one, also
/// its zone.
///
#[utoipa::path(tag = "accounts", security(("token" = [Participant::SCOPE])), request_body = CalendarBody, responses(
    (status = 200, description = "Your calendar as it is now.", body = CalendarAnswer),
    Unauthenticated, BadBody, MissingScope, InvalidValue, CalendarProblems, Failed,
))]
#[put("/me/calendar")]
pub async fn set_calendar(
    accounts: web::Data<Accounts>,
    participant: Participant,
    body: Body<CalendarBody>,
) -> Result<web::Json<CalendarAnswer>, Problem> {
    let calendar = body.into_inner().parse()?;
    accounts.set_calendar(participant.player_id, &calendar).await?;
    Ok(web::Json(calendar.into()))
}

/// Lists your holidays that have not ended.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "The holidays, in order.", body = Holidays),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/holidays")]
pub async fn list_holidays(
    accounts: web::Data<Accounts>,
    reader: Reader,
) -> Result<web::Json<Holidays>, Problem> {
    Ok(web::Json(accounts.holidays(reader.player_id).await?.into()))
}

/// Books a holiday: your clocks stand still on these days, in all games that accept holidays. It cannot be taken back.
///
/// The clock log of each of these games shows its days once the game is over, even if the holiday has not begun then.
#[utoipa::path(tag = "accounts", security(("token" = [Participant::SCOPE])), params(KeyHeader), request_body = HolidayBody, responses(
    (status = 201, description = "The holiday.", body = HolidayView),
    Unauthenticated, BadBody, MissingScope, InvalidValue, HolidayProblems, Failed,
))]
#[post("/me/holidays")]
pub async fn book_holiday(
    accounts: web::Data<Accounts>,
    participant: Participant,
    key: CreationKey,
    body: Body<HolidayBody>,
) -> Result<HttpResponse, Problem> {
    let key = key.with_body(&*body);
    let respond = |booked: Holiday| serde_json::to_string(&HolidayView::from(booked)).expect("plain data");
    let days = body.into_inner().parse()?;
    let answer = accounts.book_holiday(participant.player_id, days, key, respond).await?;
    Ok(created::at("/api/v1/me/holidays", answer))
}

/// Shows whether a holiday of yours begins by itself.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "For how many days.", body = AutomaticHoliday),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/automatic-holiday")]
pub async fn show_automatic_holiday(
    accounts: web::Data<Accounts>,
    reader: Reader,
) -> Result<web::Json<AutomaticHoliday>, Problem> {
    let days = accounts.automatic_holiday(reader.player_id).await?;
    Ok(web::Json(AutomaticHoliday { days }))
}

/// Sets whether a holiday begins by itself when your flag would fall.
///
/// It begins on the day on which the flag falls, and holds in all your games. Another one follows while you do not move and days are left.
#[utoipa::path(tag = "accounts", security(("token" = [Participant::SCOPE])), request_body = AutomaticHoliday, responses(
    (status = 200, description = "As it is now.", body = AutomaticHoliday),
    Unauthenticated, BadBody, MissingScope, InvalidValue, Failed,
))]
#[put("/me/automatic-holiday")]
pub async fn set_automatic_holiday(
    accounts: web::Data<Accounts>,
    participant: Participant,
    body: Body<AutomaticHoliday>,
) -> Result<web::Json<AutomaticHoliday>, Problem> {
    let days = body.into_inner().checked()?;
    accounts.set_automatic_holiday(participant.player_id, days).await?;
    Ok(web::Json(AutomaticHoliday { days }))
}
