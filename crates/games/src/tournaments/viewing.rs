//! Tournaments as everybody may see them.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::teams::{self, Team};
use super::working::{rounds_of, secret_of};
use crate::Games;
use crate::error::GameError;
use pippost_clock::TimeControl;
use pippost_record::record::{Hash, Master, Timestamp};
use pippost_record::rules::schema::RuleSetOptions;
use pippost_store::StoreError;
use pippost_store::tournaments::{
    self as store, Entered, Listing, MemberOf, PairingRow, TournamentRow, TournamentStatus,
};
use pippost_tournaments::{Format, Kind, Outcome, Standing, draw_secret, standings};

/// The most tournaments of a page.
pub const MAX_PAGE: u16 = 100;

/// A tournament of games for two.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Tournament {
    pub id: Uuid,
    pub title: String,
    pub organiser: String,
    pub rules: String,
    #[schema(value_type = RuleSetOptions)]
    pub options: Box<RawValue>,
    pub time_control: TimeControl,
    pub kind: Kind,
    /// From the start on, the most that are played.
    pub rounds: u16,
    pub most_players: u16,
    /// Null: when it is full.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<Timestamp>,
    pub status: TournamentStatus,
    /// The newest round, 0 before the start.
    pub round: u16,
    pub players: u16,
    pub waiting: u16,
    pub league: Option<League>,
    /// So many players of a club are counted; null: clubs have no places.
    pub team_size: Option<u16>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Of `secret`.
    pub commitment: Hash,
    /// Of `draw`.
    pub draw_commitment: Hash,
    /// The draw follows from it. Null before the start.
    pub draw: Option<Master>,
    /// `draw` and the masters of all games follow from it. Null before the end.
    pub secret: Option<Master>,
}

/// A season, each of which is a tournament.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct League {
    pub season: u16,
    /// Null: until it is cancelled.
    pub seasons: Option<u16>,
    pub division_size: u16,
    /// How many rise, and fall.
    pub promoted: u16,
    pub previous: Option<Uuid>,
    pub next: Option<Uuid>,
}

/// A page of tournaments.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TournamentPage {
    pub tournaments: Vec<Tournament>,
    pub next_cursor: Option<Uuid>,
}

/// A player's place follows from `points` to `wins`, in their order here.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TournamentPlayer)]
pub struct Placed {
    pub handle: String,
    /// By the draw, from 1; null before the start.
    pub number: Option<u16>,
    /// Of a league.
    pub division: Option<u16>,
    /// In the division. Equals share a place.
    pub place: u16,
    /// 1 for a won game or bye, 0.5 for a draw; or rounds survived.
    pub points: f64,
    /// The points of all opponents.
    pub buchholz: f64,
    /// Points of those beaten, and half of those drawn with.
    pub sonneborn_berger: f64,
    /// Points against those equal until here.
    pub direct: f64,
    pub wins: u32,
    /// The last round of who withdrew or lost on time.
    pub left_round: Option<u16>,
    /// Which the player plays for.
    pub club: Option<Uuid>,
}

/// Two who play in a round, or one with a bye.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TournamentPairing)]
pub struct Paired {
    pub round: u16,
    pub board: u16,
    /// Who has the first seat.
    pub first: String,
    /// Null: a bye.
    pub second: Option<String>,
    pub game: Option<Uuid>,
    pub outcome: Option<Outcome>,
}

/// A tournament with its players and the pairings of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TournamentTable {
    pub tournament: Tournament,
    /// By division, the best first.
    pub standings: Vec<Placed>,
    pub pairings: Vec<Paired>,
    pub waiting: Vec<String>,
    pub teams: Vec<Team>,
    /// For which clubs those play who wait.
    #[serde(skip)]
    clubs_of_waiting: Vec<Option<Uuid>>,
}

impl TournamentTable {
    /// The club that a player plays for, who may wait for a place.
    #[must_use]
    pub fn club_of(&self, handle: &str) -> Option<Uuid> {
        let playing = self.standings.iter().map(|one| (&one.handle, one.club));
        let waiting = self.waiting.iter().zip(self.clubs_of_waiting.iter().copied());
        playing.chain(waiting).find(|(other, _)| *other == handle)?.1
    }
}

/// What a row holds as text.
pub(super) struct Read {
    pub options: Value,
    pub time_control: TimeControl,
    pub format: Format,
}

