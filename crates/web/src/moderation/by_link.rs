//! What an operator did about a player, by the link in a mail: whoever cannot log in any more reads it there, and appeals.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::concerning;
use crate::form::{FromHere, see_other};
use crate::page::{encoded, message, page};
use crate::visitor::Visitor;
use pippost_accounts::Accounts;
use pippost_games::Games;
use pippost_games::moderation::{self, MAX_APPEAL_CHARS};
use pippost_http::Problem;

#[derive(Debug, Default, Deserialize)]
pub struct Link {
    #[serde(default)]
    token: String,
}

#[get("/moderation/act")]
pub async fn show_act(
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    visitor: Visitor,
    link: web::Query<Link>,
) -> Result<HttpResponse, Problem> {
    let Some(act) = moderation::act_of_link(&games, &link.token).await? else {
        return message(StatusCode::NOT_FOUND, visitor, "stop-bad-title", "stop-bad-text");
    };
    let visitor = visitor.recognised(&accounts, act.subject_id).await?;
    let values =
        context! { act => concerning(&act, &visitor), token => &link.token, longest => MAX_APPEAL_CHARS };
    page(StatusCode::OK, "moderation_act.html", visitor, values)
}

#[derive(Debug, Deserialize)]
pub struct LinkedAppeal {
    #[serde(default)]
    token: String,
    #[serde(default)]
    text: String,
}

/// Takes an appeal. The token of the link says who may send it.
#[post("/moderation/act")]
pub async fn appeal(games: web::Data<Games>, form: FromHere<LinkedAppeal>) -> Result<HttpResponse, Problem> {
    let LinkedAppeal { token, text } = form.into_inner();
    moderation::appeal_by_link(&games, &token, &text).await?;
    Ok(see_other(&format!("/moderation/act?token={}", encoded(&token))))
}
