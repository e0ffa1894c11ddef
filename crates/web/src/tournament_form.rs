//! The form for a new tournament.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;
use time::Duration;

use super::form::{Posted, see_other};
use super::options;
use super::page::page;
use super::rules::newest;
use super::time_control;
use super::tournaments::path;
use super::visitor::{SignedIn, Visitor};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::lobby::at_once::is_for_two;
use pippost_games::lobby::title::MAX_TITLE_CHARS;
use pippost_games::tournaments::{
    self, DEFAULT_ROUNDS, LeagueRules, MIN_PLAYERS, MORE_THAN_ALL_MEET, MORE_THAN_HALF, NO_TEAMS_IN_LEAGUES,
    NewTournament,
};
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::{Arguments, Language};
use pippost_record::rules::{self, RuleSet};
use pippost_tournaments::league::{MAX_DIVISION, MAX_PROMOTED, MAX_SEASONS, MIN_DIVISION};
use pippost_tournaments::{Kind, MAX_PLAYERS, MAX_ROUND_ROBIN, MAX_ROUNDS, MAX_TEAM, MIN_TEAM};

/// After how many days a tournament may start; otherwise it does when it is full.
const START_DAYS: [i64; 5] = [1, 3, 7, 14, 28];

/// How many play unless the organiser says otherwise.
const USUAL_PLAYERS: u16 = 8;

type Fields = BTreeMap<String, String>;

#[derive(Debug, Default, Deserialize)]
pub struct RulesQuery {
    #[serde(default)]
    rules: String,
}

/// The rule sets for two.
fn for_two() -> Vec<&'static dyn RuleSet> {
    newest().into_iter().filter(|rules| is_for_two(*rules)).collect()
}

/// The form, for the rule set that is chosen above it.
#[get("/tournaments/new")]
pub async fn new_tournament(
    signed_in: SignedIn,
    query: web::Query<RulesQuery>,
) -> Result<HttpResponse, Problem> {
    let kinds = for_two();
    let chosen = kinds.iter().find(|rules| rules.name() == query.rules).or(kinds.first());
    let rules = *chosen.ok_or_else(|| GameError::UnknownRules(query.rules.clone()))?;
    form(StatusCode::OK, rules, signed_in.visitor, &Fields::new(), None)
}

fn form(
    status: StatusCode,
    rules: &dyn RuleSet,
    visitor: Visitor,
    given: &Fields,
    problem: Option<Value>,
) -> Result<HttpResponse, Problem> {
    let language = visitor.language;
    let text = |name: &str| given.get(name).cloned();
    let kind = text("kind").and_then(|kind| Kind::named(&kind)).unwrap_or(Kind::Swiss);
    let entry = |rules: &&dyn RuleSet| context! { name => rules.name(), title => rules.title() };
    let values = context! {
        games => for_two().iter().map(entry).collect::<Vec<_>>(),
        rules => rules.name(),
        title => text("title"),
        longest => MAX_TITLE_CHARS,
        kinds => Kind::ALL.map(Kind::as_str).to_vec(),
        kind => kind.as_str(),
        rounds => text("rounds").unwrap_or_else(|| DEFAULT_ROUNDS.to_string()),
        most_rounds => MAX_ROUNDS,
        most_players => text("most_players").unwrap_or_else(|| USUAL_PLAYERS.to_string()),
        least => MIN_PLAYERS,
        most => MAX_PLAYERS,
        most_round_robin => MAX_ROUND_ROBIN,
        league => league_fields(given),
        team_size => text("team_size"),
        least_team => MIN_TEAM,
        most_team => MAX_TEAM,
        days => START_DAYS.to_vec(),
        starts => text("starts").and_then(|days| days.parse::<i64>().ok()),
        options => options::fields(rules, given, language),
        problem,
        ..time_control::shown(given, &time_control::read(given), language)
    };
    page(status, "new_tournament.html", visitor, values)
}

/// The fields of a league; an empty number of seasons is no number of them.
fn league_fields(given: &Fields) -> Vec<Value> {
    let usual = LeagueRules::default();
    let (size, promoted) = (Some(usual.division_size), Some(usual.promoted));
    let field = |(name, usual, least, most): (&str, Option<u16>, u16, u16)| {
        let value = given.get(name).cloned().or(usual.map(|number| number.to_string()));
        context! { name, value, least, most }
    };
    let fields = [
        ("division_size", size, MIN_DIVISION, MAX_DIVISION),
        ("promoted", promoted, 1, MAX_PROMOTED),
        ("seasons", None, 1, MAX_SEASONS),
    ];
    fields.into_iter().map(field).collect()
}

