//! Sends what was chosen on a game's page: a move, a resignation, an abort.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::at_table::AtBoard;
use crate::form::Posted;
use pippost_games::{ActRequest, Command, IdempotencyKey, ListMode, playing};
use pippost_http::Problem;
use pippost_store::Seq;

/// A chosen action, as the page's form holds it.
#[derive(Debug, Deserialize)]
pub struct MoveForm {
    /// The action as JSON.
    #[serde(default)]
    action: String,
    /// Or in notation: a move that was written without a connection.
    #[serde(default)]
    notation: String,
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
pub async fn make_move(at: AtBoard, form: Posted<MoveForm>) -> Result<HttpResponse, Problem> {
    let MoveForm { action, notation, seq, key } = form.into_inner();
    let command = if action.is_empty() {
        Command::Notation(notation)
    } else {
        Command::Actions(vec![serde_json::from_str(&action).unwrap_or_default()])
    };
    send(at, command, seq, &key).await
}

#[post("/games/{id}/resign")]
pub async fn resign(at: AtBoard, form: Posted<LeaveForm>) -> Result<HttpResponse, Problem> {
    let LeaveForm { seq, key } = form.into_inner();
    send(at, Command::Resign, seq, &key).await
}

#[post("/games/{id}/abort")]
pub async fn abort(at: AtBoard, form: Posted<LeaveForm>) -> Result<HttpResponse, Problem> {
    let LeaveForm { seq, key } = form.into_inner();
    send(at, Command::Abort, seq, &key).await
}

async fn send(at: AtBoard, command: Command, seq: u64, key: &str) -> Result<HttpResponse, Problem> {
    let acting = ActRequest {
        command,
        mode: ListMode::default(),
        expected_seq: Some(Seq::from(seq)),
        if_match: None,
        key: IdempotencyKey::parse(key),
    };
    let acted = match at.claim().await {
        Ok(claim) => playing::act(&at.games, &claim, &acting).await.map(|_| ()),
        Err(error) => Err(error),
    };
    at.answer(acted).await
}
