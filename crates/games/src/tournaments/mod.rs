//! Tournaments of games for two: creating them, entering and leaving. A worker pairs rounds and begins their games ([`step`]).
//! Who plays whom and who stands where is decided by the pure crate `pippost-tournaments`.

mod events;
mod seasons;
mod teams;
mod viewing;
mod working;

use std::collections::HashMap;

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::joining::{NewGame, new_row};
use crate::lobby::{idempotency, title};
use pippost_clock::TimeControl;
use pippost_keys::random_bytes;
use pippost_record::record::{Master, Seating};
use pippost_record::rules;
use pippost_store::players;
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::tournaments::{self as store, Entry, EntryLimits, TournamentRow};
use pippost_tournaments::{Kind, MAX_PLAYERS, MAX_ROUND_ROBIN, MAX_ROUNDS, MAX_TEAM, MIN_TEAM, draw_secret};

pub use events::TournamentEvent;
pub use pippost_store::tournaments::TournamentStatus;
pub use seasons::{BREAK, LeagueRules, MORE_THAN_HALF};
pub use teams::Team;
pub use viewing::{
    Asked, League, MAX_PAGE, Paired, Placed, Tournament, TournamentPage, TournamentTable, list, show, table,
};
pub use working::step;
pub(crate) use working::{begin_game, settled};

/// The most tournaments of one organiser that are not over, and its name as a limit.
pub const MAX_ORGANISED: u16 = 5;
pub const ORGANISED: &str = "tournaments-organised";

/// The most tournaments that somebody takes part in at once, and its name as a limit.
pub const MAX_ENTERED: u16 = 10;
pub const ENTERED: &str = "tournaments-entered";

/// The most who wait for a place.
pub const MAX_WAITING: u16 = 100;

/// How far ahead the start may be, and how long a tournament waits to be full.
pub const MAX_AHEAD: Duration = Duration::days(90);

/// The fewest players.
pub const MIN_PLAYERS: u16 = 2;

/// The rounds of a Swiss tournament unless its organiser says otherwise.
pub const DEFAULT_ROUNDS: u16 = 5;

/// The tournament that an organiser wants.
#[derive(Clone, Debug)]
pub struct NewTournament {
    pub title: String,
    pub rules: String,
    pub options: Value,
    pub time_control: TimeControl,
    pub kind: Kind,
    /// Of a Swiss tournament.
    pub rounds: Option<u16>,
    pub most_players: u16,
    /// `None`: when it is full.
    pub starts_at: Option<OffsetDateTime>,
    /// Of a league.
    pub league: Option<LeagueRules>,
    /// How many players of each club are counted; `None`: clubs do not play for places.
    pub team_size: Option<u16>,
}

impl NewTournament {
    /// A game of the tournament, whose first player has the first seat.
    fn game(&self) -> NewGame {
        NewGame {
            rules: self.rules.clone(),
            options: self.options.clone(),
            seats: Some(2),
            private: false,
            seating: Seating::Joined,
            time_control: self.time_control,
            substitutes: false,
            title: Some(self.title.clone()),
            renews: false,
            seed: None,
        }
    }

