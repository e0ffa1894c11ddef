//! What a worker reads and writes: tournaments that are due, rounds, and how games went.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::events::{self, NewTournamentEvent, TournamentEventKind};
use super::reading::{MemberOf, members_of};
use super::{TournamentRow, TournamentStatus, end, lock};
use crate::GameStatus;
use crate::database::Database;
use crate::error::StoreError;
use crate::schema::{games, tournament_pairings, tournament_players, tournaments};

/// A row of `tournament_pairings`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tournament_pairings)]
pub struct PairingRow {
    pub tournament_id: Uuid,
    pub round: i16,
    pub board: i16,
    pub first_number: i16,
    pub second_number: Option<i16>,
    pub game_id: Option<Uuid>,
    pub outcome: Option<String>,
}

/// Tournaments that are due, the longest first. Those that run are due again at once, after the others.
///
/// # Errors
/// The database failed.
pub async fn due(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<TournamentRow>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let due = connection.transaction::<Vec<TournamentRow>, StoreError, _>(async |connection| {
        let due = tournaments::table
            .filter(tournaments::due_at.le(now))
            .order(tournaments::due_at)
            .limit(limit)
            .select(TournamentRow::as_select())
            .for_no_key_update()
            .skip_locked();
        let due: Vec<TournamentRow> = due.load(connection).await?;
        let looked = tournaments::table.filter(tournaments::id.eq_any(due.iter().map(|row| row.id)));
        diesel::update(looked).set(tournaments::due_at.eq(now)).execute(connection).await?;
        Ok(due)
    });
    due.await
}

/// Looks at a tournament no more before then.
///
/// # Errors
/// The database failed.
pub async fn postpone(database: &Database, id: Uuid, until: OffsetDateTime) -> Result<(), StoreError> {
    let due = tournaments::table.find(id).filter(tournaments::due_at.is_not_null());
    let later = diesel::update(due).set(tournaments::due_at.eq(until));
    later.execute(&mut database.get().await?).await?;
    Ok(())
}

/// The pairings of a tournament, of one round or all, by round and board.
///
/// # Errors
/// The database failed.
pub async fn pairings(
    database: &Database,
    id: Uuid,
    round: Option<i16>,
) -> Result<Vec<PairingRow>, StoreError> {
    let mut connection = database.get().await?;
    match round {
        None => Ok(of_tournament(&mut connection, id).await?),
        Some(round) => {
            let of_round = tournament_pairings::table
                .filter(tournament_pairings::tournament_id.eq(id))
                .filter(tournament_pairings::round.eq(round))
                .order(tournament_pairings::board)
                .select(PairingRow::as_select());
            Ok(of_round.load(&mut connection).await?)
        }
    }
}

async fn of_tournament(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Vec<PairingRow>> {
    let all = tournament_pairings::table
        .filter(tournament_pairings::tournament_id.eq(id))
        .order((tournament_pairings::round, tournament_pairings::board))
        .select(PairingRow::as_select());
    all.load(connection).await
}

/// How far a game is.
#[derive(Clone, Debug, Queryable)]
pub struct GameEnd {
    pub game_id: Uuid,
    pub status: GameStatus,
    /// As JSON.
    pub result: Option<String>,
}

/// How far these games are; those that do not exist yet are missing.
///
/// # Errors
/// The database failed.
pub async fn game_ends(database: &Database, game_ids: &[Uuid]) -> Result<Vec<GameEnd>, StoreError> {
    let found =
        games::table.filter(games::id.eq_any(game_ids)).select((games::id, games::status, games::result));
    Ok(found.load(&mut database.get_for_all_nodes().await?).await?)
}

/// Writes how a game went, and who of both gets no further ones; false if that is known already.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn settle(
    database: &Database,
    pairing: &PairingRow,
    outcome: &str,
    gone: Option<i16>,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let PairingRow { tournament_id: id, round, board, .. } = *pairing;
    let settled = connection.transaction::<bool, StoreError, _>(async |connection| {
        // One after the other, and never while a round is paired.
        lock(connection, id).await?;
        let open = tournament_pairings::table.find((id, round, board));
        let open = open.filter(tournament_pairings::outcome.is_null());
        let outcome = tournament_pairings::outcome.eq(outcome);
        if diesel::update(open).set(outcome).execute(connection).await? == 0 {
            return Ok(false);
        }
        let playing = tournament_players::table
            .filter(tournament_players::tournament_id.eq(id))
            .filter(tournament_players::number.eq(gone))
            .filter(tournament_players::left_round.is_null());
        if gone.is_some() {
            let left = diesel::update(playing).set(tournament_players::left_round.eq(round));
            let left = left.returning(tournament_players::player_id);
            if let Some(player_id) = left.get_result::<Uuid>(connection).await.optional()? {
                let what = (TournamentEventKind::TimedOut, round);
                events::tell_left(connection, id, what, player_id, now).await?;
            }
        }
        Ok(true)
    });
    settled.await
}

