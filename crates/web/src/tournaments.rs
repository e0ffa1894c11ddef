//! Tournaments: which there are, and one with its standings and rounds.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::lists::pace;
use super::page::{message, page};
use super::rules::newest;
use super::visitor::{SignedIn, Visitor};
use super::waiting::options_of;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::clubs::{self, Role};
use pippost_games::tournaments::{
    self, Asked, League, NOT_OF_CLUB, Paired, Placed, Team, Tournament, TournamentStatus, TournamentTable,
};
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::{Language, words};
use pippost_record::record::Master;
use pippost_tournaments::{Kind, Outcome};

/// Tournaments on a page of the list.
const PAGE: u16 = 20;

#[derive(Debug, Default, Deserialize)]
pub struct TournamentsQuery {
    #[serde(default)]
    status: String,
    #[serde(default)]
    cursor: String,
}

/// Which tournaments there are, the newest first.
#[get("/tournaments")]
pub async fn tournaments_page(
    visitor: Visitor,
    games: web::Data<Games>,
    query: web::Query<TournamentsQuery>,
) -> Result<HttpResponse, Problem> {
    let shown = [TournamentStatus::Open, TournamentStatus::Running, TournamentStatus::Finished];
    let status = shown.into_iter().find(|one| one.as_str() == query.status).unwrap_or(shown[0]);
    let cursor = Uuid::try_parse(&query.cursor).ok();
    let asked = Asked { status: Some(status), rules: None, cursor, limit: PAGE };
    let list = tournaments::list(&games, asked).await?;
    let values = context! {
        statuses => shown.map(TournamentStatus::as_str).to_vec(),
        status => status.as_str(),
        list => list.tournaments.iter().map(|one| told(one, &visitor)).collect::<Vec<_>>(),
        next => list.next_cursor.map(|cursor| cursor.to_string()),
    };
    page(StatusCode::OK, "tournaments.html", visitor, values)
}

/// What lists and the page say of a tournament.
fn told(one: &Tournament, visitor: &Visitor) -> Value {
    let language = visitor.language;
    let title = newest().into_iter().find(|rules| rules.name() == one.rules);
    let title = title.map_or_else(|| one.rules.clone(), |rules| rules.title().to_owned());
    let starts = one.starts_at.map(|at| words::date_time(at.get(), &visitor.zone, language));
    context! {
        id => one.id.to_string(),
        title => &one.title,
        game => title,
        rules => &one.rules,
        organiser => &one.organiser,
        kind => one.kind.as_str(),
        status => one.status.as_str(),
        pace => pace(&one.time_control, language),
        rounds => one.rounds,
        // Only of a Swiss tournament it is chosen; others have as many as their players need.
        has_rounds => one.kind == Kind::Swiss || one.round > 0,
        round => one.round,
        league => one.league.as_ref().map(season),
        team_size => one.team_size,
        players => one.players,
        most => one.most_players,
        waiting => one.waiting,
        starts,
    }
}

fn season(one: &League) -> Value {
    context! {
        season => one.season,
        seasons => one.seasons,
        size => one.division_size,
        promoted => one.promoted,
        previous => one.previous.map(|id| id.to_string()),
        next => one.next.map(|id| id.to_string()),
    }
}

/// Whether another season follows while this one runs.
fn goes_on(one: &Tournament) -> bool {
    let follows = |league: &League| league.seasons.is_none_or(|seasons| league.season < seasons);
    one.status == TournamentStatus::Running && one.league.as_ref().is_some_and(follows)
}

#[derive(Debug, Default, Deserialize)]
pub struct RoundQuery {
    #[serde(default)]
    round: String,
}

