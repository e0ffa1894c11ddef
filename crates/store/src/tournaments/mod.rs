//! Tournaments: a row for each, for each player and for each pairing. Whoever changes a tournament holds the lock of its row.

pub mod events;
mod pairing;
mod reading;

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use self::events::{NewTournamentEvent, TournamentEventKind};

use super::clubs::{self, Role};
use super::database::Database;
use super::error::StoreError;
use super::schema::{tournament_players, tournaments};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::text_enum::text_enum;

pub use pairing::{
    GameEnd, NextSeason, PairedRound, PairingRow, advance, due, game_ends, pairings, postpone, settle,
};
pub use reading::{Entered, Listing, MemberOf, entered, list, load, members, seasons_after, titles};

text_enum! {
    "status of a tournament",
    /// The status of a tournament.
    #[schema(as = TournamentStatus)]
    pub enum TournamentStatus {
        /// It takes registrations.
        Open = "open",
        Running = "running",
        Finished = "finished",
        /// By its organiser, or because too few had registered.
        Cancelled = "cancelled",
    }
}

/// A row of `tournaments`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = tournaments)]
pub struct TournamentRow {
    pub id: Uuid,
    pub title: String,
    pub organiser_id: Uuid,
    pub rules: String,
    pub options: String,
    pub time_control: String,
    pub kind: String,
    pub rounds: i16,
    pub most_players: i16,
    pub starts_when_full: bool,
    pub closes_at: OffsetDateTime,
    pub status: TournamentStatus,
    pub round: i16,
    pub commitment: Vec<u8>,
    pub draw_commitment: Vec<u8>,
    pub secret_sealed: Vec<u8>,
    pub created_at: OffsetDateTime,
    pub ended_at: Option<OffsetDateTime>,
    pub due_at: Option<OffsetDateTime>,
    /// Of a league, as are all that follow.
    pub division_size: Option<i16>,
    pub promoted: Option<i16>,
    /// `None`: until it is cancelled.
    pub seasons: Option<i16>,
    /// From 1.
    pub season: Option<i16>,
    /// The season before.
    pub previous_id: Option<Uuid>,
    /// How many players of each club are counted; `None` if clubs do not play for places.
    pub team_size: Option<i16>,
}

impl TournamentRow {
    /// Whether it is a season of a league after which another one follows.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.season.is_some_and(|season| self.seasons.is_none_or(|seasons| season < seasons))
    }

    /// Whether players may enter: of a league also while it runs, for the next season.
    fn takes_players(&self) -> bool {
        match self.status {
            TournamentStatus::Open => true,
            TournamentStatus::Running => self.goes_on(),
            TournamentStatus::Finished | TournamentStatus::Cancelled => false,
        }
    }
}

/// Locks the row of a tournament until the transaction ends.
async fn lock(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<TournamentRow>> {
    let row = tournaments::table.find(id).select(TournamentRow::as_select()).for_no_key_update();
    row.first(connection).await.optional()
}

/// What is not over.
const UNFINISHED: [TournamentStatus; 2] = [TournamentStatus::Open, TournamentStatus::Running];

/// One entry, or another change of a player's tournaments, at a time.
async fn lock_player(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<()> {
    let lock = "select pg_advisory_xact_lock(hashtextextended('tournaments of ' || $1::uuid::text, 0))";
    diesel::sql_query(lock).bind::<diesel::sql_types::Uuid, _>(player_id).execute(connection).await?;
    Ok(())
}

/// Writes a new tournament; false if its organiser has `most` that are not over.
///
/// # Errors
/// The database failed.
pub async fn create(
    database: &Database,
    new: &TournamentRow,
    most: i64,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<bool>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let created = connection.transaction::<Once<bool>, StoreError, _>(async |connection| {
        lock_player(connection, new.organiser_id).await?;
        if let Some(before) = stored_responses::take(connection, stored, new.created_at).await? {
            return Ok(Once::Before(before));
        }
        let own = tournaments::table.filter(tournaments::organiser_id.eq(new.organiser_id));
        if own.filter(tournaments::status.eq_any(UNFINISHED)).count().get_result::<i64>(connection).await?
            >= most
        {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(false));
        }
        diesel::insert_into(tournaments::table).values(new).execute(connection).await?;
        Ok(Once::Now(true))
    });
    created.await
}

/// What became of a request to register, withdraw or cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Done,
    /// There is no such tournament.
    Unknown,
    /// It takes no registrations any more, or is over.
    Closed,
    AlreadyIn,
    NotIn,
    /// So many wait already.
    Full,
    /// The player takes part in as many tournaments as one may.
    TooMany,
    /// Clubs do not play for places.
    NoTeams,
    /// The player is not in the club.
    NotOfClub,
}

