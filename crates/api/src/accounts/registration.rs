//! Registers players and confirms e-mail addresses.

use actix_web::http::header::ACCEPT_LANGUAGE;
use actix_web::{HttpRequest, HttpResponse, post, web};

use super::bodies::{LinkBody, NewAccountBody, SessionAnswer};
use super::refusals::{BadBody, Failed, MissingScope, TooManyTries, Unauthenticated};
use crate::access::Owner;
use crate::created;
use crate::declared_headers::KeyHeader;
use crate::idempotency::CreationKey;
use pippost_accounts::{Accounts, LoggedIn};
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::{Problem, ProblemBody};
use pippost_language::Language;

/// Registers a player and logs in.
///
/// A mail asks to confirm the address, which belongs to whoever confirms it first. Only that mail says
/// whether it already has an account.
#[utoipa::path(tag = "accounts", params(KeyHeader), request_body = NewAccountBody, responses(
    (status = 201, description = "Registered and logged in.", body = SessionAnswer),
    (status = 403, description = "This server is by invitation, and the one that was sent is missing or not valid; or it takes no \
        registrations (`invitation_needed`).", body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, description = "The handle is taken (`handle_taken`); or the address is one of this server, of a machine by its \
        number, or one to which its mail server cannot send (`email_refused`); or the password is among the most common, or equals the handle or the address \
        (`password_too_common`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, TooManyTries, Failed,
))]
#[post("/accounts")]
pub async fn register(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    key: CreationKey,
    request: HttpRequest,
    body: Body<NewAccountBody>,
) -> Result<HttpResponse, Problem> {
    let key = key.with_body(&*body);
    let accepted = request.headers().get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let new = body.into_inner().parse(accepted.map(Language::accepted).unwrap_or_default())?;
    let respond =
        |logged_in: LoggedIn| serde_json::to_string(&SessionAnswer::from(logged_in)).expect("plain data");
    let answer = accounts.register(&new, peer.0, key, respond).await?;
    Ok(created::at("/api/v1/me", answer))
}

/// Confirms an e-mail address with the link sent to it.
///
/// A new address then replaces the old one, which is notified by mail.
#[utoipa::path(tag = "accounts", request_body = LinkBody, responses(
    (status = 204, description = "Confirmed."),
    (status = 409, description = "Somebody else has confirmed the address meanwhile (`email_taken`); or the link was used, has \
        expired, or never was one (`link_invalid`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, TooManyTries, Failed,
))]
#[post("/email/confirm")]
pub async fn confirm_email(
    accounts: web::Data<Accounts>,
    peer: Peer,
    body: Body<LinkBody>,
) -> Result<HttpResponse, Problem> {
    accounts.confirm_email(&body.token, peer.0).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends another confirmation mail, if an address waits for one.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), responses(
    (status = 202, description = "The mail is under way."),
    Unauthenticated, MissingScope, TooManyTries, Failed,
))]
#[post("/email/resend")]
pub async fn resend_confirmation(
    accounts: web::Data<Accounts>,
    peer: Peer,
    owner: Owner,
) -> Result<HttpResponse, Problem> {
    accounts.resend_confirmation(owner.player_id, peer.0).await?;
    Ok(HttpResponse::Accepted().finish())
}
