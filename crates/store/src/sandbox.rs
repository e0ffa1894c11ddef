//! What only a sandbox asks: how far its clock has been moved, and what is due.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;

use super::database::Database;
use super::error::StoreError;
use super::schema::server;

/// By how many microseconds the clock is ahead of the machine's.
///
/// # Errors
/// The database failed.
pub async fn clock_ahead(database: &Database) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    Ok(server::table.select(server::clock_ahead).first(&mut connection).await?)
}

/// Moves the clock, which never goes back; returns how far ahead it is then.
///
/// # Errors
/// The database failed.
pub async fn move_clock(database: &Database, ahead: i64) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    diesel::update(server::table.filter(server::clock_ahead.lt(ahead)))
        .set(server::clock_ahead.eq(ahead))
        .execute(&mut connection)
        .await?;
    Ok(server::table.select(server::clock_ahead).first(&mut connection).await?)
}

/// The times at which something becomes due: flags, times to look for a reminder, digests, mails and webhooks that wait, games that
/// expire, or are followed by others; starts of games excepted, which wait for no time in a sandbox. What was set aside after failures has no time of its own.
const TIMES: &str = "
    select deadline_at as at from game_states where deadline_at is not null
    union all select remind_at from game_states where deadline_at is not null and remind_at is not null
    union all select digest_at from player_preferences where digest_at is not null
    union all select next_attempt_at from notices where state = 'waiting'
    union all select next_attempt_at from push_messages
    union all select look_at from webhooks where state = 'active' and failing_since is not null
    union all select coalesce(awaits_until, expires_at) from games where status in ('open', 'starting') and expires_at is not null
    union all select renews_at from games where status = 'finished' and renews_at is not null";

#[derive(QueryableByName)]
struct Next {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    at: Option<OffsetDateTime>,
}

/// The first time after `after`, and not after `until`, at which something becomes due.
///
/// # Errors
/// The database failed.
pub async fn next_due(
    database: &Database,
    after: OffsetDateTime,
    until: OffsetDateTime,
) -> Result<Option<OffsetDateTime>, StoreError> {
    let mut connection = database.get().await?;
    let next = format!("select min(at) as at from ({TIMES}) due where at > $1 and at <= $2");
    let next = diesel::sql_query(next).bind::<Timestamptz, _>(after).bind::<Timestamptz, _>(until);
    Ok(next.get_result::<Next>(&mut connection).await?.at)
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// How much is due at `now`.
///
/// # Errors
/// The database failed.
pub async fn count_due(database: &Database, now: OffsetDateTime) -> Result<u64, StoreError> {
    let mut connection = database.get().await?;
    let count = format!("select count(*) as count from ({TIMES}) due where at <= $1");
    let count = diesel::sql_query(count).bind::<Timestamptz, _>(now);
    let Count { count } = count.get_result(&mut connection).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}
