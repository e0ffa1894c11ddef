//! Shows a game, now or at any position, and the legal actions.

use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, web};
use uuid::Uuid;

use super::bodies::LookQuery;
use crate::access::{MaybeReader, Reader};
use crate::games::refusals::{LookProblems, SeatedProblems};
use crate::seat::Seated;
use pippost_games::playing::preview::LegalActions;
use pippost_games::viewing::view::Requester;
use pippost_games::viewing::view_text::ShownView;
use pippost_games::{At, GameView, Games, history, playing, viewing};
use pippost_http::Problem;
use pippost_http::admission::AdmittedToPast;
use pippost_http::conditional::EntityTag;
use pippost_language::Language;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Shows a game as you may see it, now or after any event or turn.
///
/// A position of a very long game may have to be prepared first: 503 with `Retry-After`.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(LookQuery), responses(
    (status = 200, description = "The game.", body = GameView),
    (status = 304, description = "You have it already, but for the seconds left."),
    LookProblems,
))]
#[get("/games/{id}")]
pub async fn view_game(
    _past: AdmittedToPast,
    request: HttpRequest,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let (id, query) = (*id, query.into_inner());
    let at = query.at();
    let requester = Requester { player_id: account.player_id(), token: query.token.map(Into::into) };
    if at != At::Now {
        // Boxed, because this rare future is much larger than the others.
        let mut view = Box::pin(history::view_at(&games, id, &requester, at)).await?;
        let seconds = view.time_left_seconds.take();
        let tag = EntityTag::of_json(&view);
        view.time_left_seconds = seconds;
        return Ok(tag.respond(&request, |mut answer| answer.json(view)));
    }
    let ShownView { json, tag } = viewing::view_text(&games, id, &requester).await?;
    let tag = EntityTag::written(tag.into_bytes());
    Ok(tag.respond(&request, |mut answer| {
        answer.insert_header((CONTENT_TYPE, JSON)).body(json.get().to_owned())
    }))
}

/// Lists the legal actions, so that a client need not know the rules.
///
/// Send one of them to `/moves`, in `actions`. An entry without `choose` can be sent as it is; for one with `choose`, send an
/// action that it stands for (`Choose`).
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The legal actions; empty when it is not your turn.", body = LegalActions),
    SeatedProblems,
))]
#[get("/games/{id}/actions")]
pub async fn legal_actions(
    seated: Seated<Reader>,
    games: web::Data<Games>,
) -> Result<web::Json<LegalActions>, Problem> {
    Ok(web::Json(playing::legal_actions(&games, &seated.claim).await?))
}

/// Draws the board as plain text, now or after any event or turn.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(LookQuery), responses(
    (status = 200, description = "The board, plain ASCII.", body = String, content_type = "text/plain"),
    (status = 304, description = "You have it already."),
    LookProblems,
))]
#[get("/games/{id}/board.txt")]
pub async fn board_text(
    _past: AdmittedToPast,
    request: HttpRequest,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let at = query.at();
    let requester =
        Requester { player_id: account.player_id(), token: query.into_inner().token.map(Into::into) };
    let board = viewing::board_text(&games, *id, &requester, at, Language::ENGLISH).await?;
    let tag = EntityTag::of(&[board.as_bytes()]);
    Ok(tag.respond(&request, |mut answer| answer.content_type("text/plain; charset=utf-8").body(board)))
}
