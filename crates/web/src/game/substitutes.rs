//! Seats for substitutes on a game's page.

use actix_web::{HttpResponse, post, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::at_table::AtTable;
use super::path;
use super::words::Player;
use crate::form::{Posted, see_other};
use crate::page::encoded;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::{GameError, GameView, Games, PlayerIdentity, clocks};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_record::rules::Seat;

/// What the page shows of offered seats.
pub fn shown(view: &GameView, players: &[Player], visitor: &Visitor) -> Value {
    let may_take = visitor.registered().is_some() && view.my_seat.is_none();
    let offered = view.offered_seats.iter().map(|offered| {
        let handle = players.get(offered.seat.index()).map(|player| player.handle.clone());
        context! { seat => offered.seat.0, vacant => offered.vacant, handle, may_take }
    });
    let is_mine_offered = view.offered_seats.iter().any(|offered| Some(offered.seat.0) == view.my_seat);
    let playing = players.iter().filter(|player| !player.left).count();
    let invitation = view.invitation.as_deref();
    context! {
        offered => offered.collect::<Vec<_>>(),
        may_offer => view.substitutes && !is_mine_offered && playing > 2,
        invite_link => invitation.map(|token| format!("{}?token={}", view.page, encoded(token))),
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct OfferForm {}

#[derive(Debug, Deserialize)]
pub struct TakeForm {
    seat: u8,
    /// The invitation to a private game.
    #[serde(default)]
    token: String,
}

#[post("/games/{id}/offer")]
pub async fn offer(at: AtTable, _form: Posted<OfferForm>) -> Result<HttpResponse, Problem> {
    at.count()?;
    let done = match at.claim().await {
        Ok(claim) => clocks::offer_seat(&at.games, &claim).await,
        Err(error) => Err(error),
    };
    at.answer(done).await
}

#[post("/games/{id}/substitute")]
pub async fn take(
    signed_in: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<TakeForm>,
) -> Result<HttpResponse, Problem> {
    let account = &signed_in.account;
    accounts.count_request(PlayerRequest::Join, account.player_id, peer.0)?;
    let player = PlayerIdentity::of(&accounts, account).await?;
    let TakeForm { seat, token } = form.into_inner();
    let invitation = (!token.is_empty()).then_some(token.as_str());
    match clocks::take_seat(&games, *id, &player, Seat(seat), invitation).await {
        // Somebody was faster, or it is too late: the page shows it.
        Ok(()) | Err(GameError::AlreadyJoined | GameError::ClockRefused(_)) => Ok(see_other(&path(*id))),
        Err(error) => Err(error.into()),
    }
}
