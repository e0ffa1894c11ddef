//! Personal access tokens, for bots and scripts.

use actix_web::{HttpResponse, delete, get, post, web};
use uuid::Uuid;

use super::bodies::{NewTokenAnswer, NewTokenBody, TokenAnswer, TokensAnswer};
use super::refusals::{BadBody, Failed, InvalidValue, MissingScope, Unauthenticated};
use crate::access::Owner;
use crate::created;
use crate::declared::problems;
use crate::declared_headers::KeyHeader;
use crate::idempotency::CreationKey;
use pippost_accounts::{Accounts, PersonalToken, SecretToken};
use pippost_http::json::Body;
use pippost_http::problem::{Problem, ProblemBody};

problems! {
    TokenProblems: NotFound, ScopesNotPossible, TooManyTokens;
}

/// Lists your personal access tokens, without the tokens themselves.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), responses(
    (status = 200, description = "Those not revoked, newest first.", body = TokensAnswer),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/tokens")]
pub async fn list_tokens(
    accounts: web::Data<Accounts>,
    owner: Owner,
) -> Result<web::Json<TokensAnswer>, Problem> {
    let tokens = accounts.personal_tokens(owner.player_id).await?;
    Ok(web::Json(TokensAnswer { tokens: tokens.into_iter().map(TokenAnswer::from).collect() }))
}

/// Creates a personal access token, which is shown only once.
///
/// A repeated request with the same `Idempotency-Key` is shown it again.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), params(KeyHeader), request_body = NewTokenBody, responses(
    (status = 201, description = "The token.", body = NewTokenAnswer),
    BadBody, Unauthenticated, MissingScope, InvalidValue, Failed, TokenProblems,
))]
#[post("/me/tokens")]
pub async fn create_token(
    accounts: web::Data<Accounts>,
    owner: Owner,
    key: CreationKey,
    body: Body<NewTokenBody>,
) -> Result<HttpResponse, Problem> {
    let key = key.with_body(&*body);
    let wanted = body.into_inner().parse()?;
    let respond = |about: PersonalToken, token: SecretToken| {
        let answer = NewTokenAnswer { about: about.into(), token: token.reveal() };
        serde_json::to_string(&answer).expect("plain data")
    };
    let answer = accounts.create_personal_token(owner.player_id, &wanted, key, respond).await?;
    Ok(created::below("/api/v1/me/tokens", answer))
}

/// Revokes a personal access token.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Revoked. It may be taken for ten seconds more."),
    (status = 404, description = "You have no such token: `not_found`.", body = ProblemBody,
        content_type = "application/problem+json"),
    Unauthenticated, MissingScope, Failed,
))]
#[delete("/me/tokens/{id}")]
pub async fn revoke_token(
    accounts: web::Data<Accounts>,
    owner: Owner,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    accounts.revoke_personal_token(owner.player_id, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
