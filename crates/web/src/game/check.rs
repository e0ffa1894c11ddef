//! The second verifier with the record of a game in it: it checks the record at once, and sends nothing anywhere.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use futures_util::TryStreamExt;
use minijinja::HtmlEscape;
use serde::Deserialize;
use uuid::Uuid;

use super::pictures::requester;
use crate::page::message;
use crate::verifier;
use crate::visitor::Visitor;
use pippost_games::{GameError, Games, history};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Archiving};

/// The longest record that is put into the page, in bytes. Longer ones are downloaded and given to the verifier.
const MAX_RECORD_BYTES: usize = 4 << 20;

/// The link that opens a private game.
#[derive(Debug, Deserialize)]
pub struct CheckQuery {
    token: Option<String>,
}

#[get("/games/{id}/check")]
pub async fn show_check(
    _place: Admitted<Archiving>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<CheckQuery>,
) -> Result<HttpResponse, Problem> {
    let requester = requester(&visitor, query.into_inner().token);
    let record = match history::record(&games, *id, &requester, true).await {
        Ok(record) => record,
        Err(GameError::NotFound | GameError::NotStarted) => {
            return message(StatusCode::NOT_FOUND, visitor, "page-no-game-title", "page-no-game-text");
        }
        Err(error) => return Err(error.into()),
    };
    let mut record = Box::pin(record);
    let mut bytes = Vec::new();
    while let Some(part) = record.try_next().await? {
        bytes.extend_from_slice(&part);
        if bytes.len() > MAX_RECORD_BYTES {
            return message(StatusCode::OK, visitor, "check-long-title", "check-long-text");
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(verifier::served_with(&HtmlEscape(text.as_ref()).to_string(), &format!("pippost-{id}.ndjson")))
}
