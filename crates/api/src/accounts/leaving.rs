//! All that is stored of a player, for the player, and the end of an account.

use actix_web::{HttpResponse, get, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::refusals::{BadBody, Failed, MissingScope, TooManyTries, Unauthenticated};
use crate::access::Owner;
use crate::media::Binary;
use pippost_accounts::{Accounts, Password};
use pippost_games::{Games, departing, history};
use pippost_http::admission::{Admitted, Archiving, Hashing};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::{Problem, ProblemBody};
use pippost_http::text::checked;
use pippost_http::zip::{DATA_FILE, zip};

/// The end of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeletionBody {
    /// The password, once more.
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password)]
    password: String,
}

impl DeletionBody {
    pub fn parse(self) -> Result<Password, Problem> {
        checked("password", self.password)
    }
}

/// Exports all that this server stores of you in one ZIP.
///
/// A file of NDJSON for each kind that has something, then the records, as in `/me/records.zip`. Secrets are left out.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), responses(
    (status = 200, description = "What is stored: `<kind>.ndjson`, and `<rules>-<id>.ndjson` for each started game.", body = Binary, content_type = "application/zip"),
    (status = 503, description = "Too many are being made right now: `unavailable`.", body = ProblemBody, content_type = "application/problem+json"),
    Unauthenticated, MissingScope,
))]
#[get("/me/data.zip")]
pub async fn export_my_data(
    admitted: Admitted<Archiving>,
    owner: Owner,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    Ok(zip(admitted, DATA_FILE, history::everything_of(&games, owner.player_id)))
}

/// Deletes your account for good.
///
/// What is stored of you alone is erased, your messages, too. Games that wait are left, running ones resigned. Records stay whole,
/// with your handle, which nobody else can have, and your `entropy`.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), request_body = DeletionBody, responses(
    (status = 204, description = "Deleted. The token is worth nothing any more."),
    (status = 401, description = "The password is wrong (`wrong_credentials`), or the token is no good (`unauthenticated`, \
        `session_revoked`).", body = ProblemBody, content_type = "application/problem+json"),
    BadBody, MissingScope, TooManyTries, Failed,
))]
#[post("/me/deletion")]
pub async fn delete_account(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    peer: Peer,
    owner: Owner,
    body: Body<DeletionBody>,
) -> Result<HttpResponse, Problem> {
    let password = body.into_inner().parse()?;
    accounts.delete(&owner, &password, peer.0).await?;
    departing::leave_soon(&games, owner.player_id).await;
    Ok(HttpResponse::NoContent().finish())
}