    fn check(&self, now: OffsetDateTime) -> Result<(), GameError> {
        let invalid = |field, why: String| Err(GameError::InvalidValue { field, why });
        if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&self.most_players) {
            return invalid("most_players", format!("{MIN_PLAYERS} to {MAX_PLAYERS}"));
        }
        if self.most_players > most_players(self.kind) {
            return Err(GameError::TournamentRefused(MORE_THAN_ALL_MEET));
        }
        if self.rounds.is_some_and(|rounds| !(1..=MAX_ROUNDS).contains(&rounds)) {
            return invalid("rounds", format!("1 to {MAX_ROUNDS}"));
        }
        if self.starts_at.is_some_and(|at| at <= now || at > now + MAX_AHEAD) {
            return Err(GameError::TournamentRefused("the start is not within the next 90 days"));
        }
        if self.team_size.is_some_and(|size| !(MIN_TEAM..=MAX_TEAM).contains(&size)) {
            return invalid("team_size", format!("{MIN_TEAM} to {MAX_TEAM}"));
        }
        if self.team_size.is_some() && self.kind == Kind::League {
            return Err(GameError::TournamentRefused(NO_TEAMS_IN_LEAGUES));
        }
        if let Some(league) = &self.league {
            if self.kind != Kind::League {
                return Err(GameError::TournamentRefused("only a league has divisions and seasons"));
            }
            league.check()?;
        }
        if self.time_control.is_unlimited() {
            let why = "a tournament waits for nobody for ever: it needs a limit or a bank".to_owned();
            return Err(GameError::ControlNotPossible(why));
        }
        Ok(())
    }
}

/// Why a round robin is not for so many.
pub const MORE_THAN_ALL_MEET: &str = "a round robin has at most 24 players";

/// Why clubs play for no places in a league: points of different divisions are not alike.
pub const NO_TEAMS_IN_LEAGUES: &str = "in a league clubs do not play for places";

/// Why somebody does not play for a club.
pub const NOT_OF_CLUB: &str = "you are not in this club";

/// The most players of a tournament of this kind.
#[must_use]
pub fn most_players(kind: Kind) -> u16 {
    match kind {
        Kind::RoundRobin => MAX_ROUND_ROBIN,
        Kind::Swiss | Kind::KnockOut | Kind::DoubleElimination | Kind::League => MAX_PLAYERS,
    }
}

/// Creates a tournament.
///
/// # Errors
/// The values or rules are not possible, the organiser's address is not confirmed, or too many tournaments are not over.
pub async fn create(
    games: &Games,
    organiser_id: Uuid,
    wanted: &NewTournament,
    key: Option<&RequestKey>,
) -> Result<Tournament, GameError> {
    if let Some(id) = idempotency::done_before(games, key, organiser_id).await? {
        return show(games, id).await;
    }
    let row = row(games, organiser_id, wanted)?;
    expect_confirmed(games, organiser_id).await?;
    let stored = idempotency::to_store(key, organiser_id, row.id);
    match store::create(&games.database, &row, MAX_ORGANISED.into(), stored.as_ref()).await? {
        Once::Now(true) => show(games, row.id).await,
        Once::Now(false) => Err(GameError::QuotaReached { limit: ORGANISED, most: MAX_ORGANISED.into() }),
        Once::Before(before) => show(games, idempotency::stored_id(before, key)?).await,
    }
}

fn row(games: &Games, organiser_id: Uuid, wanted: &NewTournament) -> Result<TournamentRow, GameError> {
    let now = games.inner.clock.now();
    wanted.check(now)?;
    let title = title::checked(games, "title", &wanted.title)?;
    let (id, secret) = (Uuid::now_v7(), Master::from_bytes(random_bytes()?));
    // What a game of it would be: all that it asks for is checked as for any new game.
    let game = new_row(games, organiser_id, &wanted.game(), (id, secret.clone()))?;
    let closes_at = wanted.starts_at.unwrap_or(now + MAX_AHEAD);
    let small = |number: u16| i16::try_from(number).expect("bounded");
    let league = (wanted.kind == Kind::League).then(|| wanted.league.unwrap_or_default());
    Ok(TournamentRow {
        id,
        title: title.unwrap_or_else(|| rules_title(&wanted.rules)),
        organiser_id,
        rules: game.rules,
        options: game.options,
        time_control: game.time_control.expect("new games have one"),
        kind: wanted.kind.as_str().to_owned(),
        rounds: small(wanted.rounds.unwrap_or(DEFAULT_ROUNDS)),
        most_players: small(wanted.most_players),
        starts_when_full: wanted.starts_at.is_none(),
        closes_at,
        status: TournamentStatus::Open,
        round: 0,
        commitment: game.commitment,
        draw_commitment: draw_secret(&secret).commitment(id).as_bytes().to_vec(),
        secret_sealed: game.master_sealed,
        created_at: now,
        ended_at: None,
        due_at: Some(closes_at),
        division_size: league.map(|league| small(league.division_size)),
        promoted: league.map(|league| small(league.promoted)),
        seasons: league.and_then(|league| league.seasons).map(small),
        season: league.map(|_| 1),
        previous_id: None,
        team_size: wanted.team_size.map(small),
    })
}

