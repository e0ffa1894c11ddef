//! A game against the house bot, which begins with one click: without an account, as a guest.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::Deserialize;
use serde_json::json;

use super::creating::new_game;
use super::form::{Posted, see_other};
use super::page::message;
use super::session::{MY_GAMES, device_of, sign_up_for, with_session};
use super::visitor::Visitor;
use pippost_accounts::guests::NewGuest;
use pippost_accounts::{Account, AccountError, Accounts, PlayerRequest};
use pippost_games::lobby::at_once::{self, Challenger, Wanted};
use pippost_games::{GameError, Games, PlayerIdentity};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_record::rules;

/// Where rules are chosen.
const CHOICE: &str = "/games/new";

/// Which rules were chosen.
#[derive(Debug, Default, Deserialize)]
pub struct PlayForm {
    #[serde(default)]
    rules: String,
}

/// Where a browser goes that loads the answer to the form again.
#[get("/play")]
pub async fn choose() -> HttpResponse {
    see_other(CHOICE)
}

/// Begins a game of the chosen rules. Whoever cannot be a guest now signs up, and comes back to the choice.
#[post("/play")]
pub async fn play(
    request: HttpRequest,
    peer: Peer,
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    form: Posted<PlayForm>,
) -> Result<HttpResponse, Problem> {
    let Some(rules) = rules::find(&form.into_inner().rules, None).filter(|rules| at_once::is_played(*rules))
    else {
        return Ok(see_other(CHOICE));
    };
    let choice = new_game(rules.name());
    let Some(bot) = house_bot(&visitor, &accounts).await? else {
        return Ok(see_other(&if visitor.registered().is_some() { choice } else { sign_up_for(&choice) }));
    };
    let mut guest = None;
    let challenger = match &visitor.account {
        Some(account) => challenger(account, &accounts).await?,
        None => match accounts.welcome_guest(peer.0, &device_of(&request)).await {
            Ok(Some(new)) => challenger_of(guest.insert(new)),
            Ok(None) | Err(AccountError::TooManyTries(_)) => return Ok(see_other(&sign_up_for(&choice))),
            Err(error) => return Err(error.into()),
        },
    };
    accounts.count_request(PlayerRequest::CreateGame, challenger.player.player_id, peer.0)?;
    let wanted = Wanted { rules: rules.name().to_owned(), options: json!({}), sits_first: true };
    let answer = match at_once::begin(&games, &challenger, &bot, wanted).await {
        Ok(game) => see_other(&format!("/games/{}", game.id)),
        Err(GameError::QuotaReached { .. }) if guest.is_some() => see_other(&sign_up_for(&choice)),
        Err(GameError::QuotaReached { .. }) if challenger.guest => see_other(MY_GAMES),
        Err(GameError::QuotaReached { .. }) => {
            return message(StatusCode::CONFLICT, visitor, "new-game-quota-title", "new-game-quota");
        }
        Err(error) => return Err(error.into()),
    };
    match guest {
        Some(guest) => with_session(answer, &visitor, guest.cookie),
        None => Ok(answer),
    }
}

fn challenger_of(new: &NewGuest) -> Challenger {
    let player = PlayerIdentity { player_id: new.player_id, handle: new.handle.clone(), bot: false };
    Challenger { player, guest: true }
}

/// A player, or a guest, who has a session.
pub(super) async fn challenger(account: &Account, accounts: &Accounts) -> Result<Challenger, Problem> {
    let bot = accounts.is_bot(account.player_id).await?;
    let player = PlayerIdentity { player_id: account.player_id, handle: account.handle.clone(), bot };
    Ok(Challenger { player, guest: account.guest })
}

/// The house bot, once it has an account.
pub(super) async fn house_bot(
    visitor: &Visitor,
    accounts: &Accounts,
) -> Result<Option<PlayerIdentity>, Problem> {
    let Some(handle) = visitor.site.house_bot() else { return Ok(None) };
    match accounts.player(handle).await {
        Ok(player) if player.bot => {
            Ok(Some(PlayerIdentity { player_id: player.id, handle: player.handle, bot: true }))
        }
        Ok(_) | Err(AccountError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
