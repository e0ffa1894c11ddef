//! Whose time runs: deadlines and reminders.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{game_states, notices};

/// What is due of games no later than what follows, found by the index that deadlines and reminders share …
const DUE_BY: &str = "deadline_at is not null and least(remind_at, deadline_at) <= ";

/// … and read in its order, as many as are wanted. The planner guesses that a third of all is due: with any further condition, or in
/// another order, it may well read the whole table.
const DUE_ORDER: &str = "least(remind_at, deadline_at)";

/// Games whose deadline is `now` or earlier, among the first `limit` of which something is due.
pub async fn past_deadline(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let due = game_states::table
        .filter(sql::<Nullable<Bool>>(DUE_BY).bind::<Timestamptz, _>(now))
        .order(sql::<Timestamptz>(DUE_ORDER))
        .limit(limit)
        .select((game_states::game_id, game_states::deadline_at))
        .load::<(Uuid, Option<OffsetDateTime>)>(&mut connection)
        .await?;
    let is_past = |deadline_at: Option<OffsetDateTime>| deadline_at.is_some_and(|at| at <= now);
    Ok(due.into_iter().filter(|(_, deadline_at)| is_past(*deadline_at)).map(|(game_id, _)| game_id).collect())
}

/// Queues a reminder for the turns that are due one, among the first `limit` games of which something is due, and takes the due date
/// away in the same transaction.
pub async fn remind(database: &Database, now: OffsetDateTime, limit: i64) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let reminded = connection.transaction::<usize, StoreError, _>(async |connection| {
        let due = game_states::table
            .filter(sql::<Nullable<Bool>>(DUE_BY).bind::<Timestamptz, _>(now))
            .order(sql::<Timestamptz>(DUE_ORDER))
            .limit(limit)
            .for_update()
            .skip_locked()
            .select((
                game_states::game_id,
                game_states::seq,
                game_states::to_act_player,
                game_states::remind_at,
            ))
            .load::<(Uuid, i64, Option<Uuid>, Option<OffsetDateTime>)>(connection)
            .await?;
        let is_due = |remind_at: Option<OffsetDateTime>| remind_at.is_some_and(|at| at <= now);
        let due: Vec<_> = due.into_iter().filter(|(.., remind_at)| is_due(*remind_at)).collect();
        if due.is_empty() {
            return Ok(0);
        }
        let ids: Vec<Uuid> = due.iter().map(|(game_id, ..)| *game_id).collect();
        diesel::update(game_states::table.filter(game_states::game_id.eq_any(ids)))
            .set(game_states::remind_at.eq(None::<OffsetDateTime>))
            .execute(connection)
            .await?;
        let row = |(game_id, seq, player_id, _): (Uuid, i64, Option<Uuid>, Option<OffsetDateTime>)| {
            Some((
                notices::id.eq(Uuid::now_v7()),
                notices::kind.eq("reminder"),
                notices::player_id.eq(player_id?),
                notices::game_id.eq(game_id),
                notices::seq.eq(seq),
                notices::created_at.eq(now),
                notices::state.eq("waiting"),
                notices::next_attempt_at.eq(now),
            ))
        };
        let rows: Vec<_> = due.into_iter().filter_map(row).collect();
        Ok(diesel::insert_into(notices::table).values(rows).execute(connection).await?)
    });
    reminded.await
}
