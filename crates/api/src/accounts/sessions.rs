//! Logs players in and out.

use actix_web::{HttpResponse, delete, post, web};

use super::bodies::{LogInBody, RefreshBody, SessionAnswer};
use super::refusals::{BadBody, Failed, InvalidValue, MissingScope, TooManyTries, Unauthenticated};
use crate::access::Owner;
use crate::created;
use pippost_accounts::Accounts;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::{Code, Problem, ProblemBody};

/// Logs in.
#[utoipa::path(tag = "accounts", request_body = LogInBody, responses(
    (status = 201, description = "Logged in.", body = SessionAnswer),
    (status = 403, description = "Handle, address or password is wrong: `wrong_credentials`; or the operator has closed the account: \
        `account_closed`.", body = ProblemBody,
        content_type = "application/problem+json"),
    BadBody, InvalidValue, TooManyTries, Failed,
))]
#[post("/sessions")]
pub async fn log_in(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    body: Body<LogInBody>,
) -> Result<HttpResponse, Problem> {
    let (by, password) = body.into_inner().parse()?;
    let logged_in = accounts.log_in(&by, &password, peer.0).await?;
    let answer = serde_json::to_string(&SessionAnswer::from(logged_in)).expect("plain data");
    Ok(created::at("/api/v1/sessions/current", answer))
}

/// Exchanges a refresh token for new tokens.
///
/// A refresh token is valid once. A second use ends the session, because somebody else has a copy of the token.
#[utoipa::path(tag = "accounts", request_body = RefreshBody, responses(
    (status = 200, description = "New tokens.", body = SessionAnswer),
    (status = 403, description = "The token is none, was used, or its session has ended: `refresh_refused`.",
        body = ProblemBody, content_type = "application/problem+json"),
    BadBody, Failed,
))]
#[post("/sessions/refresh")]
pub async fn refresh_session(
    accounts: web::Data<Accounts>,
    body: Body<RefreshBody>,
) -> Result<web::Json<SessionAnswer>, Problem> {
    Ok(web::Json(accounts.refresh(&body.refresh_token).await?.into()))
}

/// Logs out: ends the session of the access token.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), responses(
    (status = 204, description = "The session has ended."),
    Unauthenticated, MissingScope, Failed,
))]
#[delete("/sessions/current")]
pub async fn log_out(accounts: web::Data<Accounts>, owner: Owner) -> Result<HttpResponse, Problem> {
    let session_id = owner.session_id.ok_or_else(|| Problem::new(Code::MissingScope))?;
    accounts.log_out(session_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
