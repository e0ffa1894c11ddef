//! Changes passwords, and resets forgotten ones.

use actix_web::{HttpResponse, post, web};

use super::bodies::{NewPasswordBody, PasswordBody, PasswordReset, ResetBody};
use super::refusals::{BadBody, Failed, InvalidValue, MissingScope, TooManyTries, UnacceptablePassword};
use crate::access::Owner;
use pippost_accounts::Accounts;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::{Problem, ProblemBody};

/// Changes the password and ends all other sessions, and personal tokens, webhooks and what apps are allowed if `end_tokens` is true.
///
/// Links to addresses that wait to be confirmed stop working.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), request_body = PasswordBody, responses(
    (status = 204, description = "Changed."),
    (status = 401, description = "The current password is wrong (`wrong_credentials`), or the token is no good \
        (`unauthenticated`, `session_revoked`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, MissingScope, UnacceptablePassword, TooManyTries, Failed,
))]
#[post("/me/password")]
pub async fn change_password(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    owner: Owner,
    body: Body<PasswordBody>,
) -> Result<HttpResponse, Problem> {
    let body = body.into_inner();
    let end_tokens = body.end_tokens;
    let (current, new) = body.parse()?;
    accounts.change_password(&owner, &current, &new, end_tokens, peer.0).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends a mail with a link that sets a new password.
///
/// The answer is the same whether the address has an account or not.
#[utoipa::path(tag = "accounts", request_body = ResetBody, responses(
    (status = 202, description = "If the address has an account, a mail is under way."),
    BadBody, InvalidValue, TooManyTries, Failed,
))]
#[post("/password-resets")]
pub async fn request_password_reset(
    accounts: web::Data<Accounts>,
    peer: Peer,
    body: Body<ResetBody>,
) -> Result<HttpResponse, Problem> {
    let email = body.into_inner().parse()?;
    accounts.request_password_reset(&email, peer.0).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Sets a new password with the link from a mail.
///
/// All sessions end, links to addresses that wait to be confirmed, and, unless `keep_tokens` is true, personal tokens, webhooks and
/// consents.
#[utoipa::path(tag = "accounts", request_body = NewPasswordBody, responses(
    (status = 204, description = "The new password is set."),
    (status = 409, description = "The link was used, has expired, or never was one (`link_invalid`); or the password is not \
        acceptable (`password_too_common`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, TooManyTries, Failed,
))]
#[post("/password-resets/confirm")]
pub async fn reset_password(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    body: Body<NewPasswordBody>,
) -> Result<HttpResponse, Problem> {
    let PasswordReset { token, new, keep_tokens } = body.into_inner().parse()?;
    accounts.reset_password(&token, &new, keep_tokens, peer.0).await?;
    Ok(HttpResponse::NoContent().finish())
}
