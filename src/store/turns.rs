//! Finds games whose deadline or reminder is due.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::{Connection, Database};
use super::error::StoreError;
use super::schema::game_states;

/// Games whose deadline is past and that are not set aside: `$1` now, `$2` how many. The index that deadlines and reminders share
/// finds them in its order. The planner assumes that a third of all is due: with a further condition that it can estimate, or
/// another order, it may read the whole table. So the later conditions have a form that it cannot estimate.
pub const FLAGS_DUE: &str = "
select game_id from game_states s
where deadline_at is not null and least(remind_at, deadline_at) <= $1 and coalesce(deadline_at, 'infinity') <= $1
    and coalesce((select retry_at from set_aside_games f where f.task = 'flag' and f.game_id = s.game_id), '-infinity') <= $1
order by least(remind_at, deadline_at) limit $2";

/// Games in which a reminder is due, found in the same way.
pub const REMINDERS_DUE: &str = "
select game_id from game_states
where deadline_at is not null and least(remind_at, deadline_at) <= $1 and coalesce(remind_at, 'infinity') <= $1
order by least(remind_at, deadline_at) limit $2";

#[derive(QueryableByName)]
struct Due {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}

async fn due(
    connection: &mut Connection,
    statement: &str,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let due = diesel::sql_query(statement).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    let due: Vec<Due> = due.load(connection).await?;
    Ok(due.into_iter().map(|row| row.game_id).collect())
}

/// Games whose deadline is `now` or earlier and that are not set aside, longest overdue first.
pub async fn past_deadline(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    due(&mut database.get().await?, FLAGS_DUE, now, limit).await
}

/// Whether the game's deadline is `now` or earlier.
pub async fn is_past_deadline(
    database: &Database,
    game_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let state = game_states::table.find(game_id).filter(game_states::deadline_at.le(now));
    Ok(diesel::select(diesel::dsl::exists(state)).get_result(&mut connection).await?)
}

/// Games in which a reminder is due, longest overdue first.
pub async fn reminder_due(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    due(&mut database.get().await?, REMINDERS_DUE, now, limit).await
}
