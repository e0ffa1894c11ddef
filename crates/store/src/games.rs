//! Rows of games: create and load them, find those that wait.

use std::collections::HashMap;
use std::ops::Deref;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::calendars::PlayerCalendars;
use super::database::{Connection, Database};
use super::error::StoreError;
use super::numbers::{BeaconRound, Edition, Seq};
use super::queue::due_games;
use super::schema::{game_players, game_states, games, players};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::text_enum::text_enum;
use super::usage::UsageLimits;

text_enum! {
    "status of a game",
    /// The status of a game.
    #[schema(as = Status)]
    pub enum GameStatus {
        /// It waits for players.
        Open = "open",
        /// It is full, and waits for a round of the public beacon.
        Starting = "starting",
        Running = "running",
        Finished = "finished",
        /// All players left before it started, or it has expired.
        Cancelled = "cancelled",
    }
}

text_enum! {
    "seating of a game",
    /// How players get their seats.
    pub enum StoredSeating {
        /// The start draws them.
        Random = "random",
        /// In joining order.
        Joined = "joined",
    }
}

/// A row of `games`.
#[allow(clippy::struct_excessive_bools, reason = "the columns of a row")]
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = games)]
pub struct GameRow {
    pub id: Uuid,
    pub rules: String,
    pub rules_version: i32,
    pub options: String,
    pub seating: StoredSeating,
    pub seats: i16,
    pub private: bool,
    pub limit_hours: Option<i32>,
    /// As JSON; `None` in a game from before there were other controls than a limit.
    pub time_control: Option<String>,
    /// What bears on the clock and does not change with moves, as JSON.
    pub clock: Option<String>,
    pub commitment: Vec<u8>,
    pub master_sealed: Vec<u8>,
    pub creator_id: Uuid,
    pub status: GameStatus,
    pub created_at: OffsetDateTime,
    pub started_at: Option<OffsetDateTime>,
    pub finished_at: Option<OffsetDateTime>,
    pub header: Option<String>,
    /// The round of the public beacon in its chance, fixed when the last player joined.
    pub beacon_round: Option<BeaconRound>,
    /// Whether a player chose the master; in a sandbox only.
    pub chosen_seed: bool,
    /// The newest outage that its clock has been given back.
    pub outage: i64,
    /// When it expires while it waits for players; `None`: never.
    pub expires_at: Option<OffsetDateTime>,
    /// Until when a full game waits for its round of the public beacon, in place of `expires_at`.
    pub awaits_until: Option<OffsetDateTime>,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    /// Whether a seat is offered to a substitute.
    pub seats_offered: bool,
    /// How it ended, as JSON.
    pub result: Option<String>,
    /// The title that its creator has given it.
    pub title: Option<String>,
    /// From when on another game of the same kind is opened for its creator, once it is finished; `None`: none is.
    pub renews_at: Option<OffsetDateTime>,
}

/// When a game that has not started by then is cancelled; `None` once it has started.
#[must_use]
pub fn expiry_of(
    status: GameStatus,
    expires_at: Option<OffsetDateTime>,
    awaits_until: Option<OffsetDateTime>,
) -> Option<OffsetDateTime> {
    match status {
        GameStatus::Open | GameStatus::Starting | GameStatus::Cancelled => awaits_until.or(expires_at),
        GameStatus::Running | GameStatus::Finished => None,
    }
}

/// The columns of `game_states` that a move sets: the state of a game after its last event.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = game_states, treat_none_as_null = true)]
pub struct NewState {
    pub seq: Seq,
    pub head: Vec<u8>,
    pub at: OffsetDateTime,
    pub snapshot: String,
    pub to_act_seat: Option<i16>,
    pub to_act_player: Option<Uuid>,
    pub turn_since: Option<OffsetDateTime>,
    pub deadline_at: Option<OffsetDateTime>,
    pub remind_at: Option<OffsetDateTime>,
    /// The running clock as JSON; `None` if it follows from `turn_since` and the limit.
    pub clock: Option<String>,
}

/// A row of `game_states`.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = game_states)]
pub struct StateRow {
    pub game_id: Uuid,
    #[diesel(embed)]
    pub state: NewState,
    /// Rises when the row changes without an event.
    pub edition: Edition,
}

impl Deref for StateRow {
    type Target = NewState;

    fn deref(&self) -> &NewState {
        &self.state
    }
}

/// A player of a game, with the current handle.
#[derive(Clone, Debug, Queryable)]
pub struct MemberRow {
    pub game_id: Uuid,
    pub player_id: Uuid,
    pub handle: String,
    pub joined: i16,
    pub entropy: String,
    pub seat: Option<i16>,
    /// Whether a program plays on the account.
    pub bot: bool,
    /// The player who was in the seat before this one took it.
    pub substitute_for: Option<Uuid>,
    /// The player's own number of the game; `None` before it has joined.
    pub number: Option<i32>,
}

