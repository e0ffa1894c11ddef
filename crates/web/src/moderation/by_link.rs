//! What an operator did about a player, by the link in a mail: whoever cannot log in any more reads it there, appeals, and takes or
//! erases what is stored.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::concerning;
use crate::form::{FromHere, see_other};
use crate::page::{encoded, message, page};
use crate::visitor::Visitor;
use pippost_accounts::Accounts;
use pippost_games::moderation::{self, MAX_APPEAL_CHARS};
use pippost_games::{Games, departing, history};
use pippost_http::admission::{Admitted, Archiving};
use pippost_http::zip::{DATA_FILE, zip};
use pippost_http::{Code, Problem};
use pippost_store::moderation::ActKind;
use uuid::Uuid;

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
    let values = context! {
        act => concerning(&act, &visitor),
        token => &link.token,
        longest => MAX_APPEAL_CHARS,
        is_closed => closed(&accounts, &games, &link.token).await?.is_some(),
    };
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

/// The player of an account that is closed, by the link of the mail that said so.
async fn closed(accounts: &Accounts, games: &Games, token: &str) -> Result<Option<Uuid>, Problem> {
    let act = moderation::act_of_link(games, token).await?.filter(|act| act.kind == ActKind::Close);
    let Some(player_id) = act.and_then(|act| act.subject_id) else { return Ok(None) };
    Ok(accounts.is_closed(player_id).await?.then_some(player_id))
}

/// The data of a player whose account is closed, as one file.
#[get("/moderation/act/data.zip")]
pub async fn export_data(
    admitted: Admitted<Archiving>,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    link: web::Query<Link>,
) -> Result<HttpResponse, Problem> {
    let player_id = closed(&accounts, &games, &link.token).await?.ok_or(Problem::new(Code::NotFound))?;
    Ok(zip(admitted, DATA_FILE, history::everything_of(&games, player_id)))
}

#[derive(Debug, Deserialize)]
pub struct LinkedDeletion {
    #[serde(default)]
    token: String,
    /// A box that is not ticked is not sent.
    #[serde(default)]
    sure: Option<String>,
}

/// Deletes an account that is closed.
#[post("/moderation/act/delete")]
pub async fn delete_account(
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    visitor: Visitor,
    form: FromHere<LinkedDeletion>,
) -> Result<HttpResponse, Problem> {
    let LinkedDeletion { token, sure } = form.into_inner();
    let player_id = closed(&accounts, &games, &token).await?.ok_or(Problem::new(Code::NotFound))?;
    if sure.is_none() {
        return Ok(see_other(&format!("/moderation/act?token={}", encoded(&token))));
    }
    if !accounts.delete_closed(player_id).await? {
        return Err(Problem::new(Code::NotFound));
    }
    departing::leave_soon(&games, player_id).await;
    message(StatusCode::OK, visitor, "deleted-title", "deleted-text")
}