/// How many may enter, and how many tournaments somebody may be in at once.
#[derive(Clone, Copy, Debug)]
pub struct EntryLimits {
    pub waiting: i64,
    pub of_player: i64,
}

/// Why a player may not play for this club.
async fn refused_for(
    connection: &mut AsyncPgConnection,
    row: &TournamentRow,
    player_id: Uuid,
    club: Uuid,
) -> QueryResult<Option<Entry>> {
    if row.team_size.is_none() {
        return Ok(Some(Entry::NoTeams));
    }
    let is_in =
        matches!(clubs::role_of(connection, club, player_id).await?, Some(Role::Member | Role::Owner));
    Ok((!is_in).then_some(Entry::NotOfClub))
}

/// Registers a player, for a club if clubs play for places: there whoever is in already has another one, or none, from now on. Whoever
/// is beyond the most players waits.
///
/// # Errors
/// The database failed.
pub async fn register(
    database: &Database,
    id: Uuid,
    player_id: Uuid,
    club: Option<Uuid>,
    limits: EntryLimits,
    now: OffsetDateTime,
) -> Result<Entry, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let entered = connection.transaction::<Entry, StoreError, _>(async |connection| {
        lock_player(connection, player_id).await?;
        let Some(row) = lock(connection, id).await? else { return Ok(Entry::Unknown) };
        if !row.takes_players() {
            return Ok(Entry::Closed);
        }
        if let Some(club) = club
            && let Some(refused) = refused_for(connection, &row, player_id, club).await?
        {
            return Ok(refused);
        }
        let entries = tournament_players::table.filter(tournament_players::tournament_id.eq(id));
        let own = entries.filter(tournament_players::player_id.eq(player_id));
        if own.count().get_result::<i64>(connection).await? > 0 {
            if row.team_size.is_none() {
                return Ok(Entry::AlreadyIn);
            }
            let own = diesel::update(tournament_players::table.find((id, player_id)));
            own.set(tournament_players::club_id.eq(club)).execute(connection).await?;
            return Ok(Entry::Done);
        }
        let number: i64 = entries.count().get_result(connection).await?;
        if number >= i64::from(row.most_players) + limits.waiting {
            return Ok(Entry::Full);
        }
        let others = tournament_players::table
            .inner_join(tournaments::table.on(tournaments::id.eq(tournament_players::tournament_id)))
            .filter(tournament_players::player_id.eq(player_id))
            .filter(tournament_players::left_round.is_null())
            .filter(tournaments::status.eq_any(UNFINISHED));
        if others.count().get_result::<i64>(connection).await? >= limits.of_player {
            return Ok(Entry::TooMany);
        }
        let key = (tournament_players::tournament_id.eq(id), tournament_players::player_id.eq(player_id));
        let new = (key, tournament_players::club_id.eq(club));
        diesel::insert_into(tournament_players::table).values(new).execute(connection).await?;
        let is_full = number + 1 >= i64::from(row.most_players);
        if row.status == TournamentStatus::Open && row.starts_when_full && is_full {
            let due = diesel::update(tournaments::table.find(id)).set(tournaments::due_at.eq(now));
            due.execute(connection).await?;
        }
        Ok(Entry::Done)
    });
    entered.await
}

/// Takes a player out: before the start, or from those who wait for the next season, altogether; later of the rounds that are not
/// paired yet.
///
/// # Errors
/// The database failed.
pub async fn withdraw(
    database: &Database,
    id: Uuid,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Entry, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let left = connection.transaction::<Entry, StoreError, _>(async |connection| {
        let Some(row) = lock(connection, id).await? else { return Ok(Entry::Unknown) };
        let own = tournament_players::table.find((id, player_id));
        let own = own.filter(tournament_players::left_round.is_null());
        let changed = match row.status {
            TournamentStatus::Open => {
                // Somebody is missing again.
                let due = tournaments::due_at.eq(row.closes_at);
                diesel::update(tournaments::table.find(id)).set(due).execute(connection).await?;
                diesel::delete(own).execute(connection).await?
            }
            TournamentStatus::Running => {
                let waiting = own.filter(tournament_players::number.is_null());
                if leave(connection, &row, player_id, now).await? {
                    1
                } else if row.season.is_some() {
                    diesel::delete(waiting).execute(connection).await?
                } else {
                    0
                }
            }
            TournamentStatus::Finished | TournamentStatus::Cancelled => return Ok(Entry::Closed),
        };
        Ok(if changed > 0 { Entry::Done } else { Entry::NotIn })
    });
    left.await
}

