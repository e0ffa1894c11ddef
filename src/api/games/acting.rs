//! Moving, resigning, aborting, and trying out.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, post, web};

use super::bodies::{LeaveBody, MoveBody};
use crate::api::Problem;
use crate::api::access::{Participant, Reader};
use crate::api::idempotency::MaybeKey;
use crate::api::problem::ProblemBody;
use crate::api::seat::Seated;
use crate::games::act::PreviewView;
use crate::games::{ActRequest, Deed, Games, Moved};

/// Makes a move. The answer holds the events it made, a receipt for each, and the game after it.
#[utoipa::path(tag = "games", security(("token" = [])),
    params(("id" = Uuid, Path), ("Idempotency-Key" = Option<String>, Header, description = "1 to 128 visible ASCII characters. A repeated request with the same key gets the same answer, for 7 days.")),
    request_body = MoveBody,
    responses(
        (status = 200, description = "The move is made and permanent.", body = Moved),
        (status = "4XX", description = "Why not; the game is as it was.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[post("/games/{id}/moves")]
pub async fn make_move(
    seated: Seated<Participant>,
    games: web::Data<Games>,
    key: MaybeKey,
    body: web::Json<MoveBody>,
) -> Result<HttpResponse, Problem> {
    make_move_shortly(seated, games, key, body).await
}

/// The same, by the short way.
pub async fn make_move_shortly(
    seated: Seated<Participant>,
    games: web::Data<Games>,
    key: MaybeKey,
    body: web::Json<MoveBody>,
) -> Result<HttpResponse, Problem> {
    let body = body.into_inner();
    let expected_seq = body.expected_seq;
    act(&games, &seated, ActRequest { deed: body.deed()?, expected_seq, key: key.0 }).await
}

/// Shows what a move would do, up to the first chance or reveal. Nothing changes.
#[utoipa::path(tag = "games", security(("token" = [])), params(("id" = Uuid, Path)), request_body = MoveBody, responses(
    (status = 200, description = "What would follow.", body = PreviewView),
    (status = "4XX", description = "Why not, as the move itself would be refused.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[post("/games/{id}/preview")]
pub async fn preview_move(
    seated: Seated<Reader>,
    games: web::Data<Games>,
    body: web::Json<MoveBody>,
) -> Result<web::Json<PreviewView>, Problem> {
    let deed = body.into_inner().deed()?;
    Ok(web::Json(games.preview(&seated.claim, &deed).await?))
}

/// Resigns the game, also when it is not your turn.
#[utoipa::path(tag = "games", security(("token" = [])),
    params(("id" = Uuid, Path), ("Idempotency-Key" = Option<String>, Header, description = "As for moves.")),
    request_body = LeaveBody,
    responses(
        (status = 200, description = "You have resigned.", body = Moved),
        (status = "4XX", description = "Why not.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[post("/games/{id}/resign")]
pub async fn resign_game(
    seated: Seated<Participant>,
    games: web::Data<Games>,
    key: MaybeKey,
    body: web::Json<LeaveBody>,
) -> Result<HttpResponse, Problem> {
    act(&games, &seated, ActRequest { deed: Deed::Resign, expected_seq: body.expected_seq, key: key.0 }).await
}

/// Aborts the game while somebody in it has not acted yet. It ends without a result.
#[utoipa::path(tag = "games", security(("token" = [])),
    params(("id" = Uuid, Path), ("Idempotency-Key" = Option<String>, Header, description = "As for moves.")),
    request_body = LeaveBody,
    responses(
        (status = 200, description = "The game is aborted.", body = Moved),
        (status = "4XX", description = "Why not.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[post("/games/{id}/abort")]
pub async fn abort_game(
    seated: Seated<Participant>,
    games: web::Data<Games>,
    key: MaybeKey,
    body: web::Json<LeaveBody>,
) -> Result<HttpResponse, Problem> {
    act(&games, &seated, ActRequest { deed: Deed::Abort, expected_seq: body.expected_seq, key: key.0 }).await
}

/// The answer is sent as it was kept, byte for byte.
async fn act(
    games: &Games,
    seated: &Seated<Participant>,
    request: ActRequest,
) -> Result<HttpResponse, Problem> {
    let answer = games.act(&seated.claim, &request).await?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(answer.0))
}
