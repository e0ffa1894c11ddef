//! The feed of a tournament.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::{IntoParams, PartialSchema, ToSchema};
use uuid::Uuid;

use super::answers::{FeedEvent, text_of};
use super::query::{self, Form, cursor, default_limit};
use super::stream::{FeedStream, First, Source};
use super::{news, streamed};
use crate::Problem;
use pippost_games::feed::{EndReason, TournamentFeed};
use pippost_games::tournaments::TournamentEvent;
use pippost_games::{GameError, Games};
use pippost_record::rules::schema::{SchemaOrRef, add_with_parts};
use pippost_traffic::TrafficPermit;

/// What to tell of a tournament, and from where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TournamentFeedQuery {
    /// The `id` of the last event that you have, or the last `cursor`.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(0|[1-9][0-9]{0,17})$")]
    after: Option<String>,
    /// For pages: how many seconds to wait if there is no event yet.
    #[serde(default)]
    #[param(maximum = 60, default = 0)]
    wait: u8,
    /// For pages: the most events.
    #[serde(default = "default_limit")]
    #[param(minimum = 1, maximum = 500, default = 100)]
    limit: u16,
}

/// A page of a tournament's feed, of at most 16 events.
#[derive(Serialize, ToSchema)]
pub struct TournamentFeedPage<'a> {
    /// Consecutive events after your cursor.
    #[schema(value_type = Vec<TournamentFeedEvent>)]
    entries: Vec<FeedEvent<'a>>,
    /// The next `after`.
    cursor: Option<String>,
    /// True if the tournament is over and you have all its events.
    is_over: bool,
}

/// An event with its id.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only: it is written as the events of games are")]
pub struct TournamentFeedEvent {
    #[schema(rename = "type", pattern = "^event$")]
    kind: String,
    /// The tournament's id, a colon and `seq`.
    id: String,
    event: TournamentEvent,
}

/// A line of a tournament's stream.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "the document's only: lines are those of games")]
pub enum TournamentFeedLine {
    Event { id: String, event: TournamentEvent },
    End { reason: EndReason },
}

/// A stream of such lines.
#[derive(Debug)]
pub enum TournamentFeedText {}

impl PartialSchema for TournamentFeedText {
    fn schema() -> SchemaOrRef {
        text_of(TournamentFeedLine::name().as_ref())
    }
}

impl ToSchema for TournamentFeedText {
    fn schemas(found: &mut Vec<(String, SchemaOrRef)>) {
        add_with_parts::<TournamentFeedLine>(found);
    }
}

/// The answer to a request for the feed of a tournament, in the form that the request accepts. `place` is held until the answer has
/// been read.
///
/// # Errors
/// There is no such tournament, or the query cannot be used.
pub async fn answer_tournament(
    request: &HttpRequest,
    place: TrafficPermit,
    games: &Games,
    id: Uuid,
    query: &TournamentFeedQuery,
) -> Result<HttpResponse, Problem> {
    query::check(query.wait, query.limit)?;
    let form = Form::accepted_by(request);
    let after = cursor(request, query.after.as_deref(), Some(id))?.map(|event| event.seq);
    let feed = TournamentFeed::open(games, id, after).await?;
    if form == Form::Page {
        return Ok(page(feed, query).await?);
    }
    if feed.is_over() {
        return Ok(HttpResponse::NoContent().finish());
    }
    Ok(streamed(form, FeedStream::new(Source::Tournament(feed), form, First::Nothing, place)))
}

async fn page(mut feed: TournamentFeed, query: &TournamentFeedQuery) -> Result<HttpResponse, GameError> {
    let deadline = Instant::now() + Duration::from_secs(query.wait.into());
    let mut entries = feed.read(query.limit.into()).await?;
    if entries.is_empty() && !feed.is_over() {
        entries = news(deadline, async || feed.next().await).await?;
    }
    Ok(HttpResponse::Ok().json(TournamentFeedPage {
        entries: entries.iter().map(FeedEvent::from).collect(),
        cursor: feed.cursor().map(|id| id.to_string()),
        is_over: feed.is_over(),
    }))
}
