//! Confirming an address and setting a new password, by the links in mails. Looking at a link does nothing: mail programs and
//! their guards look at links too. A button does it.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use serde::Deserialize;

use super::page::{message, page};
use crate::accounts::{AccountError, Accounts, Password};
use crate::api::Problem;
use crate::api::access::Peer;

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
pub async fn confirm_form(link: web::Query<Link>) -> Result<HttpResponse, Problem> {
    page(StatusCode::OK, "confirm.html", minijinja::context! { token => &link.token })
}

#[post("/confirm-email")]
pub async fn confirm(
    peer: Peer,
    accounts: web::Data<Accounts>,
    link: web::Form<Link>,
) -> Result<HttpResponse, Problem> {
    match accounts.confirm_email(&link.token, peer.0).await {
        Ok(()) => message(
            StatusCode::OK,
            "Address confirmed",
            "Thank you. From now on you are told by mail when it is your turn.",
        ),
        Err(error) => refused(error),
    }
}

#[get("/reset-password")]
pub async fn reset_form(link: web::Query<Link>) -> Result<HttpResponse, Problem> {
    page(StatusCode::OK, "reset.html", minijinja::context! { token => &link.token })
}

#[post("/reset-password")]
pub async fn reset(
    peer: Peer,
    accounts: web::Data<Accounts>,
    form: web::Form<NewPassword>,
) -> Result<HttpResponse, Problem> {
    let NewPassword { token, password } = form.into_inner();
    let password = match Password::try_from(password) {
        Ok(password) => password,
        Err(error) => {
            let values = minijinja::context! { token, problem => error.to_string() };
            return page(StatusCode::UNPROCESSABLE_ENTITY, "reset.html", values);
        }
    };
    match accounts.reset_password(&token, &password, peer.0).await {
        Ok(()) => message(
            StatusCode::OK,
            "New password set",
            "Log in with it. All sessions with the old password have ended.",
        ),
        Err(error) => refused(error),
    }
}

fn refused(error: AccountError) -> Result<HttpResponse, Problem> {
    match error {
        AccountError::LinkInvalid => message(
            StatusCode::UNPROCESSABLE_ENTITY,
            "This link does not work any more",
            "It was used before, or it has expired. Ask for a new one.",
        ),
        other => Err(other.into()),
    }
}
