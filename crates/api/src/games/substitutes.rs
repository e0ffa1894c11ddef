//! Seats that are offered to substitutes.

use actix_web::{HttpResponse, post, web};
use uuid::Uuid;

use super::bodies::SubstituteBody;
use crate::access::Participant;
use crate::games::refusals::{ClockProblems, SubstituteProblems};
use crate::seat::Seated;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::viewing::view::Requester;
use pippost_games::{GameView, Games, PlayerIdentity, clocks, viewing};
use pippost_http::Problem;
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_record::rules::Seat;

/// Offers your seat to a substitute, in a game that allows substitutes while three or more play.
///
/// You play on until somebody takes the seat; an offer is not taken back. A seat whose flag falls is offered by itself, for 72
/// hours, and then it is timed out.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The game, with your seat in `offered_seats`.", body = GameView),
    ClockProblems,
))]
#[post("/games/{id}/offer")]
pub async fn offer_seat(
    seated: Seated<Participant>,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let (claim, player_id) = (&seated.claim, seated.account.player_id);
    accounts.count_request(PlayerRequest::Say, player_id, peer.0)?;
    clocks::offer_seat(&games, claim).await?;
    answer(&games, claim.game_id(), player_id).await
}

/// Takes an offered seat, and plays it from now on.
///
/// Not if you are in the game, or have been. A seat whose flag fell has the whole limit again,
/// and the bank of the start.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = SubstituteBody, responses(
    (status = 200, description = "The game with you in the seat.", body = GameView),
    SubstituteProblems,
))]
#[post("/games/{id}/substitute")]
pub async fn take_seat(
    account: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    body: Body<SubstituteBody>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, account.player_id, peer.0)?;
    let player = PlayerIdentity::of(&accounts, &account).await?;
    let SubstituteBody { seat, invitation } = body.into_inner();
    clocks::take_seat(&games, *id, &player, Seat(seat), invitation.as_deref()).await?;
    answer(&games, *id, account.player_id).await
}

async fn answer(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<HttpResponse, Problem> {
    let game = viewing::view(games, game_id, &Requester::player(player_id)).await?;
    Ok(HttpResponse::Ok().json(game))
}
