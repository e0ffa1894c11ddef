//! How a player wants to be told: everywhere, and otherwise in one game.

mod bodies;

use actix_web::{get, patch, put, web};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use self::bodies::{GameWishesBody, WishesAnswer, WishesBody};
use super::access::{Owner, Participant, Reader};
use super::accounts::refusals::{BadBody, Failed, InvalidValue, MissingScope, Unauthenticated};
use super::problem::Problem;
use super::seat::{Seated, SeatedBody};
use crate::accounts::Accounts;
use crate::api::games::refusals::SeatedProblems;

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service.service(show_wishes).service(change_wishes).service(show_game_wishes).service(set_game_wishes);
}

/// Shows how you want to be told.
#[utoipa::path(tag = "accounts", security(("token" = [])), responses(
    (status = 200, description = "Your wishes, the usual ones where you have none.", body = WishesAnswer),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/wishes")]
pub async fn show_wishes(
    accounts: web::Data<Accounts>,
    reader: Reader,
) -> Result<web::Json<WishesAnswer>, Problem> {
    Ok(web::Json(accounts.wishes(reader.player_id).await?.into()))
}

/// Changes how you want to be told; what is missing stays as it is.
#[utoipa::path(tag = "accounts", security(("token" = [])), request_body = WishesBody, responses(
    (status = 200, description = "All your wishes as they are now.", body = WishesAnswer),
    Unauthenticated, BadBody, MissingScope, InvalidValue, Failed,
))]
#[patch("/me/wishes")]
pub async fn change_wishes(
    accounts: web::Data<Accounts>,
    owner: Owner,
    body: web::Json<WishesBody>,
) -> Result<web::Json<WishesAnswer>, Problem> {
    let change = body.into_inner().parse()?;
    Ok(web::Json(accounts.change_wishes(owner.player_id, change).await?.into()))
}

/// Shows what you want otherwise in one game.
#[utoipa::path(tag = "games", security(("token" = [])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "Your wishes for this game; null: as everywhere.", body = GameWishesBody),
    SeatedProblems,
))]
#[get("/games/{id}/wishes")]
pub async fn show_game_wishes(
    accounts: web::Data<Accounts>,
    seated: Seated<Reader>,
    id: web::Path<Uuid>,
) -> Result<web::Json<GameWishesBody>, Problem> {
    Ok(web::Json(accounts.game_wishes(seated.account.player_id, *id).await?.into()))
}

/// Sets what you want otherwise in one game that has started; null, or left out: as everywhere.
#[utoipa::path(tag = "games", security(("token" = [])), params(("id" = Uuid, Path)), request_body = GameWishesBody, responses(
    (status = 200, description = "Your wishes for this game as they are now.", body = GameWishesBody),
    SeatedProblems,
))]
#[put("/games/{id}/wishes")]
pub async fn set_game_wishes(
    accounts: web::Data<Accounts>,
    seated: Seated<Participant>,
    id: web::Path<Uuid>,
    body: SeatedBody<GameWishesBody>,
) -> actix_web::Result<web::Json<GameWishesBody>> {
    let wanted = body?.into_inner();
    let set = accounts.set_game_wishes(seated.account.player_id, *id, wanted.clone().into());
    set.await.map_err(Problem::from)?;
    Ok(web::Json(wanted))
}
