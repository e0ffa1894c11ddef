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

/// Something is due of a game no later than what follows: finds the few by the index that deadlines and reminders share.
const DUE_BY: &str = "deadline_at is not null and least(remind_at, deadline_at) <= ";

/// Games whose deadline is `now` or earlier, the earliest first.
pub async fn past_deadline(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get().await?;
    let due = game_states::table
        .filter(game_states::deadline_at.le(now))
        .filter(sql::<Nullable<Bool>>(DUE_BY).bind::<Timestamptz, _>(now))
        .order(game_states::deadline_at)
        .limit(limit)
        .select(game_states::game_id)
        .load(&mut connection)
        .await?;
    Ok(due)
}

/// Queues a reminder for the turns that are due one, and takes the due date away in the same transaction.
pub async fn remind(database: &Database, now: OffsetDateTime, limit: i64) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let reminded = connection.transaction::<usize, StoreError, _>(async |connection| {
        let due = game_states::table
            .filter(game_states::remind_at.le(now))
            .filter(sql::<Nullable<Bool>>(DUE_BY).bind::<Timestamptz, _>(now))
            .order(game_states::remind_at)
            .limit(limit)
            .for_update()
            .skip_locked()
            .select((game_states::game_id, game_states::seq, game_states::to_act_player))
            .load::<(Uuid, i64, Option<Uuid>)>(connection)
            .await?;
        let ids: Vec<Uuid> = due.iter().map(|(game_id, ..)| *game_id).collect();
        diesel::update(game_states::table.filter(game_states::game_id.eq_any(ids)))
            .set(game_states::remind_at.eq(None::<OffsetDateTime>))
            .execute(connection)
            .await?;
        let row = |(game_id, seq, player_id): (Uuid, i64, Option<Uuid>)| {
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
