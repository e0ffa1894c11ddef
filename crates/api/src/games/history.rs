//! The history of games: events, replays and records.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::TryStreamExt;
use uuid::Uuid;

use super::answers::EventPage;
use super::bodies::{EventsQuery, ExportQuery, LookQuery, ReplayQuery, WithName};
use crate::access::{MaybeReader, Reader};
use crate::games::refusals::{LookProblems, SeatedProblems};
use crate::media::{Binary, RecordText};
use crate::seat::Seated;
use pippost_games::history::past_positions::{Choices, News};
use pippost_games::history::replay::{MAX_REPLAY_PAGE, ReplayPage};
use pippost_games::viewing::view::Requester;
use pippost_games::{Games, history};
use pippost_http::admission::{Admitted, Archiving, Replaying};
use pippost_http::conditional::EntityTag;
use pippost_http::problem::ProblemBody;
use pippost_http::text::exact;
use pippost_http::zip::zip;
use pippost_http::{Code, Problem};
use pippost_store::events::MAX_PAGE;

/// Lists events of a game, oldest first.
#[utoipa::path(tag = "history", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), EventsQuery), responses(
    (status = 200, description = "A page of events.", body = EventPage),
    (status = 304, description = "You have it already: there are no newer events."),
    LookProblems,
))]
#[get("/games/{id}/events")]
pub async fn list_events(
    request: HttpRequest,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<EventsQuery>,
) -> Result<HttpResponse, Problem> {
    let EventsQuery { first, limit, token } = query.into_inner();
    if !(1..=MAX_PAGE).contains(&limit) {
        let why = format!("limit: 1 to {MAX_PAGE}");
        return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "limit"));
    }
    let requester = Requester { player_id: account.player_id(), token: token.map(Into::into) };
    let first = exact("first", first)?;
    let page = history::events_to_read(&games, *id, &requester, first.into(), limit).await?;
    // Events never change: the address and the newest of them say what the page holds.
    let tag = EntityTag::of(&[page.head.as_bytes(), &first.to_be_bytes(), &limit.to_be_bytes()]);
    if tag.is_known_to(&request) {
        return Ok(tag.respond(&request, |mut answer| answer.finish()));
    }
    let events = history::events(&games, *id, &page).await?;
    Ok(tag.respond(&request, |mut answer| answer.json(EventPage { events, newest: page.newest.get() })))
}

/// Replays a game: events, each with the view after it, oldest first.
///
/// Positions of a very long game may have to be prepared first: 503 with `Retry-After`.
#[utoipa::path(tag = "history", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), ReplayQuery), responses(
    (status = 200, description = "A page of the replay, with your eyes.", body = ReplayPage),
    LookProblems,
))]
#[get("/games/{id}/replay")]
pub async fn replay_game(
    _place: Admitted<Replaying>,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<ReplayQuery>,
) -> Result<web::Json<ReplayPage>, Problem> {
    let ReplayQuery { first, limit, token } = query.into_inner();
    if !(1..=MAX_REPLAY_PAGE).contains(&limit) {
        let why = format!("limit: 1 to {MAX_REPLAY_PAGE}");
        return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "limit"));
    }
    let requester = Requester { player_id: account.player_id(), token: token.map(Into::into) };
    Ok(web::Json(history::replay(&games, *id, &requester, exact("first", first)?.into(), limit).await?))
}

/// Exports the whole record as NDJSON: the header, the events and, once the game is over, the footer that proves it.
///
/// `with=clock` adds the clock log (docs/CLOCK.md), from which anybody recomputes the time that each player had at each event.
#[utoipa::path(tag = "history", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), ExportQuery), responses(
    (status = 200, description = "The record, one JSON object a line, as `pippost verify` takes it.", body = inline(RecordText), content_type = "application/x-ndjson"),
    LookProblems,
))]
#[get("/games/{id}/record")]
pub async fn export_record(
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<ExportQuery>,
) -> Result<HttpResponse, Problem> {
    let ExportQuery { token, with } = query.into_inner();
    let requester = Requester { player_id: account.player_id(), token: token.map(Into::into) };
    let record = history::record(&games, *id, &requester, with == Some(WithName::Clock)).await?;
    let file = format!("attachment; filename=\"pippost-{id}.ndjson\"");
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/x-ndjson"))
        .insert_header((CONTENT_DISPOSITION, file))
        .streaming(Box::pin(record.map_err(Problem::from))))
}

/// Lists the legal actions now or after any event or turn.
///
/// A seat sees its own choices at once; others see them once everything that was hidden then is public.
#[utoipa::path(tag = "history", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), LookQuery), responses(
    (status = 200, description = "Who was asked, and what was legal.", body = Choices),
    LookProblems,
))]
#[get("/games/{id}/choices")]
pub async fn list_choices(
    _place: Admitted<Replaying>,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<web::Json<Choices>, Problem> {
    let at = query.at();
    let requester =
        Requester { player_id: account.player_id(), token: query.into_inner().token.map(Into::into) };
    Ok(web::Json(history::choices(&games, *id, &requester, at).await?))
}

/// Shows what happened since you last acted.
#[utoipa::path(tag = "history", security(("token" = [Reader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The events since your own last one.", body = News),
    SeatedProblems,
))]
#[get("/games/{id}/news")]
pub async fn show_news(
    _place: Admitted<Replaying>,
    seated: Seated<Reader>,
    games: web::Data<Games>,
) -> Result<web::Json<News>, Problem> {
    Ok(web::Json(history::news(&games, &seated.claim).await?))
}

/// Exports the records of all your started games, running ones as they are now.
#[utoipa::path(tag = "history", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "The records, newest game first: `<rules>-<id>.ndjson` each; of finished games `.proof`, too.", body = Binary, content_type = "application/zip"),
    (status = 503, description = "Too many are being made right now: `unavailable`.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/me/records.zip")]
pub async fn export_my_records(
    admitted: Admitted<Archiving>,
    account: Reader,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    Ok(zip(admitted, "pippost-records.zip", history::records_of(&games, account.player_id)))
}
