//! Switches off a kind of mail by the link in it: for mail programs with one request (RFC 8058), for people with a button. GET
//! changes nothing, and no login is needed.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::page::{message, page};
use super::visitor::Visitor;
use pippost_accounts::{Accounts, SwitchOff};
use pippost_http::Problem;

#[derive(Deserialize)]
pub struct Link {
    #[serde(default)]
    token: String,
}

#[get("/unsubscribe")]
pub async fn form(
    accounts: web::Data<Accounts>,
    visitor: Visitor,
    link: web::Query<Link>,
) -> Result<HttpResponse, Problem> {
    let Some(about) = accounts.switch_off_link(&link.token).await? else { return no_such_link(visitor) };
    let visitor = visitor.recognised(&accounts, about.player_id).await?;
    let inviter = accounts.inviter_of(&about).await?;
    let stranger = matches!(about, SwitchOff { player_id: None, .. });
    page(
        StatusCode::OK,
        "unsubscribe.html",
        visitor,
        context! { kind => about.kind.as_str(), stranger, inviter, token => &link.token },
    )
}

/// The body is ignored: mail programs and the page's button send `List-Unsubscribe=One-Click`.
#[post("/unsubscribe")]
pub async fn switch_off(
    accounts: web::Data<Accounts>,
    visitor: Visitor,
    link: web::Query<Link>,
) -> Result<HttpResponse, Problem> {
    let Some(about) = accounts.switch_off_link(&link.token).await? else { return no_such_link(visitor) };
    let visitor = visitor.recognised(&accounts, about.player_id).await?;
    accounts.switch_off(about).await?;
    message(StatusCode::OK, visitor, "stopped-title", "stopped-text")
}

/// Blocks the player who invites in a mail.
#[post("/unsubscribe/inviter")]
pub async fn block_inviter(
    accounts: web::Data<Accounts>,
    visitor: Visitor,
    link: web::Query<Link>,
) -> Result<HttpResponse, Problem> {
    let about = accounts.switch_off_link(&link.token).await?.filter(|about| about.inviter_id.is_some());
    let Some(about) = about else { return no_such_link(visitor) };
    let visitor = visitor.recognised(&accounts, about.player_id).await?;
    accounts.block_inviter(&about).await?;
    message(StatusCode::OK, visitor, "stopped-title", "blocked-text")
}

fn no_such_link(visitor: Visitor) -> Result<HttpResponse, Problem> {
    message(StatusCode::NOT_FOUND, visitor, "stop-bad-title", "stop-bad-text")
}