/// A game with all its rows except events.
#[derive(Clone, Debug)]
pub struct WholeGame {
    pub game: GameRow,
    /// Present once it has started.
    pub state: Option<StateRow>,
    /// In joining order.
    pub members: Vec<MemberRow>,
    /// What they bring along; loaded before the start only.
    pub brought: PlayerCalendars,
}

/// Loads a game with its state and members in one round trip of two pipelined statements.
pub async fn load(database: &Database, game_id: Uuid) -> Result<Option<WholeGame>, StoreError> {
    let connection = database.get_for_game(game_id).await?;
    let (mut first, mut second) = (&*connection, &*connection);
    let row = games::table
        .left_join(game_states::table.on(game_states::game_id.eq(games::id)))
        .filter(games::id.eq(game_id))
        .select((GameRow::as_select(), Option::<StateRow>::as_select()))
        .first::<(GameRow, Option<StateRow>)>(&mut first);
    let members = members_query().filter(game_players::game_id.eq(game_id)).load::<MemberRow>(&mut second);
    let (row, members) = futures_util::future::join(row, members).await;
    let Some((game, state)) = row.optional()? else { return Ok(None) };
    Ok(Some(WholeGame { game, state, members: members?, brought: PlayerCalendars::default() }))
}

/// Loads several games as [`load`] does, in no particular order; those that are gone are left out.
pub async fn load_all(database: &Database, ids: &[Uuid]) -> Result<Vec<WholeGame>, StoreError> {
    let mut connection = database.get().await?;
    let rows = games::table
        .left_join(game_states::table.on(game_states::game_id.eq(games::id)))
        .filter(games::id.eq_any(ids))
        .select((GameRow::as_select(), Option::<StateRow>::as_select()))
        .load::<(GameRow, Option<StateRow>)>(&mut connection)
        .await?;
    let mut members: HashMap<Uuid, Vec<MemberRow>> = HashMap::new();
    for member in members_of(&mut connection, ids).await? {
        members.entry(member.game_id).or_default().push(member);
    }
    let whole = |(game, state): (GameRow, Option<StateRow>)| {
        let members = members.remove(&game.id).unwrap_or_default();
        WholeGame { game, state, members, brought: PlayerCalendars::default() }
    };
    Ok(rows.into_iter().map(whole).collect())
}

/// The members of several games, in joining order.
pub async fn members_of(connection: &mut Connection, ids: &[Uuid]) -> Result<Vec<MemberRow>, StoreError> {
    Ok(members_query().filter(game_players::game_id.eq_any(ids)).load(connection).await?)
}

/// Whether a player is in a game.
///
/// # Errors
/// The database failed.
pub async fn has_member(database: &Database, game_id: Uuid, player_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let member = game_players::table.find((game_id, player_id));
    Ok(diesel::select(diesel::dsl::exists(member)).get_result(&mut connection).await?)
}

#[diesel::dsl::auto_type]
pub fn members_query() -> _ {
    game_players::table
        .inner_join(players::table.on(players::id.eq(game_players::player_id)))
        .order((game_players::game_id, game_players::joined))
        .select((
            game_players::game_id,
            game_players::player_id,
            players::handle,
            game_players::joined,
            game_players::entropy,
            game_players::seat,
            players::bot,
            game_players::substitute_for,
            game_players::number,
        ))
}

/// What changes with every write of a game's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionStamp {
    /// The number of the newest event.
    pub seq: Seq,
    /// Rises when the state changes without an event.
    pub edition: Edition,
}

/// The version stamp of each of these games that has started, in no particular order.
///
/// # Errors
/// The database failed.
pub async fn version_stamps(
    connection: &mut Connection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, VersionStamp)>, StoreError> {
    let states = game_states::table.filter(game_states::game_id.eq_any(ids));
    let stamps = states.select((game_states::game_id, game_states::seq, game_states::edition));
    let stamps: Vec<(Uuid, i64, Edition)> = stamps.load(connection).await?;
    // An unreadable number must not fail the question of the other games; that game is refused when it is loaded.
    let readable =
        |(game_id, seq, edition)| Some((game_id, VersionStamp { seq: Seq::from_row(seq)?, edition }));
    Ok(stamps.into_iter().filter_map(readable).collect())
}

/// Writes a new game with its creator as the first player; false if `most` games of that creator have not started yet.
///
/// # Errors
/// [`StoreError::UsedUp`] beyond the creator's limits, or the database failed.
pub async fn create(
    database: &Database,
    game: &GameRow,
    most: i64,
    limits: &UsageLimits,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<bool>, StoreError> {
    let mut connection = database.get_for_writing_to_all_nodes().await?;
    let inserted = connection.transaction::<Once<bool>, StoreError, _>(async |connection| {
        limits.lock(connection).await?;
        // The lock on the player's row serialises the count.
        let creator = players::table.find(game.creator_id).select(players::id).for_no_key_update();
        creator.first::<Uuid>(connection).await?;
        if let Some(before) = stored_responses::take(connection, stored, game.created_at).await? {
            return Ok(Once::Before(before));
        }
        limits.check(connection).await?;
        if count_open(connection, game.creator_id).await? >= most {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(false));
        }
        insert(connection, game).await?;
        Ok(Once::Now(true))
    });
    inserted.await
}