/// The season that follows on one of a league.
#[derive(Debug)]
pub struct NextSeason {
    pub row: TournamentRow,
    /// Those who go on, the best first.
    pub ladder: Vec<Uuid>,
    /// Those who have waited, in the order of registration.
    pub waiting: Vec<Uuid>,
}

/// What follows for a tournament from its players and pairings.
#[derive(Debug)]
pub enum PairedRound {
    /// There is nothing to do.
    Nothing,
    /// The first rounds: players get numbers, and the number of rounds is fixed.
    Start {
        rounds: i16,
        numbers: Vec<(Uuid, i16)>,
        pairings: Vec<PairingRow>,
    },
    Next(Vec<PairingRow>),
    Finish,
    /// A season of a league is over, and another one follows.
    NextSeason(Box<NextSeason>),
    Cancel,
}

/// Whoever is not in a club any more does not play for it.
const FORGET_CLUBS: &str = "
update tournament_players p set club_id = null where p.tournament_id = $1 and p.club_id is not null and not exists (
    select from club_members m where m.club_id = p.club_id and m.player_id = p.player_id and m.role <> 'asking'
)";

/// Lets `decide` say what follows and what is told of it, and writes both; whether anything did. The tournament is locked meanwhile,
/// so every round is paired once, however many processes try.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn advance<F>(
    database: &Database,
    id: Uuid,
    now: OffsetDateTime,
    decide: impl FnOnce(TournamentRow, Vec<MemberOf>, Vec<PairingRow>) -> F + Send,
) -> Result<bool, StoreError>
where
    F: Future<Output = Result<(PairedRound, Vec<NewTournamentEvent>), StoreError>> + Send,
{
    let mut connection = database.get_for_writing().await?;
    let advanced = connection.transaction::<bool, StoreError, _>(async |connection| {
        let Some(row) = lock(connection, id).await? else { return Ok(false) };
        let round = row.round;
        if row.status == TournamentStatus::Open && row.team_size.is_some() {
            // From the start on nobody's club changes.
            diesel::sql_query(FORGET_CLUBS).bind::<SqlUuid, _>(id).execute(connection).await?;
        }
        let members = members_of(connection, id).await?;
        let played = of_tournament(connection, id).await?;
        let (then, told) = decide(row, members, played).await?;
        match then {
            PairedRound::Nothing => return Ok(false),
            PairedRound::Finish => end(connection, id, TournamentStatus::Finished, now).await?,
            PairedRound::Cancel => end(connection, id, TournamentStatus::Cancelled, now).await?,
            PairedRound::NextSeason(next) => {
                end(connection, id, TournamentStatus::Finished, now).await?;
                open_season(connection, *next).await?;
            }
            PairedRound::Next(pairings) => begin_round(connection, id, round + 1, &pairings).await?,
            PairedRound::Start { rounds, numbers, pairings } => {
                for (player_id, number) in numbers {
                    let player = tournament_players::table.find((id, player_id));
                    let number = tournament_players::number.eq(number);
                    diesel::update(player).set(number).execute(connection).await?;
                }
                let started = (
                    tournaments::status.eq(TournamentStatus::Running),
                    tournaments::rounds.eq(rounds),
                    tournaments::due_at.eq(now),
                );
                diesel::update(tournaments::table.find(id)).set(started).execute(connection).await?;
                begin_round(connection, id, round + 1, &pairings).await?;
            }
        }
        for event in &told {
            events::tell(connection, id, event, now).await?;
        }
        Ok(true)
    });
    advanced.await
}

/// Writes a season with its players in the order in which they have a right to a place.
async fn open_season(connection: &mut AsyncPgConnection, next: NextSeason) -> QueryResult<()> {
    let NextSeason { row, ladder, waiting } = next;
    diesel::insert_into(tournaments::table).values(&row).execute(connection).await?;
    let places = (0_i16..).map(Some).take(ladder.len()).chain(std::iter::repeat(None));
    for (player_id, place) in ladder.into_iter().chain(waiting).zip(places) {
        let new = (
            tournament_players::tournament_id.eq(row.id),
            tournament_players::player_id.eq(player_id),
            tournament_players::ladder.eq(place),
        );
        diesel::insert_into(tournament_players::table).values(new).execute(connection).await?;
    }
    Ok(())
}

async fn begin_round(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    round: i16,
    pairings: &[PairingRow],
) -> QueryResult<()> {
    if !pairings.is_empty() {
        diesel::insert_into(tournament_pairings::table).values(pairings).execute(connection).await?;
    }
    diesel::update(tournaments::table.find(id)).set(tournaments::round.eq(round)).execute(connection).await?;
    Ok(())
}