/// One tournament.
#[get("/tournaments/{id}")]
pub async fn tournament_page(
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<RoundQuery>,
) -> Result<HttpResponse, Problem> {
    let table = tournaments::table(&games, *id, query.round.parse().ok()).await?;
    let TournamentTable { tournament, standings, pairings, waiting, teams, .. } = &table;
    let me = visitor.account.as_ref().map(|account| account.handle.clone());
    let is_me = |handle: &str| me.as_deref() == Some(handle);
    let is_open = tournament.status == TournamentStatus::Open;
    let waits = waiting.iter().any(|handle| is_me(handle));
    let is_of_me = |one: &&Paired| is_me(&one.first) || one.second.as_deref().is_some_and(is_me);
    let own_game = pairings.iter().filter(is_of_me).find(|one| one.outcome.is_none());
    let plays = standings.iter().any(|one| is_me(&one.handle) && one.left_round.is_none());
    let is_known = waits || standings.iter().any(|one| is_me(&one.handle));
    let runs = tournament.status == TournamentStatus::Running;
    let language = visitor.language;
    let clubs = own_clubs(&games, &table, &visitor).await?;
    let shown = pairings.first().map_or(tournament.round, |one| one.round);
    let values = context! {
        one => told(tournament, &visitor),
        options => options_of(&tournament.rules, tournament.options.get(), language),
        divisions => divisions(standings, teams, language, is_me),
        teams => teams.iter().map(|one| team(one, language)).collect::<Vec<_>>(),
        clubs,
        may_choose => is_open && is_known,
        has_tie_breaks => !tournament.kind.is_elimination() && !is_open,
        has_places => tournament.round > 0,
        pairings => pairings.iter().map(|one| pairing(one, language)).collect::<Vec<_>>(),
        own_game => own_game.and_then(|one| one.game).map(|game| game.to_string()),
        rounds => (1..=tournament.round).collect::<Vec<_>>(),
        shown,
        waiting,
        may_enter => (is_open || goes_on(tournament)) && !is_known,
        is_in => (plays || waits) && (is_open || runs),
        waits,
        may_cancel => (is_open || goes_on(tournament)) && is_me(&tournament.organiser),
        commitment => tournament.commitment.to_string(),
        draw_commitment => tournament.draw_commitment.to_string(),
        draw => tournament.draw.as_ref().and_then(digits),
        secret => tournament.secret.as_ref().and_then(digits),
    };
    page(StatusCode::OK, "tournament.html", visitor, values)
}

/// The digits of what is public by now.
fn digits(secret: &Master) -> Option<String> {
    serde_json::to_value(secret).ok()?.as_str().map(str::to_owned)
}

/// The clubs that the reader may play for, and which is chosen; none where clubs play for no places.
async fn own_clubs(games: &Games, table: &TournamentTable, visitor: &Visitor) -> Result<Vec<Value>, Problem> {
    let (Some(account), Some(_)) = (visitor.registered(), table.tournament.team_size) else {
        return Ok(Vec::new());
    };
    let chosen = table.club_of(&account.handle);
    let own = clubs::of_player(games, account.player_id).await?;
    let own = own.iter().filter(|club| club.role != Role::Asking).map(|club| {
        let head = &club.head;
        context! { id => head.id.to_string(), name => &head.name, is_chosen => chosen == Some(head.id) }
    });
    Ok(own.collect())
}

/// A club's name, unless it must not be shown.
fn name_of(one: &Team, language: Language) -> String {
    one.name.clone().unwrap_or_else(|| language.say("tournament-teams-hidden"))
}

fn team(one: &Team, language: Language) -> Value {
    context! {
        place => one.place,
        name => name_of(one, language),
        page => one.has_page.then(|| super::clubs::path(one.club)),
        points => quarters(one.points),
        buchholz => quarters(one.buchholz),
        players => &one.players,
    }
}

/// The standings of each division: its number, if there are any, and its rows.
fn divisions(
    standings: &[Placed],
    teams: &[Team],
    language: Language,
    is_me: impl Fn(&str) -> bool,
) -> Vec<Value> {
    let names: HashMap<Uuid, String> = teams.iter().map(|one| (one.club, name_of(one, language))).collect();
    let of = |part: &[Placed]| {
        let club = |one: &Placed| one.club.and_then(|club| names.get(&club));
        let rows = part.iter().map(|one| row(one, club(one), is_me(&one.handle))).collect::<Vec<_>>();
        context! { number => part[0].division, rows }
    };
    standings.chunk_by(|one, other| one.division == other.division).map(of).collect()
}

