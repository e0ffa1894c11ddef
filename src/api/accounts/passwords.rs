//! Changing a password, and replacing a forgotten one.

use actix_web::{HttpResponse, post, web};

use super::bodies::{NewPasswordBody, PasswordBody, ResetBody};
use super::refusals::{BadBody, Failed, InvalidValue, MissingScope, TooManyTries};
use crate::accounts::Accounts;
use crate::api::access::Owner;
use crate::api::peer::Peer;
use crate::api::problem::{Problem, ProblemBody};

/// Changes the password. All other sessions end, this one goes on.
#[utoipa::path(tag = "accounts", security(("token" = [])), request_body = PasswordBody, responses(
    (status = 204, description = "Changed."),
    (status = 401, description = "The current password is wrong (`wrong_credentials`), or the token is no good \
        (`unauthenticated`, `session_revoked`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, MissingScope, InvalidValue, TooManyTries, Failed,
))]
#[post("/me/password")]
pub async fn change_password(
    accounts: web::Data<Accounts>,
    peer: Peer,
    owner: Owner,
    body: web::Json<PasswordBody>,
) -> Result<HttpResponse, Problem> {
    let (current, new) = body.into_inner().parse()?;
    accounts.change_password(&owner, &current, &new, peer.0).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Asks for a mail with a link that sets a new password. The answer is the same whether the address has an account or not.
#[utoipa::path(tag = "accounts", request_body = ResetBody, responses(
    (status = 202, description = "If the address has an account, a mail is under way."),
    BadBody, InvalidValue, TooManyTries, Failed,
))]
#[post("/password-resets")]
pub async fn request_password_reset(
    accounts: web::Data<Accounts>,
    peer: Peer,
    body: web::Json<ResetBody>,
) -> Result<HttpResponse, Problem> {
    let email = body.into_inner().parse()?;
    accounts.request_password_reset(&email, peer.0).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Sets a new password by the link from a mail. All sessions end.
#[utoipa::path(tag = "accounts", request_body = NewPasswordBody, responses(
    (status = 204, description = "The new password is set."),
    (status = 422, description = "The link was used, has expired, or never was one (`link_invalid`); or the password is not \
        acceptable (`invalid_value`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, TooManyTries, Failed,
))]
#[post("/password-resets/confirm")]
pub async fn reset_password(
    accounts: web::Data<Accounts>,
    peer: Peer,
    body: web::Json<NewPasswordBody>,
) -> Result<HttpResponse, Problem> {
    let (token, new) = body.into_inner().parse()?;
    accounts.reset_password(&token, &new, peer.0).await?;
    Ok(HttpResponse::NoContent().finish())
}
