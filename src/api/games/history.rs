//! What was: events and the record.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, get, web};
use futures_util::TryStreamExt;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::bodies::{EventsQuery, LookQuery, ReplayQuery};
use crate::api::access::MaybeReader;
use crate::api::problem::ProblemBody;
use crate::api::{Code, Problem};
use crate::games::Games;
use crate::games::replay::{MAX_REPLAY_PAGE, ReplayPage};
use crate::games::view::Looker;
use crate::store::events::MAX_PAGE;

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// The events as they stand in the record.
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Box<RawValue>>,
    /// The number of the game's newest event.
    pub newest: u64,
}

/// Lists events of a game, oldest first.
#[utoipa::path(tag = "history", security((), ("token" = [])), params(("id" = Uuid, Path), EventsQuery), responses(
    (status = 200, description = "A page of events.", body = EventPage),
    (status = "4XX", description = "Why not.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/games/{id}/events")]
pub async fn list_events(
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<EventsQuery>,
) -> Result<web::Json<EventPage>, Problem> {
    let EventsQuery { first, limit, token } = query.into_inner();
    if !(1..=MAX_PAGE).contains(&i64::from(limit)) {
        let why = format!("limit: 1 to {MAX_PAGE}");
        return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "limit"));
    }
    let looker = Looker { player_id: account.player_id(), token };
    let (events, newest) = games.events(*id, &looker, first, limit.into()).await?;
    Ok(web::Json(EventPage { events, newest }))
}

/// Plays a game again: events, each with the view after it, oldest first, in one pass.
#[utoipa::path(tag = "history", security((), ("token" = [])), params(("id" = Uuid, Path), ReplayQuery), responses(
    (status = 200, description = "A page of the replay, with your eyes: what was hidden from you then is hidden still.", body = ReplayPage),
    (status = "4XX", description = "Why not.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/games/{id}/replay")]
pub async fn replay_game(
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
    let looker = Looker { player_id: account.player_id(), token };
    Ok(web::Json(games.replay(*id, &looker, first, limit).await?))
}

/// Exports the whole record as NDJSON: the header, the events, and once the game is over the footer that proves it.
#[utoipa::path(tag = "history", security((), ("token" = [])), params(("id" = Uuid, Path), LookQuery), responses(
    (status = 200, description = "The record, one JSON object a line, as `pippost verify` takes it.", body = String, content_type = "application/x-ndjson"),
    (status = "4XX", description = "Why not.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/games/{id}/record")]
pub async fn export_record(
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let LookQuery { token, .. } = query.into_inner();
    let looker = Looker { player_id: account.player_id(), token };
    let record = games.record(*id, &looker).await?;
    let file = format!("attachment; filename=\"pippost-{id}.ndjson\"");
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/x-ndjson"))
        .insert_header((CONTENT_DISPOSITION, file))
        .streaming(Box::pin(record.map_err(Problem::from))))
}
