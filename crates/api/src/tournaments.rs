//! Tournaments: create, list, look at, enter, leave, cancel.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::access::{Manager, Participant};
use crate::declared::problems;
use crate::declared_headers::{KeyHeader, LastEventIdHeader};
use crate::games::refusals::{FeedProblems, ListProblems};
use crate::idempotency::CreationKey;
use crate::routes::Routes;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_clock::TimeControl;
use pippost_games::Games;
use pippost_games::tournaments::{
    self, Asked, LeagueRules, MAX_PAGE, NewTournament, Tournament, TournamentPage, TournamentStatus,
    TournamentTable,
};
use pippost_http::admission::{Admitted, Following};
use pippost_http::clocks::TimeControlBody;
use pippost_http::feeds::{TournamentFeedPage, TournamentFeedQuery, TournamentFeedText, answer_tournament};
use pippost_http::json::{Body, make_whole, object, whole, whole_number};
use pippost_http::peer::Peer;
use pippost_http::text::{RulesName, TitleText};
use pippost_http::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_record::rules::schema::RuleSetGivenOptions;
use pippost_tournaments::Kind;
use pippost_tournaments::league::{DEFAULT_DIVISION, DEFAULT_PROMOTED};

problems! {
    CreateTournamentProblems: UnknownRules, InvalidOptions, SeatsNotPossible, ControlNotPossible, EmailNotConfirmed, TournamentRefused, QuotaReached;
    EnterProblems: EmailNotConfirmed, TournamentRefused, QuotaReached;
    WithdrawProblems: TournamentRefused;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(list_tournaments)
        .service(create_tournament)
        .service(show_tournament)
        .service(follow_tournament)
        .service(enter_tournament)
        .service(withdraw_from_tournament)
        .service(cancel_tournament);
}

/// A tournament to create.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournamentBody {
    /// Blank: the title of the rules.
    title: TitleText,
    #[schema(example = json!(pippost_record::rules::sample_name()))]
    rules: RulesName,
    #[serde(default = "no_options")]
    #[schema(value_type = RuleSetGivenOptions)]
    options: Value,
    #[serde(deserialize_with = "object")]
    #[schema(value_type = TimeControl)]
    time_control: TimeControlBody,
    kind: Kind,
    /// Of a Swiss tournament; by default 5.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 15)]
    rounds: Option<u16>,
    /// At most 24 in a round robin.
    #[serde(deserialize_with = "whole_number")]
    #[schema(minimum = 2, maximum = 500)]
    most_players: u16,
    /// Within 90 days; by default when it is full.
    #[schema(format = DateTime)]
    starts_at: Option<String>,
    #[serde(default, deserialize_with = "league_rules")]
    #[schema(value_type = LeagueRulesBody)]
    league: Option<LeagueRulesBody>,
    /// So many players of a club are counted for its place; not in a league.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 2, maximum = 20)]
    team_size: Option<u16>,
}

/// How a league is played.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeagueRules)]
pub struct LeagueRulesBody {
    #[serde(default = "default_division", deserialize_with = "whole_number")]
    #[schema(minimum = 4, maximum = 16, default = 8)]
    division_size: u16,
    /// At most half of `division_size`.
    #[serde(default = "default_promoted", deserialize_with = "whole_number")]
    #[schema(minimum = 1, maximum = 8, default = 2)]
    promoted: u16,
    /// Null: until it is cancelled.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 100)]
    seasons: Option<u16>,
}

/// An object, and not null.
fn league_rules<'de, D: Deserializer<'de>>(from: D) -> Result<Option<LeagueRulesBody>, D::Error> {
    object(from).map(Some)
}

fn default_division() -> u16 {
    DEFAULT_DIVISION
}

fn default_promoted() -> u16 {
    DEFAULT_PROMOTED
}

impl From<LeagueRulesBody> for LeagueRules {
    fn from(body: LeagueRulesBody) -> Self {
        let LeagueRulesBody { division_size, promoted, seasons } = body;
        Self { division_size, promoted, seasons }
    }
}

fn no_options() -> Value {
    Value::Object(serde_json::Map::new())
}

fn invalid(field: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
}

impl NewTournamentBody {
    fn into_new(mut self) -> Result<NewTournament, Problem> {
        make_whole(&mut self.options);
        let read = |text: String| {
            let at = Timestamp::read(&text).map(Timestamp::get);
            at.ok_or_else(|| invalid("starts_at", "a time as in 2026-12-27T18:00:00Z"))
        };
        Ok(NewTournament {
            title: self.title.into(),
            rules: self.rules.into(),
            options: self.options,
            time_control: self.time_control.into(),
            kind: self.kind,
            rounds: self.rounds,
            most_players: self.most_players,
            starts_at: self.starts_at.map(read).transpose()?,
            league: self.league.map(Into::into),
            team_size: self.team_size,
        })
    }
}