fn row(one: &Placed, club: Option<&String>, is_me: bool) -> Value {
    context! {
        handle => &one.handle,
        club,
        is_me,
        place => one.place,
        points => quarters(one.points),
        figures => [quarters(one.buchholz), quarters(one.sonneborn_berger), quarters(one.direct), one.wins.to_string()].to_vec(),
        left => one.left_round,
    }
}

/// A number of quarters as people write it in every language: `2½`.
fn quarters(number: f64) -> String {
    let whole = number.trunc();
    let part = match number - whole {
        part if part >= 0.75 => "¾",
        part if part >= 0.5 => "½",
        part if part >= 0.25 => "¼",
        _ => "",
    };
    if whole == 0.0 && !part.is_empty() { part.to_owned() } else { format!("{whole}{part}") }
}

fn pairing(one: &Paired, language: Language) -> Value {
    let outcome = match one.outcome {
        None if one.second.is_none() => language.say("tournament-bye"),
        None => language.say("tournament-running"),
        Some(Outcome::First) => "1 – 0".to_owned(),
        Some(Outcome::Second) => "0 – 1".to_owned(),
        Some(Outcome::Draw) => "½ – ½".to_owned(),
        Some(Outcome::Void) => "0 – 0".to_owned(),
    };
    context! {
        board => one.board,
        first => &one.first,
        second => &one.second,
        game => one.game.map(|game| game.to_string()),
        outcome,
    }
}

/// The address of a tournament's page.
#[must_use]
pub fn path(id: Uuid) -> String {
    format!("/tournaments/{id}")
}

#[derive(Debug, Default, Deserialize)]
pub struct EmptyForm {}

/// What a button of a tournament's page sends.
type Pressed = Posted<EmptyForm>;

#[derive(Debug, Default, Deserialize)]
pub struct EnterForm {
    /// For which club, if it is not empty.
    #[serde(default)]
    club: String,
}

impl EnterForm {
    /// Nobody is in the club that no id names.
    fn club(&self) -> Option<Uuid> {
        (!self.club.is_empty()).then(|| self.club.parse().unwrap_or_default())
    }
}

#[post("/tournaments/{id}/enter")]
pub async fn enter(
    by: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<EnterForm>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, by.account.player_id, peer.0)?;
    let club = form.into_inner().club();
    done(by, *id, async |player_id| tournaments::register(&games, *id, player_id, club).await).await
}

#[post("/tournaments/{id}/withdraw")]
pub async fn withdraw(
    by: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Pressed,
) -> Result<HttpResponse, Problem> {
    done(by, *id, async |player_id| tournaments::withdraw(&games, *id, player_id).await).await
}

#[post("/tournaments/{id}/cancel")]
pub async fn cancel(
    by: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Pressed,
) -> Result<HttpResponse, Problem> {
    done(by, *id, async |player_id| tournaments::cancel(&games, *id, player_id).await).await
}

/// Does what a player asked for and leads back to the tournament's page, which says how things are; only what it does not show is told.
async fn done(
    by: SignedIn,
    id: Uuid,
    wish: impl AsyncFnOnce(Uuid) -> Result<(), GameError>,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = by;
    let refused = |text| message(StatusCode::CONFLICT, visitor, "tournament-refused", text);
    match wish(account.player_id).await {
        Err(GameError::TournamentRefused(NOT_OF_CLUB)) => refused("tournament-teams-not-in"),
        Ok(()) | Err(GameError::TournamentRefused(_)) => Ok(see_other(&path(id))),
        Err(GameError::AddressNotConfirmed) => refused("tournament-confirm-first"),
        Err(GameError::QuotaReached { .. }) => refused("tournament-entered"),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_written_as_people_do() {
        let written: Vec<String> = [0.0, 0.25, 0.5, 2.0, 2.75, 11.5].map(quarters).to_vec();
        assert_eq!(written, ["0", "¼", "½", "2", "2¾", "11½"]);
    }
}