fn rules_title(name: &str) -> String {
    rules::find(name, None).map_or(name, |rules| rules.title()).to_owned()
}

/// Guests have no address, so they organise and enter nothing.
pub(crate) async fn expect_confirmed(games: &Games, player_id: Uuid) -> Result<(), GameError> {
    let player = players::player_by_id(&games.database, player_id).await?;
    match player.and_then(|player| player.email_confirmed_at) {
        Some(_) => Ok(()),
        None => Err(GameError::AddressNotConfirmed),
    }
}

/// Registers a player, who waits if the tournament is full, or if it is a league that runs: for the next season. Where clubs play for
/// places, whoever is registered chooses a club, or none, once more.
///
/// # Errors
/// No such tournament, it takes nobody any more, the player's address is not confirmed, or is in already or in too many, or is not in
/// the club.
pub async fn register(games: &Games, id: Uuid, player_id: Uuid, club: Option<Uuid>) -> Result<(), GameError> {
    expect_confirmed(games, player_id).await?;
    let limits = EntryLimits { waiting: MAX_WAITING.into(), of_player: MAX_ENTERED.into() };
    let now = games.inner.clock.now();
    done(store::register(&games.database, id, player_id, club, limits, now).await?)
}

/// Takes a player out of a tournament; a game that runs goes on.
///
/// # Errors
/// No such tournament, it is over, or the player is not in it.
pub async fn withdraw(games: &Games, id: Uuid, player_id: Uuid) -> Result<(), GameError> {
    let entry = store::withdraw(&games.database, id, player_id, games.inner.clock.now()).await?;
    events::wake(games, id).await;
    done(entry)
}

/// Cancels a tournament before it begins; of a league that runs, the seasons that would follow.
///
/// # Errors
/// No such tournament, it has begun, or the player does not organise it.
pub async fn cancel(games: &Games, id: Uuid, player_id: Uuid) -> Result<(), GameError> {
    let entry = store::cancel(&games.database, id, player_id, games.inner.clock.now()).await?;
    if entry == Entry::NotIn {
        return Err(GameError::TournamentRefused("you do not organise this tournament"));
    }
    events::wake(games, id).await;
    done(entry)
}

/// The titles of those of these that are tournaments.
///
/// # Errors
/// The database failed.
pub async fn titles(games: &Games, ids: &[Uuid]) -> Result<HashMap<Uuid, String>, GameError> {
    Ok(store::titles(&games.database, ids).await?)
}

fn done(entry: Entry) -> Result<(), GameError> {
    match entry {
        Entry::Done => Ok(()),
        Entry::Unknown => Err(GameError::NoSuchTournament),
        Entry::Closed => Err(GameError::TournamentRefused("the tournament has begun, or is over")),
        Entry::AlreadyIn => Err(GameError::TournamentRefused("you are registered already")),
        Entry::NotIn => Err(GameError::TournamentRefused("you do not take part")),
        Entry::Full => Err(GameError::TournamentRefused("the tournament is full, and many wait")),
        Entry::NoTeams => Err(GameError::TournamentRefused("clubs do not play for places")),
        Entry::NotOfClub => Err(GameError::TournamentRefused(NOT_OF_CLUB)),
        Entry::TooMany => Err(GameError::QuotaReached { limit: ENTERED, most: MAX_ENTERED.into() }),
    }
}
