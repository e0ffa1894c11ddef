//! Sends what was chosen on a game's page: a move, a resignation, an abort.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::choice::Query;
use super::table::{Shown, Trouble, show};
use super::{FRAGMENT, path};
use crate::accounts::Accounts;
use crate::api::Problem;
use crate::games::error::words_of;
use crate::games::viewing::picking::Choice;
use crate::games::{ActRequest, Command, GameError, Games, IdempotencyKey, ListMode, playing, viewing};
use crate::language::Language;
use crate::store::Seq;
use crate::web::form::{Posted, see_other};
use crate::web::visitor::SignedIn;

/// A chosen action, as the page's form holds it.
#[derive(Debug, Deserialize)]
pub struct MoveForm {
    /// The action as JSON.
    action: String,
    /// The event that the player saw as the newest.
    seq: u64,
    key: String,
}

/// A decision to end the game.
#[derive(Debug, Deserialize)]
pub struct LeaveForm {
    seq: u64,
    key: String,
}

#[post("/games/{id}/moves")]
pub async fn make_move(
    by: SignedIn,
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    id: web::Path<Uuid>,
    request: HttpRequest,
    form: Posted<MoveForm>,
) -> Result<HttpResponse, Problem> {
    let MoveForm { action, seq, key } = form.into_inner();
    let action: Value = serde_json::from_str(&action).unwrap_or_default();
    send(&games, &accounts, by, *id, &request, Command::Actions(vec![action]), seq, &key).await
}

#[post("/games/{id}/resign")]
pub async fn resign(
    by: SignedIn,
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    id: web::Path<Uuid>,
    request: HttpRequest,
    form: Posted<LeaveForm>,
) -> Result<HttpResponse, Problem> {
    let LeaveForm { seq, key } = form.into_inner();
    send(&games, &accounts, by, *id, &request, Command::Resign, seq, &key).await
}

#[post("/games/{id}/abort")]
pub async fn abort(
    by: SignedIn,
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    id: web::Path<Uuid>,
    request: HttpRequest,
    form: Posted<LeaveForm>,
) -> Result<HttpResponse, Problem> {
    let LeaveForm { seq, key } = form.into_inner();
    send(&games, &accounts, by, *id, &request, Command::Abort, seq, &key).await
}

#[allow(clippy::too_many_arguments, reason = "the parts of a request")]
async fn send(
    games: &Games,
    accounts: &Accounts,
    by: SignedIn,
    id: Uuid,
    request: &HttpRequest,
    command: Command,
    seq: u64,
    key: &str,
) -> Result<HttpResponse, Problem> {
    let shown = shown_to(request);
    let acting = ActRequest {
        command,
        mode: ListMode::default(),
        expected_seq: Some(Seq::from(seq)),
        if_match: None,
        key: IdempotencyKey::parse(key),
    };
    let acted = match viewing::claim_seat(games, id, by.account.player_id).await {
        Ok(claim) => playing::act(games, &claim, &acting).await.map(|_| ()),
        Err(error) => Err(error),
    };
    match acted {
        Ok(()) => Ok(back(id, shown)),
        Err(error) => {
            let trouble = trouble(error, by.visitor.language)?;
            let query = Query { token: None, choice: Choice::Picks(Vec::new()) };
            show(games, accounts, by.visitor, id, query, shown, Some(trouble)).await
        }
    }
}

/// What the request asked to be shown.
pub fn shown_to(request: &HttpRequest) -> Shown {
    if request.headers().contains_key(FRAGMENT) { Shown::Fragment } else { Shown::Page }
}

/// The answer to a form that was carried out.
pub fn back(id: Uuid, shown: Shown) -> HttpResponse {
    let path = path(id);
    match shown {
        Shown::Page => see_other(&path),
        Shown::Fragment => see_other(&format!("{path}/table")),
    }
}

/// A refusal in words for the player; other errors are problems.
pub fn trouble(error: GameError, language: Language) -> Result<Trouble, Problem> {
    let say = |status, key: &str| Ok(Trouble { status, text: language.say(key) });
    match error {
        GameError::Stale(_) | GameError::PreconditionFailed(_) => say(StatusCode::CONFLICT, "play-stale"),
        GameError::Contended => say(StatusCode::SERVICE_UNAVAILABLE, "play-busy"),
        GameError::NotJoined => say(StatusCode::FORBIDDEN, "play-not-joined"),
        GameError::Refused { refused, .. } => {
            Ok(Trouble { status: StatusCode::UNPROCESSABLE_ENTITY, text: words_of(&refused, language) })
        }
        GameError::Unreadable { unreadable, .. } => {
            let text = language.tell(&unreadable.why, &[]);
            Ok(Trouble { status: StatusCode::UNPROCESSABLE_ENTITY, text })
        }
        GameError::ClockRefused(_) | GameError::ClockLogFull => say(StatusCode::CONFLICT, "clock-refused"),
        GameError::TooManyMessages { .. } => say(StatusCode::TOO_MANY_REQUESTS, "play-too-many-messages"),
        GameError::MessageRefused(_) | GameError::InvalidValue { .. } => {
            say(StatusCode::UNPROCESSABLE_ENTITY, "play-text-refused")
        }
        other => Err(other.into()),
    }
}
