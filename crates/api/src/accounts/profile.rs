//! A player's own account, and public profiles of others.

use actix_web::{get, patch, web};

use super::bodies::{MeAnswer, PlayerAnswer, ProfileBody};
use super::refusals::{
    BadBody, Failed, InvalidValue, MissingScope, RefusedAddress, TooManyTries, Unauthenticated,
};
use crate::access::{Owner, Reader};
use pippost_accounts::Accounts;
use pippost_games::lobby::{listing, quotas};
use pippost_games::{Games, ratings, reliability};
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::{Problem, ProblemBody};

/// Shows the account of the token.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "The account.", body = MeAnswer),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me")]
pub async fn show_me(
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    reader: Reader,
) -> Result<web::Json<MeAnswer>, Problem> {
    let profile = accounts.profile(reader.player_id).await?;
    let quotas = quotas::of_player(&games, reader.player_id, profile.player.bot).await?;
    Ok(web::Json(MeAnswer::from(profile).with_quotas(quotas)))
}

/// Changes the account: mails on or off, the e-mail address.
///
/// The answer is the same whether a new address has an account or not.
#[utoipa::path(tag = "accounts", security(("token" = [Owner::SCOPE])), request_body = ProfileBody, responses(
    (status = 200, description = "The account as it is now.", body = MeAnswer),
    (status = 401, description = "The password is wrong (`wrong_credentials`), or the token is no good (`unauthenticated`, \
        `session_revoked`).", body = ProblemBody, content_type = "application/problem+json"),
    RefusedAddress, BadBody, MissingScope, InvalidValue, TooManyTries, Failed,
))]
#[patch("/me")]
pub async fn change_me(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    owner: Owner,
    body: Body<ProfileBody>,
) -> Result<web::Json<MeAnswer>, Problem> {
    let change = body.into_inner().parse()?;
    Ok(web::Json(accounts.change_profile(&owner, &change, peer.0).await?.into()))
}

/// Shows a player's ratings and reliability.
#[utoipa::path(tag = "accounts", params(("handle" = String, Path, max_length = 32, example = "ann")), responses(
    (status = 200, description = "The player.", body = PlayerAnswer),
    (status = 404, description = "Nobody has this handle: `not_found`.", body = ProblemBody,
        content_type = "application/problem+json"),
    Failed,
))]
#[get("/players/{handle}")]
pub async fn show_player(
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
) -> Result<web::Json<PlayerAnswer>, Problem> {
    let player = accounts.player_named(&handle).await?;
    let reliability = reliability::of_player(&games, &player.handle).await?;
    let results = listing::results(&games, player.id).await?;
    let ratings = ratings::of_player(&games, &player).await?;
    Ok(web::Json(PlayerAnswer::new(player, reliability, results, ratings)))
}
