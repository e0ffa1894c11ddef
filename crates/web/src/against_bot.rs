//! A game against the house bot, which begins with one click: without an account, as a guest.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::creating::{CHOICE, new_game};
use super::form::{Posted, see_other};
use super::game::path;
use super::page::page;
use super::session::{MY_GAMES, device_of, sign_up_for, with_session};
use super::visitor::Visitor;
use pippost_accounts::guests::NewGuest;
use pippost_accounts::{Account, AccountError, Accounts, PlayerRequest};
use pippost_games::lobby::at_once::{self, Challenger, Strength, Wanted};
use pippost_games::{GameError, Games, PlayerIdentity};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_record::rules::{self, RuleSet};

/// Which rules and which strength were chosen.
#[derive(Debug, Default, Deserialize)]
pub struct PlayForm {
    #[serde(default)]
    rules: String,
    /// How strongly the bot shall play; without one as it usually does.
    #[serde(default)]
    strength: String,
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
    let PlayForm { rules, strength } = form.into_inner();
    let Some(rules) = rules::find(&rules, None).filter(|rules| at_once::is_for_two(*rules)) else {
        return Ok(see_other(CHOICE));
    };
    let choice = new_game(rules.name());
    let Some(bot) = house_bot(&visitor, &accounts).await? else {
        return Ok(see_other(&if visitor.registered().is_some() { choice } else { sign_up_for(&choice) }));
    };
    let strength = strength.parse().ok();
    let start =
        Start { peer, visitor: &visitor, accounts: &accounts, games: &games, bot: &bot, rules, strength };
    if let Some(account) = &visitor.account {
        return start.begin(&challenger(account, &accounts).await?).await;
    }
    let Some(guest) = start.welcome(&device_of(&request)).await? else {
        return Ok(see_other(&sign_up_for(&choice)));
    };
    // A guest keeps the session whatever becomes of the game.
    let answer = start.begin(&challenger_of(&guest)).await;
    with_session(answer.unwrap_or_else(HttpResponse::from_error), &visitor, guest.cookie)
}

/// What it takes to begin a game against the bot.
struct Start<'a> {
    peer: Peer,
    visitor: &'a Visitor,
    accounts: &'a Accounts,
    games: &'a Games,
    bot: &'a PlayerIdentity,
    rules: &'static dyn RuleSet,
    strength: Option<Strength>,
}

impl Start<'_> {
    /// A new guest, unless there is no room.
    async fn welcome(&self, device: &str) -> Result<Option<NewGuest>, Problem> {
        match at_once::expect_room(self.games, self.bot, None).await {
            Ok(()) => {}
            Err(GameError::QuotaReached { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        match self.accounts.welcome_guest(self.peer.0, device).await {
            Ok(guest) => Ok(guest),
            Err(AccountError::TooManyTries(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn begin(&self, challenger: &Challenger) -> Result<HttpResponse, Problem> {
        self.accounts.count_request(PlayerRequest::CreateGame, challenger.player.player_id, self.peer.0)?;
        let new = at_once::new_game(self.rules);
        let wanted = Wanted { new, sits_first: true, key: None, strength: self.strength };
        match at_once::begin(self.games, challenger, self.bot, wanted).await {
            Ok(id) => Ok(see_other(&path(id))),
            Err(error) => no_room(error, self.visitor.clone()),
        }
    }
}

/// A page that says for whom one more game is too much.
pub(super) fn no_room(error: GameError, visitor: Visitor) -> Result<HttpResponse, Problem> {
    let text = match error {
        GameError::QuotaReached { limit: at_once::LIMIT, .. } => "new-game-bot-full",
        GameError::QuotaReached { .. } => "new-game-quota",
        GameError::TooManyOpenGames => "new-game-too-many",
        other => return Err(other.into()),
    };
    let say = |key| visitor.language.say(key);
    let values = context! {
        title => say("new-game-quota-title"),
        text => say(text),
        onward => MY_GAMES,
        onward_text => "layout-my-games",
    };
    page(StatusCode::CONFLICT, "message.html", visitor, values)
}

fn challenger_of(new: &NewGuest) -> Challenger {
    let player = PlayerIdentity { player_id: new.player_id, handle: new.handle.clone(), bot: false };
    Challenger { player, guest: true }
}

/// A player, or a guest, who has a session.
pub(super) async fn challenger(account: &Account, accounts: &Accounts) -> Result<Challenger, Problem> {
    Ok(Challenger { player: PlayerIdentity::of(accounts, account).await?, guest: account.guest })
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
