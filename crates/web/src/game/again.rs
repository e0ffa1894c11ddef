//! Another game like one that is over, by one click on its page.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use uuid::Uuid;

use super::path;
use crate::against_bot::{challenger, house_bot};
use crate::form::{Posted, see_other};
use crate::page::message;
use crate::visitor::Playing;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::lobby::at_once::{self, Wanted};
use pippost_games::lobby::by_mail;
use pippost_games::lobby::inviting::Invitee;
use pippost_games::viewing::view::Requester;
use pippost_games::{GameError, Games, lobby, viewing};
use pippost_http::Problem;
use pippost_http::peer::Peer;

#[derive(Debug, Default, Deserialize)]
pub struct AgainForm {}

/// Creates the same game again and invites the others. The house bot sits down at once, with the sides changed.
#[post("/games/{id}/again")]
pub async fn again(
    playing: Playing,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<AgainForm>,
) -> Result<HttpResponse, Problem> {
    let Playing { visitor, account } = playing;
    let (new, others) = by_mail::again(&games, *id, account.player_id).await?;
    accounts.count_request(PlayerRequest::CreateGame, account.player_id, peer.0)?;
    let challenger = challenger(&account, &accounts).await?;
    let bot = house_bot(&visitor, &accounts).await?;
    let bot = bot.filter(|bot| others.iter().all(|other| other.as_str() == bot.handle));
    let begun = match &bot {
        Some(bot) => {
            let before = viewing::view(&games, *id, &Requester::player(account.player_id)).await?;
            let sits_first = before.my_seat != Some(0);
            let wanted = Wanted { rules: new.rules, options: new.options, sits_first };
            at_once::begin(&games, &challenger, bot, wanted).await
        }
        // Without the house bot there is nobody whom a guest may play.
        None if account.guest => return Ok(see_other("/games/new")),
        None => lobby::create(&games, &challenger.player, new, None).await,
    };
    let game = match begun {
        Ok(game) => game,
        Err(GameError::QuotaReached { .. } | GameError::TooManyOpenGames) => {
            return message(StatusCode::CONFLICT, visitor, "new-game-quota-title", "new-game-quota");
        }
        Err(error) => return Err(error.into()),
    };
    for other in others.into_iter().filter(|_| bot.is_none()) {
        accounts.count_request(PlayerRequest::Invite, account.player_id, peer.0)?;
        match lobby::invite(&games, game.id, account.player_id, Invitee::Player(other), None).await {
            // The page of the game has its link, which can be sent by hand.
            Ok(()) | Err(GameError::AddressNotConfirmed | GameError::UnknownPlayer(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(see_other(&path(game.id)))
}
