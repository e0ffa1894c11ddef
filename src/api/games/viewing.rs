//! Shows a game, now or at any position, and the legal actions.

use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, get, web};
use uuid::Uuid;

use super::answers::LegalActions;
use super::bodies::LookQuery;
use super::views::GameView;
use crate::api::Problem;
use crate::api::access::{MaybeReader, Reader};
use crate::api::admission::AdmittedToPast;
use crate::api::fast_routes::GameId;
use crate::api::games::refusals::{LookProblems, SeatedProblems};
use crate::api::seat::Seated;
use crate::games::viewing::view::Requester;
use crate::games::{At, Games, history, playing, viewing};
use crate::language::Language;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Shows a game as you may see it, now or after any event or turn.
///
/// A position of a very long game may have to be prepared first. The answer is then 503, and `Retry-After` says when to ask
/// again.
#[utoipa::path(tag = "games", security((), ("token" = [])), params(LookQuery), responses(
    (status = 200, description = "The game.", body = GameView),
    LookProblems,
))]
#[get("/games/{id}")]
pub async fn view_game(
    _past: AdmittedToPast,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    show(&account, &games, *id, query.into_inner()).await
}

/// The same, on the fast route.
pub async fn view_game_fast(
    _past: AdmittedToPast,
    account: MaybeReader,
    games: web::Data<Games>,
    id: GameId,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    show(&account, &games, id.0, query.into_inner()).await
}

async fn show(
    account: &MaybeReader,
    games: &Games,
    id: Uuid,
    query: LookQuery,
) -> Result<HttpResponse, Problem> {
    let at = query.at()?;
    let requester = Requester { player_id: account.player_id(), token: query.token };
    if at != At::Now {
        // Boxed, because this rare future is much larger than the others.
        let game = Box::pin(history::view_at(games, id, &requester, at)).await?;
        return Ok(HttpResponse::Ok().json(GameView::from(&game)));
    }
    let text = viewing::view_text(games, id, &requester).await?;
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(text))
}

/// Lists the legal actions. Any of them can be sent as it is, so a client need not know the rules.
#[utoipa::path(tag = "games", security(("token" = [])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The legal actions; empty when it is not your turn.", body = LegalActions),
    SeatedProblems,
))]
#[get("/games/{id}/actions")]
pub async fn legal_actions(
    seated: Seated<Reader>,
    games: web::Data<Games>,
) -> Result<web::Json<LegalActions>, Problem> {
    Ok(web::Json(playing::legal_actions(&games, &seated.claim).await?.into()))
}

/// Draws the board as plain text, now or after any event or turn.
#[utoipa::path(tag = "games", security((), ("token" = [])), params(LookQuery), responses(
    (status = 200, description = "The board, plain ASCII.", body = String, content_type = "text/plain"),
    LookProblems,
))]
#[get("/games/{id}/board.txt")]
pub async fn board_text(
    _past: AdmittedToPast,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let at = query.at()?;
    let requester = Requester { player_id: account.player_id(), token: query.into_inner().token };
    let board = viewing::board_text(&games, *id, &requester, at, Language::English).await?;
    Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(board))
}