/// Creates a tournament.
#[utoipa::path(tag = "games", security(("token" = [Manager::SCOPE])), params(KeyHeader), request_body = NewTournamentBody, responses(
    (status = 201, description = "The tournament.", body = Tournament),
    CreateTournamentProblems,
))]
#[post("/tournaments")]
pub async fn create_tournament(
    account: Manager,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    key: CreationKey,
    body: Body<NewTournamentBody>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::CreateGame, account.player_id, peer.0)?;
    let key = key.with_body(&*body);
    let wanted = body.into_inner().into_new()?;
    let created = tournaments::create(&games, account.player_id, &wanted, key.as_ref()).await?;
    let answer = serde_json::to_string(&created).expect("plain data");
    Ok(crate::created::below("/api/v1/tournaments", answer))
}

/// Which tournaments to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TournamentsQuery {
    /// Its status.
    status: Option<TournamentStatus>,
    /// Its rule set.
    rules: Option<RulesName>,
    /// `next_cursor` of the page before.
    cursor: Option<Uuid>,
    /// The most entries.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: u16,
}

fn default_page() -> u16 {
    20
}

/// Lists tournaments, the newest first.
#[utoipa::path(tag = "games", params(TournamentsQuery), responses(
    (status = 200, description = "A page of tournaments.", body = TournamentPage),
))]
#[get("/tournaments")]
pub async fn list_tournaments(
    games: web::Data<Games>,
    query: web::Query<TournamentsQuery>,
) -> Result<web::Json<TournamentPage>, Problem> {
    let TournamentsQuery { status, rules, cursor, limit } = query.into_inner();
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(invalid("limit", &format!("1 to {MAX_PAGE}")));
    }
    let asked = Asked { status, rules: rules.map(Into::into), cursor, limit };
    Ok(web::Json(tournaments::list(&games, asked).await?))
}

/// The highest round that may be asked for.
const MAX_ROUND: u16 = 500;

/// Which round to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RoundQuery {
    /// This round's pairings; by default the newest's.
    #[param(minimum = 1, maximum = 500)]
    round: Option<u16>,
}

/// Shows a tournament: standings, and the pairings of a round.
#[utoipa::path(tag = "games", params(("id" = Uuid, Path), RoundQuery), responses(
    (status = 200, description = "The tournament.", body = TournamentTable),
    ListProblems,
))]
#[get("/tournaments/{id}")]
pub async fn show_tournament(
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<RoundQuery>,
) -> Result<web::Json<TournamentTable>, Problem> {
    if query.round.is_some_and(|round| !(1..=MAX_ROUND).contains(&round)) {
        return Err(invalid("round", &format!("1 to {MAX_ROUND}")));
    }
    Ok(web::Json(tournaments::table(&games, *id, query.round).await?))
}

/// Follows a tournament as a game is followed.
///
/// Registrations are no events.
#[utoipa::path(tag = "history", params(("id" = Uuid, Path), TournamentFeedQuery, LastEventIdHeader), responses(
    (status = 200, description = "What is new.", content(
        (TournamentFeedPage = "application/json"),
        (inline(TournamentFeedText) = "application/x-ndjson"),
        (inline(TournamentFeedText) = "text/event-stream"),
    )),
    (status = 204, description = "For streams: it is over, and you have its last event."),
    FeedProblems,
))]
#[get("/tournaments/{id}/feed")]
pub async fn follow_tournament(
    place: Admitted<Following>,
    request: HttpRequest,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<TournamentFeedQuery>,
) -> Result<HttpResponse, Problem> {
    answer_tournament(&request, place.into_permit(), &games, *id, &query).await
}

/// For whom to enter.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnterBody {
    /// One of yours, with `team_size`. Enter again to change it before the start.
    club: Option<Uuid>,
}

/// Enters a tournament, or waits if it is full, or a league that runs.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), request_body = EnterBody, responses(
    (status = 204, description = "You are in, or wait."),
    EnterProblems,
))]
#[post("/tournaments/{id}/enter")]
pub async fn enter_tournament(
    account: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    body: Body<EnterBody>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, account.player_id, peer.0)?;
    tournaments::register(&games, *id, account.player_id, body.into_inner().club).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Withdraws: no further games are paired for you. One that runs goes on.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), responses(
    (status = 204, description = "You are out."),
    WithdrawProblems,
))]
#[post("/tournaments/{id}/withdraw")]
pub async fn withdraw_from_tournament(
    account: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    tournaments::withdraw(&games, *id, account.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Cancels your tournament before it begins; of a running league, further seasons.
#[utoipa::path(tag = "games", security(("token" = [Manager::SCOPE])), responses(
    (status = 204, description = "It is cancelled."),
    WithdrawProblems,
))]
#[post("/tournaments/{id}/cancel")]
pub async fn cancel_tournament(
    account: Manager,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    tournaments::cancel(&games, *id, account.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
