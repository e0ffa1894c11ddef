//! Messages to the table, and the player's private note.

use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use uuid::Uuid;

use super::acting::{back, shown_to, trouble};
use super::choice::Query;
use super::table::show;
use crate::accounts::Accounts;
use crate::api::Problem;
use crate::games::viewing::picking::Choice;
use crate::games::{GameError, Games, letters, viewing};
use crate::web::form::Posted;
use crate::web::visitor::SignedIn;

/// A text of the player.
#[derive(Debug, Deserialize)]
pub struct TextForm {
    #[serde(default)]
    text: String,
}

#[post("/games/{id}/messages")]
pub async fn say(
    by: SignedIn,
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    id: web::Path<Uuid>,
    request: HttpRequest,
    form: Posted<TextForm>,
) -> Result<HttpResponse, Problem> {
    let text = plain(&form.into_inner().text);
    let said = match viewing::claim_seat(&games, *id, by.account.player_id).await {
        Ok(claim) => letters::say(&games, &claim, &text, None).await.map(|_| ()),
        Err(error) => Err(error),
    };
    answer(&games, &accounts, by, *id, &request, said).await
}

#[post("/games/{id}/note")]
pub async fn write_note(
    by: SignedIn,
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    id: web::Path<Uuid>,
    request: HttpRequest,
    form: Posted<TextForm>,
) -> Result<HttpResponse, Problem> {
    let text = plain(&form.into_inner().text);
    let written = match viewing::claim_seat(&games, *id, by.account.player_id).await {
        Ok(claim) => letters::write_note(&games, &claim, &text).await,
        Err(error) => Err(error),
    };
    answer(&games, &accounts, by, *id, &request, written).await
}

/// Browsers end lines with two characters.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

pub async fn answer(
    games: &Games,
    accounts: &Accounts,
    by: SignedIn,
    id: Uuid,
    request: &HttpRequest,
    done: Result<(), GameError>,
) -> Result<HttpResponse, Problem> {
    let shown = shown_to(request);
    match done {
        Ok(()) => Ok(back(id, shown)),
        Err(error) => {
            let trouble = trouble(error, by.visitor.language)?;
            let query = Query { token: None, choice: Choice::Picks(Vec::new()) };
            show(games, accounts, by.visitor, id, query, shown, Some(trouble)).await
        }
    }
}
