//! Creates, joins and leaves games.

use actix_web::{HttpResponse, post, put, web};
use uuid::Uuid;

use super::bodies::{EntropyBody, JoinBody, NewGameBody};
use crate::access::{Manager, Participant};
use crate::declared_headers::KeyHeader;
use crate::games::refusals::{CreateProblems, JoinProblems, LeaveProblems};
use crate::idempotency::CreationKey;
use crate::seat::{UnreadBody, Visible};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::{GameView, Games, PlayerIdentity, lobby};
use pippost_http::Problem;
use pippost_http::json::Body;
use pippost_http::peer::Peer;

/// Creates a game with you as its first player.
///
/// At most fifty of yours may wait for players. A game that has not started at its `expires_at` is cancelled.
/// With `renews` another one like it opens once it is finished.
#[utoipa::path(tag = "games", security(("token" = [Manager::SCOPE])), params(KeyHeader), request_body = NewGameBody, responses(
    (status = 201, description = "The new game. `invitation` lets others join a private one.", body = GameView),
    CreateProblems,
))]
#[post("/games")]
pub async fn create_game(
    account: Manager,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: Body<NewGameBody>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::CreateGame, account.player_id, peer.0)?;
    let key = key.with_body(&*body);
    let wanted = body.into_inner().into_new_game()?;
    let game =
        lobby::create(&games, &PlayerIdentity::of(&accounts, &account).await?, wanted, key.as_ref()).await?;
    let answer = serde_json::to_string(&game).expect("plain data");
    Ok(crate::created::below("/api/v1/games", answer))
}

/// Joins a game. The last player to join starts it.
///
/// `status` is `open` while others are missing, `running` once it has started, `starting` while it
/// waits for its round of the public beacon.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), request_body = JoinBody, responses(
    (status = 200, description = "The game with you in it.", body = GameView),
    JoinProblems,
))]
#[post("/games/{id}/join")]
pub async fn join_game(
    account: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    body: Body<JoinBody>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, account.player_id, peer.0)?;
    let player = PlayerIdentity::of(&accounts, &account).await?;
    let JoinBody { entropy, invitation } = body.into_inner();
    let game = lobby::join(&games, *id, &player, entropy, invitation.as_deref()).await?;
    Ok(HttpResponse::Ok().json(game))
}

/// Replaces your share of a game's chance, until the game is full.
///
/// The server chose its share before: see `commitment`.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = EntropyBody, responses(
    (status = 200, description = "The game.", body = GameView),
    LeaveProblems,
))]
#[put("/games/{id}/entropy")]
pub async fn set_entropy(
    player: Visible<Participant>,
    games: web::Data<Games>,
    body: UnreadBody<EntropyBody>,
) -> actix_web::Result<HttpResponse> {
    let EntropyBody { entropy } = body.read().await?;
    let game = lobby::set_entropy(&games, player.game_id, player.account.player_id, entropy).await;
    let game = game.map_err(Problem::from)?;
    Ok(HttpResponse::Ok().json(game))
}

/// Leaves a game that has not started. The last one cancels it.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), responses(
    (status = 204, description = "You are out."),
    LeaveProblems,
))]
#[post("/games/{id}/leave")]
pub async fn leave_game(
    account: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    lobby::leave(&games, *id, account.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