pub(super) fn read(row: &TournamentRow) -> Result<Read, GameError> {
    let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of tournament {}", row.id));
    Ok(Read {
        options: serde_json::from_str(&row.options).map_err(|_| corrupt("options"))?,
        time_control: serde_json::from_str(&row.time_control).map_err(|_| corrupt("time control"))?,
        format: format_of(row)?,
    })
}

pub(super) fn format_of(row: &TournamentRow) -> Result<Format, StoreError> {
    let kind = Kind::named(&row.kind);
    let kind = kind.ok_or_else(|| StoreError::Corrupt(format!("the kind of tournament {}", row.id)))?;
    let division_size = row.division_size.map(|size| usize::from(whole(size)));
    Ok(division_size.map_or(Format::from(kind), |division_size| Format { kind, division_size }))
}

fn whole(number: i16) -> u16 {
    number.unsigned_abs()
}

fn shown(
    games: &Games,
    (row, organiser): (TournamentRow, String),
    entered: Entered,
    next: Option<Uuid>,
) -> Result<Tournament, GameError> {
    let corrupt = || StoreError::Corrupt(format!("commitments of tournament {}", row.id));
    let hash = |bytes: &[u8]| bytes.try_into().map(Hash::from_bytes).map_err(|_| corrupt());
    let Read { time_control, format, .. } = read(&row)?;
    let is_drawn = matches!(row.status, TournamentStatus::Running | TournamentStatus::Finished);
    let drawn = if is_drawn { Some(secret_of(games, &row)?) } else { None };
    let players = if is_drawn { entered.drawn } else { entered.all.min(row.most_players.into()) };
    let waiting = if waits(&row) { entered.all - players } else { 0 };
    let small = |number: i64| u16::try_from(number).unwrap_or(u16::MAX);
    Ok(Tournament {
        id: row.id,
        options: RawValue::from_string(row.options.clone()).map_err(|_| corrupt())?,
        time_control,
        kind: format.kind,
        rounds: whole(row.rounds),
        most_players: whole(row.most_players),
        starts_at: (!row.starts_when_full).then(|| Timestamp::new(row.closes_at)),
        status: row.status,
        round: whole(row.round),
        players: small(players),
        waiting: small(waiting),
        league: league_of(&row, next),
        team_size: row.team_size.map(whole),
        created_at: Timestamp::new(row.created_at),
        commitment: hash(&row.commitment)?,
        draw_commitment: hash(&row.draw_commitment)?,
        draw: drawn.as_ref().map(draw_secret),
        secret: drawn.filter(|_| row.status == TournamentStatus::Finished),
        title: row.title,
        organiser,
        rules: row.rules,
    })
}

/// A tournament.
///
/// # Errors
/// There is none with this id, or the database failed.
pub async fn show(games: &Games, id: Uuid) -> Result<Tournament, GameError> {
    let row = store::load(&games.database, id).await?.ok_or(GameError::NoSuchTournament)?;
    let mut shown = with_numbers(games, vec![row]).await?;
    shown.pop().ok_or(GameError::NoSuchTournament)
}

/// Whether those who are registered beyond the players wait for a place.
fn waits(row: &TournamentRow) -> bool {
    row.status == TournamentStatus::Open || (row.status == TournamentStatus::Running && row.season.is_some())
}

fn league_of(row: &TournamentRow, next: Option<Uuid>) -> Option<League> {
    Some(League {
        season: whole(row.season?),
        seasons: row.seasons.map(whole),
        division_size: whole(row.division_size?),
        promoted: whole(row.promoted?),
        previous: row.previous_id,
        next,
    })
}

/// Tournaments as everybody may see them, from their rows with the handles of their organisers.
async fn with_numbers(
    games: &Games,
    rows: Vec<(TournamentRow, String)>,
) -> Result<Vec<Tournament>, GameError> {
    let ids: Vec<Uuid> = rows.iter().map(|(row, _)| row.id).collect();
    let leagues: Vec<Uuid> =
        rows.iter().filter(|(row, _)| row.season.is_some()).map(|(row, _)| row.id).collect();
    let mut entered = store::entered(&games.database, &ids).await?;
    let mut next = store::seasons_after(&games.database, &leagues).await?;
    let one = |row: (TournamentRow, String)| {
        let id = row.0.id;
        shown(games, row, entered.remove(&id).unwrap_or_default(), next.remove(&id))
    };
    rows.into_iter().map(one).collect()
}

