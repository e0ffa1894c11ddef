//! Games that a worker has set aside: their tasks are retried at growing intervals, and the others in the queue come first.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::queue::BackOff;
use super::text_enum::text_enum;

/// The delays after the first failure, the second, and so on; the last one repeats.
pub const DELAYS: [Duration; 6] = [
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(30),
    Duration::hours(2),
    Duration::hours(6),
    Duration::hours(24),
];

/// The longest reason that is kept, in characters.
pub const MAX_REASON_LENGTH: usize = 500;

/// Rows whose next attempt is so long overdue belong to games with nothing left to do.
pub const ROW_LIFETIME: Duration = Duration::days(2);

/// The most listed rows.
const MAX_LISTED: i64 = 1000;

text_enum! {
    "task of a worker",
    /// A worker's task about single games.
    pub enum Task {
        /// End the turn of a seat whose time is up.
        Flag = "flag",
        /// Start a full game whose round of the public beacon is available.
        Start = "start",
        /// Take a change of a player's calendar into a game's clock.
        Clock = "clock",
        /// Count a finished game in the reliability of its players.
        Reliability = "reliability",
        /// Move a finished game into the archive.
        Archive = "archive",
        /// Search a finished game for where it was lost, and for problems.
        Search = "search",
    }
}

/// A game that is set aside.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct SetAside {
    #[diesel(sql_type = Text)]
    pub task: Task,
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = Integer)]
    pub failures: i32,
    #[diesel(sql_type = Text)]
    pub reason: String,
    #[diesel(sql_type = Timestamptz)]
    pub first_failed_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    pub retry_at: OffsetDateTime,
}

/// Not calculated by the statement, because the planner of a cluster does not bear that.
const NOTE: &str = "
insert into set_aside_games as f (task, game_id, failures, reason, first_failed_at, retry_at)
values ($1, $2, 1, $3, $4, $5)
on conflict (task, game_id) do update set failures = f.failures + 1, reason = excluded.reason, retry_at = excluded.retry_at
returning task, game_id, failures, reason, first_failed_at, retry_at";

#[derive(QueryableByName)]
struct Failures {
    #[diesel(sql_type = Integer)]
    failures: i32,
}

/// Sets a game aside because `task` failed at `now`. If the game may not be the cause, the delay does not grow. Of two workers that note it
/// at once, both may take the shorter delay.
pub async fn note(
    database: &Database,
    task: Task,
    game_id: Uuid,
    reason: &str,
    sure: bool,
    now: OffsetDateTime,
) -> Result<SetAside, StoreError> {
    let mut connection = database.get().await?;
    let reason: String =
        reason.chars().filter(|character| *character != '\0').take(MAX_REASON_LENGTH).collect();
    let before = diesel::sql_query("select failures from set_aside_games where task = $1 and game_id = $2");
    let before = before.bind::<Text, _>(task).bind::<SqlUuid, _>(game_id);
    let before: Option<Failures> = before.get_result(&mut connection).await.optional()?;
    let failures = before.filter(|_| sure).map_or(1, |before| before.failures.saturating_add(1));
    let retry_at = BackOff::endless(&DELAYS).retry_at(failures, now, now).unwrap_or(now);
    let note = diesel::sql_query(NOTE).bind::<Text, _>(task).bind::<SqlUuid, _>(game_id);
    let note = note.bind::<Text, _>(reason).bind::<Timestamptz, _>(now).bind::<Timestamptz, _>(retry_at);
    Ok(note.get_result(&mut connection).await?)
}

/// The task succeeded, so the game is not set aside any more. True if it was.
pub async fn clear(database: &Database, task: Task, game_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let clear = diesel::sql_query("delete from set_aside_games where task = $1 and game_id = $2");
    let clear = clear.bind::<Text, _>(task).bind::<SqlUuid, _>(game_id);
    Ok(clear.execute(&mut connection).await? > 0)
}

/// The same for several games.
pub async fn clear_all(database: &Database, task: Task, game_ids: &[Uuid]) -> Result<usize, StoreError> {
    if game_ids.is_empty() {
        return Ok(0);
    }
    let mut connection = database.get().await?;
    let clear = diesel::sql_query("delete from set_aside_games where task = $1 and game_id = any ($2)");
    Ok(clear.bind::<Text, _>(task).bind::<Array<SqlUuid>, _>(game_ids).execute(&mut connection).await?)
}

/// The games whose last attempt failed, at most a thousand; only `game_id` if given.
pub async fn list(database: &Database, game_id: Option<Uuid>) -> Result<Vec<SetAside>, StoreError> {
    let mut connection = database.get().await?;
    let list = diesel::sql_query(
        "select task, game_id, failures, reason, first_failed_at, retry_at from set_aside_games \
         where game_id = coalesce($1, game_id) order by task, game_id limit $2",
    );
    let list = list.bind::<diesel::sql_types::Nullable<SqlUuid>, _>(game_id).bind::<BigInt, _>(MAX_LISTED);
    Ok(list.load(&mut connection).await?)
}

/// The number of games set aside for a task.
#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = Text)]
    task: Task,
    #[diesel(sql_type = BigInt)]
    games: i64,
}

/// The number of set-aside games for each task. Deletes rows of games with nothing left to do.
pub async fn count(database: &Database, now: OffsetDateTime) -> Result<Vec<(Task, i64)>, StoreError> {
    let mut connection = database.get().await?;
    let stale = diesel::sql_query("delete from set_aside_games where retry_at < $1");
    stale.bind::<Timestamptz, _>(now - ROW_LIFETIME).execute(&mut connection).await?;
    let count = "select task, count(*) as games from set_aside_games group by task";
    let counted: Vec<Count> = diesel::sql_query(count).load(&mut connection).await?;
    let games = |task: Task| counted.iter().find(|row| row.task == task).map_or(0, |row| row.games);
    Ok(Task::ALL.iter().map(|task| (*task, games(*task))).collect())
}
