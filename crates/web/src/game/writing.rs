//! Messages to the table, and the player's private note.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::at_table::AtTable;
use crate::form::Posted;
use pippost_games::letters;
use pippost_http::Problem;

/// A text of the player.
#[derive(Debug, Deserialize)]
pub struct TextForm {
    #[serde(default)]
    text: String,
}

#[post("/games/{id}/messages")]
pub async fn say(at: AtTable, form: Posted<TextForm>) -> Result<HttpResponse, Problem> {
    let text = plain(&form.into_inner().text);
    let said = match at.claim().await {
        Ok(claim) => letters::say(&at.games, &claim, &text, None).await.map(|_| ()),
        Err(error) => Err(error),
    };
    at.answer(said).await
}

#[post("/games/{id}/note")]
pub async fn write_note(at: AtTable, form: Posted<TextForm>) -> Result<HttpResponse, Problem> {
    let text = plain(&form.into_inner().text);
    let written = match at.claim().await {
        Ok(claim) => letters::write_note(&at.games, &claim, &text).await,
        Err(error) => Err(error),
    };
    at.answer(written).await
}

/// Browsers end lines with two characters.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}