/// Which tournaments to list.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub status: Option<TournamentStatus>,
    pub rules: Option<String>,
    pub cursor: Option<Uuid>,
    pub limit: u16,
}

/// Tournaments, the newest first.
///
/// # Errors
/// The database failed.
pub async fn list(games: &Games, asked: Asked) -> Result<TournamentPage, GameError> {
    let Asked { status, rules, cursor, limit } = asked;
    let limit = usize::from(limit.min(MAX_PAGE));
    let one_more = i64::try_from(limit).unwrap_or_default() + 1;
    let wanted = Listing { status, rules, before: cursor, limit: one_more };
    let mut rows = store::list(&games.database, &wanted).await?;
    let is_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().map(|(row, _)| row.id);
    let tournaments = with_numbers(games, rows).await?;
    Ok(TournamentPage { next_cursor: last.filter(|_| is_more), tournaments })
}

/// A tournament with its standings, and the pairings of a round: by default the newest.
///
/// # Errors
/// There is none with this id, or the database failed.
pub async fn table(games: &Games, id: Uuid, round: Option<u16>) -> Result<TournamentTable, GameError> {
    let (row, organiser) = store::load(&games.database, id).await?.ok_or(GameError::NoSuchTournament)?;
    let members = store::members(&games.database, id).await?;
    let rows = store::pairings(&games.database, id, None).await?;
    let (newest, format, waits) = (row.round, format_of(&row)?, waits(&row));
    let mut shown = with_numbers(games, vec![(row, organiser)]).await?;
    let tournament = shown.pop().ok_or(GameError::NoSuchTournament)?;
    let has_begun = matches!(tournament.status, TournamentStatus::Running | TournamentStatus::Finished);
    let mut players = members;
    let waiting: Vec<MemberOf> = if has_begun {
        let others = players.extract_if(.., |member| member.number.is_none());
        others.filter(|_| waits).collect()
    } else {
        players.split_off(players.len().min(usize::from(tournament.most_players)))
    };
    if has_begun {
        players.sort_by_key(|player| player.number);
    }
    let wanted = round.unwrap_or_else(|| whole(newest));
    let pairings = paired(&players, rows.iter().filter(|row| whole(row.round) == wanted));
    let places = standings(format, players.len(), &rounds_of(newest, &rows));
    let teams = match tournament.team_size {
        Some(size) => teams::of(games, size, &players, &places).await?,
        None => Vec::new(),
    };
    let standings = placed(format, &players, places);
    let (waiting, clubs_of_waiting) = waiting.into_iter().map(|one| (one.handle, one.club_id)).unzip();
    Ok(TournamentTable { tournament, standings, pairings, waiting, teams, clubs_of_waiting })
}

/// `players` are ordered by the draw's numbers.
pub(super) fn paired<'a>(players: &[MemberOf], rows: impl Iterator<Item = &'a PairingRow>) -> Vec<Paired> {
    let handle = |number: i16| players.get(usize::from(whole(number))).map(|one| one.handle.clone());
    let one = |row: &PairingRow| Paired {
        round: whole(row.round),
        board: whole(row.board),
        first: handle(row.first_number).unwrap_or_default(),
        second: row.second_number.and_then(handle),
        game: row.game_id,
        outcome: row.outcome.as_deref().and_then(Outcome::named),
    };
    rows.map(one).collect()
}

/// `players` are ordered by the draw's numbers, or before the draw as they registered.
pub(super) fn placed(format: Format, players: &[MemberOf], places: Vec<Standing>) -> Vec<Placed> {
    let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    let one = |standing: Standing| {
        let player = &players[standing.number];
        let is_league = format.kind == Kind::League && player.number.is_some();
        Placed {
            handle: player.handle.clone(),
            number: player.number.map(|number| whole(number) + 1),
            division: is_league.then(|| small(standing.division + 1)),
            place: small(standing.place),
            points: standing.points,
            buchholz: standing.buchholz,
            sonneborn_berger: standing.sonneborn_berger,
            direct: standing.direct,
            wins: standing.wins,
            left_round: player.left_round.map(whole),
            club: player.club_id,
        }
    };
    places.into_iter().map(one).collect()
}