fn league(given: &Fields) -> LeagueRules {
    LeagueRules {
        division_size: number(given, "division_size"),
        promoted: number(given, "promoted"),
        seasons: number_if_given(given, "seasons"),
    }
}

/// What is no number is refused as one that is out of range.
fn number(given: &Fields, name: &str) -> u16 {
    given.get(name).and_then(|text| text.trim().parse().ok()).unwrap_or_default()
}

/// What is empty is no number.
fn number_if_given(given: &Fields, name: &str) -> Option<u16> {
    let is_given = given.get(name).is_some_and(|text| !text.trim().is_empty());
    is_given.then(|| number(given, name))
}

fn wanted(games: &Games, rules: &dyn RuleSet, given: &Fields) -> NewTournament {
    let text = |name: &str| given.get(name).map(String::as_str).unwrap_or_default();
    let kind = Kind::named(text("kind")).unwrap_or(Kind::Swiss);
    let days = START_DAYS.into_iter().find(|days| days.to_string() == text("starts"));
    NewTournament {
        title: text("title").trim().to_owned(),
        rules: rules.name().to_owned(),
        options: options::read(rules, given),
        time_control: time_control::read(given),
        kind,
        rounds: (kind == Kind::Swiss).then(|| number(given, "rounds")),
        most_players: number(given, "most_players"),
        starts_at: days.map(|days| games.now() + Duration::days(days)),
        league: (kind == Kind::League).then(|| league(given)),
        team_size: number_if_given(given, "team_size"),
    }
}

#[post("/tournaments/new")]
pub async fn create_tournament(
    signed_in: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    form_sent: Posted<Fields>,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    let given = form_sent.into_inner();
    let name = given.get("rules").map(String::as_str).unwrap_or_default();
    let rules = rules::find(name, None).ok_or_else(|| GameError::UnknownRules(name.to_owned()))?;
    accounts.count_request(PlayerRequest::CreateGame, account.player_id, peer.0)?;
    match tournaments::create(&games, account.player_id, &wanted(&games, rules, &given), None).await {
        Ok(created) => Ok(see_other(&path(created.id))),
        Err(error) => match refusal(&error, visitor.language) {
            Some(why) => form(StatusCode::UNPROCESSABLE_ENTITY, rules, visitor, &given, Some(why)),
            None => Err(error.into()),
        },
    }
}

/// What the organiser can mend in the form: the field, if it is one, and why.
fn refusal(error: &GameError, language: Language) -> Option<Value> {
    let said = |field: Option<&str>, key: &str| Some(context! { field, text => language.say(key) });
    match error {
        GameError::InvalidValue { field: "title", .. } => said(Some("title"), "tournament-title-refused"),
        GameError::InvalidValue { field: "rounds", .. } => said(Some("rounds"), "tournament-rounds-refused"),
        GameError::TournamentRefused(MORE_THAN_ALL_MEET)
        | GameError::InvalidValue { field: "most_players", .. } => {
            said(Some("most_players"), "tournament-players-refused")
        }
        GameError::TournamentRefused(MORE_THAN_HALF)
        | GameError::InvalidValue { field: "division_size" | "promoted" | "seasons", .. } => {
            said(Some("league"), "tournament-league-refused")
        }
        GameError::TournamentRefused(NO_TEAMS_IN_LEAGUES)
        | GameError::InvalidValue { field: "team_size", .. } => {
            said(Some("team_size"), "tournament-teams-refused")
        }
        GameError::InvalidValue { .. } => said(Some("limit"), "new-game-limit"),
        GameError::ControlNotPossible(_) => said(Some("limit"), "tournament-limit-refused"),
        GameError::SeatsNotPossible(_) => said(None, "tournament-for-two"),
        GameError::Options(refused) => {
            let arguments = Arguments::default().text("why", refused.to_string());
            Some(context! { field => (), text => language.say_with("new-game-options", &arguments) })
        }
        GameError::AddressNotConfirmed => said(None, "tournament-confirm-first"),
        GameError::QuotaReached { .. } => said(None, "tournament-organised"),
        _ => None,
    }
}
