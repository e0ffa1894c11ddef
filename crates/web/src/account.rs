//! Pages that confirm an address and set a new password, reached by links in mails. GET changes nothing, because mail programs
//! and their virus scanners open links too; the page has a button.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use serde::Deserialize;

use super::form::FromHere;
use super::page::{message, page};
use super::visitor::Visitor;
use pippost_accounts::{AccountError, Accounts, Password};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::peer::Peer;

#[derive(Deserialize)]
pub struct Link {
    #[serde(default)]
    token: String,
}

#[derive(Deserialize)]
pub struct NewPassword {
    token: String,
    password: String,
}

#[get("/confirm-email")]
pub async fn confirm_form(visitor: Visitor, link: web::Query<Link>) -> Result<HttpResponse, Problem> {
    page(StatusCode::OK, "confirm.html", visitor, minijinja::context! { token => &link.token })
}

#[post("/confirm-email")]
pub async fn confirm(
    peer: Peer,
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    link: FromHere<Link>,
) -> Result<HttpResponse, Problem> {
    match accounts.confirm_email(&link.into_inner().token, peer.0).await {
        Ok(()) => message(StatusCode::OK, visitor, "confirmed-title", "confirmed-text"),
        Err(error) => refused(visitor, error),
    }
}

#[get("/reset-password")]
pub async fn reset_form(visitor: Visitor, link: web::Query<Link>) -> Result<HttpResponse, Problem> {
    page(StatusCode::OK, "reset.html", visitor, minijinja::context! { token => &link.token })
}

#[post("/reset-password")]
pub async fn reset(
    _place: Admitted<Hashing>,
    peer: Peer,
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    form: FromHere<NewPassword>,
) -> Result<HttpResponse, Problem> {
    let NewPassword { token, password } = form.into_inner();
    let password = match Password::try_from(password) {
        Ok(password) => password,
        Err(_too_short_or_long) => {
            let values = minijinja::context! { token, problem => visitor.language.say("reset-page-bad") };
            return page(StatusCode::UNPROCESSABLE_ENTITY, "reset.html", visitor, values);
        }
    };
    match accounts.reset_password(&token, &password, false, peer.0).await {
        Ok(()) => message(StatusCode::OK, visitor, "reset-done-title", "reset-done-text"),
        Err(AccountError::PasswordTooCommon { .. }) => {
            let values = minijinja::context! { token, problem => visitor.language.say("reset-page-common") };
            page(StatusCode::UNPROCESSABLE_ENTITY, "reset.html", visitor, values)
        }
        Err(error) => refused(visitor, error),
    }
}

fn refused(visitor: Visitor, error: AccountError) -> Result<HttpResponse, Problem> {
    match error {
        AccountError::LinkInvalid => {
            message(StatusCode::UNPROCESSABLE_ENTITY, visitor, "link-bad-title", "link-bad-text")
        }
        other => Err(other.into()),
    }
}
