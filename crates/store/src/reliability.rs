//! How reliable players are: a row for each of a player's newest games that counts, and the figures that follow from them.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::players::handle_key;
use super::queue::{GameId, due_games};
use super::ratings::{self, NewRatedGame};
use super::schema::{player_outcomes, player_reliability, players};
use super::text_enum::text_enum;

text_enum! {
    "outcome of a game for a player",
    /// How a game went for a player.
    pub enum StoredOutcome {
        Finished = "finished",
        /// The player resigned while others played on.
        Left = "left",
        TimedOut = "timed_out",
        /// The player aborted the game.
        Aborted = "aborted",
    }
}

/// A game that counts for a player.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = player_outcomes)]
pub struct OutcomeRow {
    pub player_id: Uuid,
    pub game_id: Uuid,
    pub ended_at: OffsetDateTime,
    pub outcome: StoredOutcome,
    /// Ascending.
    pub answers_seconds: Vec<i32>,
}

/// The figures of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = player_reliability, treat_none_as_null = true)]
pub struct ReliabilityRow {
    pub games_finished: i32,
    pub games_left: i32,
    pub games_timed_out: i32,
    pub games_aborted: i32,
    pub answers: i32,
    pub median_seconds: Option<i32>,
    pub percentile_90_seconds: Option<i32>,
}

/// Finished public games that have not been counted and are not set aside at `$1`, at most `$2`, in the order in which they ended.
pub const UNCOUNTED: &str = due_games!(
    "id",
    "status = 'finished' and not private and not reliability_counted",
    "reliability",
    "finished_at"
);

/// When the first of them ended.
const FIRST_UNCOUNTED: &str = due_games!(
    "finished_at as at",
    "status = 'finished' and not private and not reliability_counted",
    "reliability",
    "finished_at"
);

#[derive(QueryableByName)]
struct EndedAt {
    #[diesel(sql_type = Timestamptz)]
    at: OffsetDateTime,
}

/// When the first game ended that is still to be counted.
///
/// # Errors
/// The database failed.
pub async fn first_uncounted(
    database: &Database,
    now: OffsetDateTime,
) -> Result<Option<OffsetDateTime>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let first = diesel::sql_query(FIRST_UNCOUNTED).bind::<Timestamptz, _>(now).bind::<BigInt, _>(1);
    let first: Option<EndedAt> = first.get_result(&mut connection).await.optional()?;
    Ok(first.map(|first| first.at))
}

/// The games that are to be counted.
///
/// # Errors
/// The database failed.
pub async fn uncounted(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let games = diesel::sql_query(UNCOUNTED).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(GameId::all(games.load(&mut connection).await?))
}

/// Counts a game once, however many processes try: writes `outcomes`, and the figures that `figures` makes of the games of each player;
/// it also cuts them to those that are kept; and what the game says for ratings. False if another process has counted it.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn count(
    database: &Database,
    game_id: Uuid,
    outcomes: Vec<OutcomeRow>,
    rated: Option<NewRatedGame>,
    figures: impl Fn(&mut Vec<OutcomeRow>) -> ReliabilityRow + Send + Sync,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_game(game_id).await?;
    let counted = connection.transaction::<bool, StoreError, _>(async |connection| {
        let mark = "update games set reliability_counted = true where id = $1 and not reliability_counted";
        if diesel::sql_query(mark).bind::<SqlUuid, _>(game_id).execute(connection).await? == 0 {
            return Ok(false);
        }
        if let Some(rated) = &rated {
            ratings::add(connection, rated).await?;
        }
        if outcomes.is_empty() {
            return Ok(true);
        }
        let mut player_ids: Vec<Uuid> = outcomes.iter().map(|row| row.player_id).collect();
        player_ids.sort_unstable();
        player_ids.dedup();
        lock(connection, &player_ids).await?;
        // Those of an earlier count, if the game is counted again.
        let before = player_outcomes::table.filter(player_outcomes::player_id.eq_any(&player_ids));
        diesel::delete(before.filter(player_outcomes::game_id.eq(game_id))).execute(connection).await?;
        diesel::insert_into(player_outcomes::table).values(&outcomes).execute(connection).await?;
        for player_id in player_ids {
            let rows = player_outcomes::table.filter(player_outcomes::player_id.eq(player_id));
            let mut rows: Vec<OutcomeRow> = rows.select(OutcomeRow::as_select()).load(connection).await?;
            let row = figures(&mut rows);
            diesel::update(player_reliability::table.find(player_id)).set(row).execute(connection).await?;
            let kept: Vec<Uuid> = rows.iter().map(|row| row.game_id).collect();
            let old = player_outcomes::table.filter(player_outcomes::player_id.eq(player_id));
            let old = old.filter(diesel::dsl::not(player_outcomes::game_id.eq_any(kept)));
            diesel::delete(old).execute(connection).await?;
        }
        Ok(true)
    });
    counted.await
}

/// Locks the figures of players, which are made if they are missing: what other games add to them is seen afterwards. `player_ids` are
/// ascending, so that no two processes wait for each other.
async fn lock(connection: &mut AsyncPgConnection, player_ids: &[Uuid]) -> QueryResult<()> {
    let make = "insert into player_reliability (player_id) select unnest($1) on conflict do nothing";
    diesel::sql_query(make).bind::<Array<SqlUuid>, _>(player_ids).execute(connection).await?;
    let lock =
        "select from player_reliability where player_id = any ($1) order by player_id for no key update";
    diesel::sql_query(lock).bind::<Array<SqlUuid>, _>(player_ids).execute(connection).await?;
    Ok(())
}

/// The figures of the players with these handles, in lower case, who have any.
///
/// # Errors
/// The database failed.
pub async fn of_handles(
    database: &Database,
    handles: &[String],
) -> Result<Vec<(String, ReliabilityRow)>, StoreError> {
    let figures = player_reliability::table
        .inner_join(players::table.on(players::id.eq(player_reliability::player_id)))
        .filter(handle_key().eq_any(handles))
        .select((players::handle, ReliabilityRow::as_select()));
    Ok(figures.load(&mut database.get().await?).await?)
}