/// Pairs a player no more in a tournament that runs and whose row is locked; false if nobody was to be paired.
async fn leave(
    connection: &mut AsyncPgConnection,
    row: &TournamentRow,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<bool> {
    let playing = tournament_players::table
        .find((row.id, player_id))
        .filter(tournament_players::left_round.is_null())
        .filter(tournament_players::number.is_not_null());
    let left = diesel::update(playing).set(tournament_players::left_round.eq(row.round));
    if left.execute(connection).await? == 0 {
        return Ok(false);
    }
    let what = (TournamentEventKind::Withdrew, row.round);
    events::tell_left(connection, row.id, what, player_id, now).await?;
    Ok(true)
}

/// Takes a player whose account ends out of all tournaments, and ends those that the player organises.
pub(crate) async fn leave_all(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let entered = tournament_players::table
        .filter(tournament_players::player_id.eq(player_id))
        .select(tournament_players::tournament_id);
    let concerned = tournaments::table
        .filter(tournaments::status.eq_any(UNFINISHED))
        .filter(tournaments::organiser_id.eq(player_id).or(tournaments::id.eq_any(entered)))
        // In one order, so that two who leave do not wait for each other.
        .order(tournaments::id)
        .select(TournamentRow::as_select())
        .for_no_key_update();
    let concerned: Vec<TournamentRow> = concerned.load(connection).await?;
    for row in &concerned {
        let organises = row.organiser_id == player_id;
        match row.status {
            TournamentStatus::Open if organises => {
                end(connection, row.id, TournamentStatus::Cancelled, now).await?;
                let cancelled = NewTournamentEvent::plain(TournamentEventKind::Cancelled);
                events::tell(connection, row.id, &cancelled, now).await?;
            }
            TournamentStatus::Running => {
                leave(connection, row, player_id, now).await?;
                if organises {
                    // No season follows on one that runs.
                    let last = diesel::update(tournaments::table.find(row.id));
                    last.set(tournaments::seasons.eq(row.season)).execute(connection).await?;
                }
            }
            _ => {}
        }
    }
    let waiting = tournament_players::table
        .filter(tournament_players::player_id.eq(player_id))
        .filter(tournament_players::number.is_null());
    diesel::delete(waiting).execute(connection).await?;
    Ok(())
}

/// Cancels a tournament of this organiser that has not begun; of a league that has, the seasons that would follow.
///
/// # Errors
/// The database failed.
pub async fn cancel(
    database: &Database,
    id: Uuid,
    organiser_id: Uuid,
    now: OffsetDateTime,
) -> Result<Entry, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let cancelled = connection.transaction::<Entry, StoreError, _>(async |connection| {
        let Some(row) = lock(connection, id).await? else { return Ok(Entry::Unknown) };
        if row.organiser_id != organiser_id {
            return Ok(Entry::NotIn);
        }
        if row.status == TournamentStatus::Running && row.goes_on() {
            let last = tournaments::seasons.eq(row.season);
            diesel::update(tournaments::table.find(id)).set(last).execute(connection).await?;
            return Ok(Entry::Done);
        }
        if row.status != TournamentStatus::Open {
            return Ok(Entry::Closed);
        }
        end(connection, id, TournamentStatus::Cancelled, now).await?;
        let cancelled = NewTournamentEvent::plain(TournamentEventKind::Cancelled);
        events::tell(connection, id, &cancelled, now).await?;
        Ok(Entry::Done)
    });
    cancelled.await
}

/// Ends a tournament whose row is locked.
async fn end(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    status: TournamentStatus,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let ended = (
        tournaments::status.eq(status),
        tournaments::ended_at.eq(now),
        tournaments::due_at.eq(None::<OffsetDateTime>),
    );
    diesel::update(tournaments::table.find(id)).set(ended).execute(connection).await?;
    Ok(())
}
