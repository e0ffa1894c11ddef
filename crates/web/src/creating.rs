//! Creating a game: first the rules, then their options.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;

use super::form::{Posted, see_other};
use super::game::path;
use super::options;
use super::page::{encoded, page};
use super::rules::{card, newest};
use super::session::sign_up_for;
use super::time_control;
use super::visitor::{SignedIn, Visitor};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_clock::TimeControl;
use pippost_clock::log::MIN_SEATS_WITH_SUBSTITUTES;
use pippost_games::lobby::title::{FIELD, MAX_TITLE_CHARS};
use pippost_games::{GameError, Games, NewGame, PlayerIdentity, lobby};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::{Arguments, Language};
use pippost_record::record::Seating;
use pippost_record::rules::{self, RuleSet};

/// Where rules are chosen.
pub const CHOICE: &str = "/games/new";

#[derive(Debug, Deserialize)]
pub struct RulesQuery {
    #[serde(default)]
    rules: String,
}

/// The address of the form for a game of these rules.
#[must_use]
pub fn new_game(rules: &str) -> String {
    format!("{CHOICE}?rules={}", encoded(rules))
}

/// The choice of the rules, or the form for them.
#[get("/games/new")]
pub async fn new_game_form(visitor: Visitor, query: web::Query<RulesQuery>) -> Result<HttpResponse, Problem> {
    match rules::find(&query.rules, None) {
        None => {
            let games: Vec<_> = newest().into_iter().map(|rules| card(rules, visitor.language)).collect();
            page(StatusCode::OK, "new_game_rules.html", visitor.with_form_to_play(), context! { games })
        }
        Some(_) if visitor.registered().is_none() => {
            Ok(see_other(&sign_up_for(&new_game(query.rules.as_str()))))
        }
        Some(rules) => form(StatusCode::OK, rules, visitor, &BTreeMap::new(), None),
    }
}

/// The entries of the form that every game has; the others are the rule set's.
struct Common {
    private: bool,
    seating: Seating,
    seats: Option<u8>,
    time_control: TimeControl,
    substitutes: bool,
    title: Option<String>,
    renews: bool,
}

impl Common {
    fn read(given: &BTreeMap<String, String>) -> Self {
        let text = |name: &str| given.get(name).map(String::as_str);
        Self {
            private: text("visibility") == Some("private"),
            seating: if text("seating") == Some("joined") { Seating::Joined } else { Seating::Random },
            seats: text("seats").and_then(|seats| seats.trim().parse().ok()),
            time_control: time_control::read(given),
            substitutes: text("substitutes") == Some("true"),
            title: text(FIELD).map(str::to_owned),
            renews: text("renews") == Some("true"),
        }
    }
}

fn form(
    status: StatusCode,
    rules: &dyn RuleSet,
    visitor: Visitor,
    given: &BTreeMap<String, String>,
    problem: Option<Value>,
) -> Result<HttpResponse, Problem> {
    let language = visitor.language;
    let common = Common::read(given);
    let players = rules.players_by_options();
    let least = players.iter().map(|(_, seats)| *seats.start()).min().unwrap_or(1);
    let most = players.iter().map(|(_, seats)| *seats.end()).max().unwrap_or(1);
    let values = context! {
        game => card(rules, language),
        options => options::fields(rules, given, language),
        least,
        most,
        seats => common.seats.unwrap_or(least),
        private => common.private,
        joined => common.seating == Seating::Joined,
        takes_substitutes => most >= MIN_SEATS_WITH_SUBSTITUTES,
        substitutes => common.substitutes,
        game_title => common.title,
        renews => common.renews,
        max_title => MAX_TITLE_CHARS,
        problem,
        ..time_control::shown(given, &common.time_control, language)
    };
    page(status, "new_game.html", visitor, values)
}

#[post("/games/new")]
pub async fn create_game(
    signed_in: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    form_sent: Posted<BTreeMap<String, String>>,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    let given = form_sent.into_inner();
    let name = given.get("rules").map(String::as_str).unwrap_or_default();
    let rules = rules::find(name, None).ok_or_else(|| GameError::UnknownRules(name.to_owned()))?;
    accounts.count_request(PlayerRequest::CreateGame, account.player_id, peer.0)?;
    let Common { private, seating, seats, time_control, substitutes, title, renews } = Common::read(&given);
    let wanted = NewGame {
        rules: rules.name().to_owned(),
        options: options::read(rules, &given),
        seats,
        private,
        seating,
        time_control,
        substitutes,
        title,
        renews,
        seed: None,
    };
    let creator = PlayerIdentity::of(&accounts, &account).await?;
    match lobby::create(&games, &creator, wanted, None).await {
        Ok(game) => Ok(see_other(&path(game.id))),
        Err(error) => match refusal(&error, visitor.language) {
            Some(why) => form(StatusCode::UNPROCESSABLE_ENTITY, rules, visitor, &given, Some(why)),
            None => Err(error.into()),
        },
    }
}

/// What the player can mend in the form: the field, if it is one, and why.
fn refusal(error: &GameError, language: Language) -> Option<Value> {
    let (field, text) = match error {
        GameError::SeatsNotPossible(possible) => {
            let arguments = Arguments::default()
                .number("least", (*possible.start()).into())
                .number("most", (*possible.end()).into());
            (Some("seats"), language.say_with("new-game-seats", &arguments))
        }
        GameError::TooManyOpenGames => (None, language.say("new-game-too-many")),
        GameError::QuotaReached { .. } => (None, language.say("new-game-quota")),
        GameError::Options(refused) => {
            let arguments = Arguments::default().text("why", refused.to_string());
            (None, language.say_with("new-game-options", &arguments))
        }
        GameError::SubstitutesNotPossible(_) => {
            (Some("substitutes"), language.say("new-game-substitutes-few"))
        }
        GameError::InvalidValue { field: FIELD, .. } => (Some("title"), language.say("new-game-title-bad")),
        GameError::InvalidValue { .. } | GameError::ControlNotPossible(_) => {
            (Some("limit"), language.say("new-game-limit"))
        }
        _ => return None,
    };
    Some(context! { field, text })
}