/// How many games of a creator wait for players.
pub(crate) async fn count_open(connection: &mut AsyncPgConnection, creator_id: Uuid) -> QueryResult<i64> {
    let open = games::table.filter(games::creator_id.eq(creator_id));
    open.filter(games::status.eq(GameStatus::Open)).count().get_result(connection).await
}

/// Writes a new game with its creator as the first player.
pub(crate) async fn insert(connection: &mut AsyncPgConnection, game: &GameRow) -> QueryResult<()> {
    diesel::insert_into(games::table).values(game).execute(connection).await?;
    insert_member(connection, game.id, game.creator_id, 0, "").await
}

/// Takes a game out of the list of those with seats to take over.
///
/// # Errors
/// The database failed.
pub async fn offer_no_seat(database: &Database, game_id: Uuid) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let game = games::table.find(game_id).filter(games::seats_offered);
    diesel::update(game).set(games::seats_offered.eq(false)).execute(&mut connection).await?;
    Ok(())
}

/// The number that a player's next game gets. The caller holds the lock of the player's row.
pub(crate) async fn next_number(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<i32> {
    let numbers = game_players::table.filter(game_players::player_id.eq(player_id));
    let last: Option<i32> = numbers.select(diesel::dsl::max(game_players::number)).first(connection).await?;
    Ok(last.map_or(1, |last| last.saturating_add(1)))
}

/// A player's own number of a game.
///
/// # Errors
/// The database failed.
pub async fn number_of(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
) -> Result<Option<i32>, StoreError> {
    let mut connection = database.get().await?;
    let member = game_players::table.find((game_id, player_id)).select(game_players::number);
    Ok(member.first::<Option<i32>>(&mut connection).await.optional()?.flatten())
}

/// The status of a game.
///
/// # Errors
/// The database failed.
pub async fn status(database: &Database, game_id: Uuid) -> Result<Option<GameStatus>, StoreError> {
    let mut connection = database.get().await?;
    let status = games::table.find(game_id).select(games::status);
    Ok(status.first(&mut connection).await.optional()?)
}

/// The games of a player that have these numbers, each with its number.
///
/// # Errors
/// The database failed.
pub async fn numbered(
    database: &Database,
    player_id: Uuid,
    numbers: &[i32],
) -> Result<Vec<(i32, Uuid)>, StoreError> {
    let mut connection = database.get().await?;
    let games = game_players::table
        .filter(game_players::player_id.eq(player_id))
        .filter(game_players::number.eq_any(numbers))
        .select((game_players::number.assume_not_null(), game_players::game_id));
    Ok(games.load(&mut connection).await?)
}

/// Adds a player to a game at this place of the joining order.
pub async fn insert_member(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    player_id: Uuid,
    joined: i16,
    entropy: &str,
) -> QueryResult<()> {
    let number = next_number(connection, player_id).await?;
    let member = (
        game_players::number.eq(number),
        game_players::game_id.eq(game_id),
        game_players::player_id.eq(player_id),
        game_players::joined.eq(joined),
        game_players::entropy.eq(entropy),
    );
    diesel::insert_into(game_players::table).values(member).execute(connection).await?;
    Ok(())
}

/// Full games that wait for a round of the public beacon after `$3` and not after `$4`, and that are not set aside at `$1`, at most `$2`;
/// the earliest round first.
pub const AWAITING_ROUND: &str = due_games!(
    "id, beacon_round",
    "status = 'starting' and beacon_round > $3 and beacon_round <= $4",
    "start",
    "beacon_round"
);

#[derive(QueryableByName)]
struct Awaiting {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = BigInt)]
    beacon_round: BeaconRound,
}

/// Full games that wait for a round of the public beacon after `after` and not after `newest`, and that are not set aside; the
/// earliest round first. Without `after` they begin with the first round, without `newest` they go to the last.
pub async fn awaiting_round(
    database: &Database,
    after: Option<BeaconRound>,
    newest: Option<BeaconRound>,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<(Uuid, BeaconRound)>, StoreError> {
    let mut connection = database.get().await?;
    let waiting = diesel::sql_query(AWAITING_ROUND)
        .bind::<Timestamptz, _>(now)
        .bind::<BigInt, _>(limit)
        .bind::<BigInt, _>(after.map_or(-1, BeaconRound::bound))
        .bind::<BigInt, _>(newest.map_or(i64::MAX, BeaconRound::bound));
    let waiting: Vec<Awaiting> = waiting.load(&mut connection).await?;
    Ok(waiting.into_iter().map(|row| (row.id, row.beacon_round)).collect())
}
