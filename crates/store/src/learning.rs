//! What is learned from games that are over: where they were lost, and problems. Each game is searched once.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date as SqlDate, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::Seq;
use super::queue::{GameId, due_games};
use super::schema::{problems, search_days, turning_points};

/// The action by which a seat lost a game.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = turning_points)]
pub struct TurningPointRow {
    pub game_id: Uuid,
    pub seat: i16,
    pub seq: Seq,
    /// What would have been better, in notation.
    pub better: String,
    /// In thousandths.
    pub chance_before: i16,
    pub chance_after: i16,
}

/// A position with one best action.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = problems)]
pub struct ProblemRow {
    pub id: Uuid,
    pub game_id: Uuid,
    /// The event after which the action was to be chosen.
    pub seq: Seq,
    pub seat: i16,
    pub rules: String,
    pub day: Date,
    /// What was played, in notation.
    pub played: String,
    /// All actions with their chances, the best first, as JSON.
    pub answers: String,
}

/// Finished games that have not been searched and are not set aside at `$1`, at most `$2`, the newest first.
pub const UNSEARCHED: &str =
    due_games!("id", "status = 'finished' and not searched", "search", "finished_at desc");

/// The games that are to be searched.
///
/// # Errors
/// The database failed.
pub async fn unsearched(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let games = diesel::sql_query(UNSEARCHED).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(GameId::all(games.load(&mut connection).await?))
}

/// How many games were searched on a day.
///
/// # Errors
/// The database failed.
pub async fn searched_on(database: &Database, day: Date) -> Result<i32, StoreError> {
    let games = search_days::table.find(day).select(search_days::games);
    let found: Option<i32> = games.first(&mut database.get().await?).await.optional()?;
    Ok(found.unwrap_or(0))
}

/// One game more was searched on this day.
const COUNT: &str = "
insert into search_days (day, games) values ($1, 1) on conflict (day) do update set games = search_days.games + 1";

/// Keeps what a search has found in a game, once, however many processes search it. False if another one has done so.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn keep(
    database: &Database,
    game_id: Uuid,
    day: Date,
    lost: Vec<TurningPointRow>,
    found: Vec<ProblemRow>,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_game(game_id).await?;
    let kept = connection.transaction::<bool, StoreError, _>(async |connection| {
        let mark = "update games set searched = true where id = $1 and not searched";
        if diesel::sql_query(mark).bind::<SqlUuid, _>(game_id).execute(connection).await? == 0 {
            return Ok(false);
        }
        diesel::sql_query(COUNT).bind::<SqlDate, _>(day).execute(connection).await?;
        if !lost.is_empty() {
            diesel::insert_into(turning_points::table).values(&lost).execute(connection).await?;
        }
        if !found.is_empty() {
            diesel::insert_into(problems::table).values(&found).execute(connection).await?;
        }
        Ok(true)
    });
    kept.await
}

/// Where the seats of a game lost it, by seat.
///
/// # Errors
/// The database failed.
pub async fn turning_points(database: &Database, game_id: Uuid) -> Result<Vec<TurningPointRow>, StoreError> {
    let of_game = turning_points::table.filter(turning_points::game_id.eq(game_id));
    let rows = of_game.order(turning_points::seat).select(TurningPointRow::as_select());
    Ok(rows.load(&mut database.get().await?).await?)
}

/// A problem.
///
/// # Errors
/// The database failed.
pub async fn problem(database: &Database, id: Uuid) -> Result<Option<ProblemRow>, StoreError> {
    let row = problems::table.find(id).select(ProblemRow::as_select());
    Ok(row.first(&mut database.get().await?).await.optional()?)
}

/// The newest problems, those of one rule set if it is given, that come after the problem `after` in this order.
///
/// # Errors
/// The database failed.
pub async fn problems(
    database: &Database,
    rules: Option<&str>,
    after: Option<&ProblemRow>,
    limit: i64,
) -> Result<Vec<ProblemRow>, StoreError> {
    let newest = problems::table.order((problems::day.desc(), problems::id.desc())).limit(limit);
    let mut rows = newest.into_boxed();
    if let Some(rules) = rules {
        rows = rows.filter(problems::rules.eq(rules.to_owned()));
    }
    if let Some(after) = after {
        let older = problems::day.lt(after.day);
        rows = rows.filter(older.or(problems::day.eq(after.day).and(problems::id.lt(after.id))));
    }
    Ok(rows.select(ProblemRow::as_select()).load(&mut database.get().await?).await?)
}

/// The first problem from `id` on that was found before `day`; after the last comes the first.
///
/// # Errors
/// The database failed.
pub async fn problem_from(
    database: &Database,
    id: Uuid,
    day: Date,
) -> Result<Option<ProblemRow>, StoreError> {
    let mut connection = database.get().await?;
    let first = |from: Uuid| {
        let known = problems::table.filter(problems::day.lt(day)).filter(problems::id.ge(from));
        known.order(problems::id).select(ProblemRow::as_select())
    };
    let found: Option<ProblemRow> = first(id).first(&mut connection).await.optional()?;
    match found {
        Some(found) => Ok(Some(found)),
        None => Ok(first(Uuid::nil()).first(&mut connection).await.optional()?),
    }
}

#[derive(QueryableByName)]
struct Strength {
    #[diesel(sql_type = Nullable<Text>)]
    bot_strength: Option<String>,
}

/// How strongly the house bot plays a game, as it was chosen.
///
/// # Errors
/// The database failed.
pub async fn bot_strength(database: &Database, game_id: Uuid) -> Result<Option<String>, StoreError> {
    let asked = diesel::sql_query("select bot_strength from games where id = $1").bind::<SqlUuid, _>(game_id);
    let found: Option<Strength> =
        asked.get_result(&mut database.get_for_game(game_id).await?).await.optional()?;
    Ok(found.and_then(|found| found.bot_strength))
}

/// Chooses how strongly the house bot plays a game.
///
/// # Errors
/// The database failed.
pub async fn choose_bot_strength(
    database: &Database,
    game_id: Uuid,
    strength: &'static str,
) -> Result<(), StoreError> {
    let chosen = diesel::sql_query("update games set bot_strength = $2 where id = $1");
    let chosen = chosen.bind::<SqlUuid, _>(game_id).bind::<Text, _>(strength);
    chosen.execute(&mut database.get_for_game(game_id).await?).await?;
    Ok(())
}
