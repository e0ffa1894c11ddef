//! Moves, resignations, aborts and previews.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, post, web};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::bodies::{LeaveBody, MoveBody};
use crate::access::{Manager, Participant, Reader};
use crate::declared_headers::{IfMatchHeader, KeyHeader};
use crate::games::refusals::{LeaveStartedProblems, MoveProblems};
use crate::idempotency::MaybeKey;
use crate::seat::{Seated, UnreadBody};
use pippost_games::playing::preview::PreviewView;
use pippost_games::{
    ActRequest, Command, GameView, Games, ListMode, MoveResponse, SeatClaim, Stopped, playing,
};
use pippost_http::Problem;
use pippost_http::conditional::IfMatch;
use pippost_http::problem::ProblemBody;
use pippost_record::record::Event;
use pippost_store::Seq;

/// Makes a move.
///
/// With a receipt for each event, and the game after them.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])),
    params(("id" = Uuid, Path), IfMatchHeader, KeyHeader),
    request_body = MoveBody,
    responses(
        (status = 200, description = "The move is made and permanent.", body = Moved),
    MoveProblems,
))]
#[post("/games/{id}/moves")]
pub async fn make_move(
    seated: Seated<Participant>,
    games: web::Data<Games>,
    if_match: IfMatch,
    key: MaybeKey,
    body: UnreadBody<MoveBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body.read().await?;
    let if_match = if_match.with_body(body.expected_seq)?;
    let (expected_seq, mode) = (body.expected_seq.map(Seq::from), body.mode());
    let request = ActRequest { command: body.command()?, mode, expected_seq, if_match, key: key.0 };
    Ok(act(&games, &seated.claim, request).await?)
}

/// Shows what a move would do, up to the first chance or reveal.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), params(("id" = Uuid, Path)), request_body = MoveBody, responses(
    (status = 200, description = "What would follow.", body = PreviewView),
    MoveProblems,
))]
#[post("/games/{id}/preview")]
pub async fn preview_move(
    seated: Seated<Reader>,
    games: web::Data<Games>,
    body: UnreadBody<MoveBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body.read().await?;
    let (mode, command) = (body.mode(), body.command()?);
    let preview = playing::preview(&games, &seated.claim, &command, mode).await.map_err(Problem::from)?;
    Ok(HttpResponse::Ok().json(preview))
}

/// Resigns the game. This is possible even when it is not your turn.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])),
    params(("id" = Uuid, Path), IfMatchHeader, KeyHeader),
    request_body = LeaveBody,
    responses(
        (status = 200, description = "You have resigned.", body = Moved),
    LeaveStartedProblems,
))]
#[post("/games/{id}/resign")]
pub async fn resign_game(
    seated: Seated<Participant>,
    games: web::Data<Games>,
    if_match: IfMatch,
    key: MaybeKey,
    body: UnreadBody<LeaveBody>,
) -> actix_web::Result<HttpResponse> {
    Ok(leave(&games, &seated.claim, Command::Resign, &body.read().await?, if_match, key).await?)
}

/// Aborts the game, as long as you have not acted in it and it has fewer than 100 events. It ends without a result.
///
/// Six at once, then one in four hours. Your reliability tells it.
#[utoipa::path(tag = "games", security(("token" = [Manager::SCOPE])),
    params(("id" = Uuid, Path), IfMatchHeader, KeyHeader),
    request_body = LeaveBody,
    responses(
        (status = 200, description = "The game is aborted.", body = Moved),
    LeaveStartedProblems,
))]
#[post("/games/{id}/abort")]
pub async fn abort_game(
    seated: Seated<Manager>,
    games: web::Data<Games>,
    if_match: IfMatch,
    key: MaybeKey,
    body: UnreadBody<LeaveBody>,
) -> actix_web::Result<HttpResponse> {
    Ok(leave(&games, &seated.claim, Command::Abort, &body.read().await?, if_match, key).await?)
}

async fn leave(
    games: &Games,
    claim: &SeatClaim,
    command: Command,
    body: &LeaveBody,
    if_match: IfMatch,
    key: MaybeKey,
) -> Result<HttpResponse, Problem> {
    let (mode, expected_seq) = (ListMode::default(), body.expected_seq.map(Seq::from));
    let if_match = if_match.with_body(body.expected_seq)?;
    act(games, claim, ActRequest { command, mode, expected_seq, if_match, key: key.0 }).await
}

/// The answer to an accepted move.
#[derive(Serialize, ToSchema)]
pub struct Moved<'a> {
    /// The events that the move made, as they stand in the record.
    #[schema(value_type = Vec<Event>)]
    events: Vec<Box<RawValue>>,
    /// For each event a JWS that proves the server accepted it at that place.
    receipts: Vec<String>,
    /// The game after the move.
    #[schema(value_type = GameView)]
    game: &'a RawValue,
    /// Why the list stopped early; missing if all actions were done.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<StoppedView>,
}

/// Why a list with `each` stopped early.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoppedView {
    /// The index of the action that was not done.
    pub index: usize,
    /// The number of actions after it, which were not tried.
    pub not_tried: usize,
    /// The problem that this action would get if it were sent alone now.
    pub problem: ProblemBody,
}

impl From<Stopped> for StoppedView {
    /// The problem's `game` is omitted, because the answer contains the game.
    fn from(stopped: Stopped) -> Self {
        let mut problem = Problem::from(*stopped.why).body();
        problem.more.remove("game");
        Self { index: stopped.index, not_tried: stopped.not_tried, problem }
    }
}

/// A repeated request gets the same response, byte for byte.
async fn act(games: &Games, claim: &SeatClaim, request: ActRequest) -> Result<HttpResponse, Problem> {
    let acted = playing::act(games, claim, &request).await?;
    let body = match acted.response {
        MoveResponse::StoredWhole(json) => json,
        MoveResponse::Made { events, receipts, game } => {
            let stopped = acted.stopped.map(StoppedView::from);
            let moved = Moved { events, receipts, game: &game, stopped };
            serde_json::to_string(&moved).expect("plain data")
        }
    };
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(body))
}
