//! Whom a player follows, and the games that a player has marked.

use actix_web::{HttpResponse, delete, get, put, web};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::access::{Participant, Reader};
use super::declared::problems;
use super::routes::Routes;
use pippost_accounts::Accounts;
use pippost_games::{Games, following};
use pippost_http::Problem;

problems! {
    MarkProblems: QuotaReached;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(show_following)
        .service(follow_player)
        .service(unfollow_player)
        .service(mark_favourite)
        .service(unmark_favourite);
}

/// Handles that you follow, games that you have marked; newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Following {
    players: Vec<String>,
    favourites: Vec<Uuid>,
}

/// Shows whom you follow, and your favourites.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "Both.", body = Following),
))]
#[get("/me/following")]
pub async fn show_following(
    reader: Reader,
    games: web::Data<Games>,
) -> Result<web::Json<Following>, Problem> {
    let followed = following::followed(&games, reader.player_id).await?;
    let players = followed.into_iter().map(|player| player.handle).collect();
    let favourites = following::marked(&games, reader.player_id).await?;
    Ok(web::Json(Following { players, favourites }))
}

/// Follows a player, who is not told.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])),
    params(("handle" = String, Path, max_length = 32, example = "ann")), responses(
    (status = 204, description = "Done."),
    MarkProblems,
))]
#[put("/me/following/{handle}")]
pub async fn follow_player(
    player: Participant,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let followed = accounts.player_named(&handle).await?;
    following::follow(&games, player.player_id, followed.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends this.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])),
    params(("handle" = String, Path, max_length = 32, example = "ann")), responses(
    (status = 204, description = "Done."),
))]
#[delete("/me/following/{handle}")]
pub async fn unfollow_player(
    player: Participant,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let followed = accounts.player_named(&handle).await?;
    following::unfollow(&games, player.player_id, followed.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Marks a game as a favourite.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Done."),
    MarkProblems,
))]
#[put("/me/favourites/{id}")]
pub async fn mark_favourite(
    player: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    following::mark(&games, player.player_id, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends this.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Done."),
))]
#[delete("/me/favourites/{id}")]
pub async fn unmark_favourite(
    player: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    following::unmark(&games, player.player_id, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
