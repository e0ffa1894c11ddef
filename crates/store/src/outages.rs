//! The heartbeat of workers, and the outages that follow from it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::queue::{GameId, due_games};

/// A time in which no worker worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct Outage {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = Timestamptz)]
    pub from_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    pub until_at: OffsetDateTime,
}

/// A heartbeat at `$1`: an outage if the last one was before `$2`. Of several workers, one finds it. The last heartbeat is read before it is
/// written, because the answer counts what was missed.
const HEARTBEAT: &str = "
with before as (select at from heartbeat for update
), missed as (
    insert into outages (from_at, until_at) select at, $1 from before where at < $2 returning id
), beaten as (
    insert into heartbeat as h (at) values ($1) on conflict (only_row) do update set at = greatest(h.at, excluded.at)
)
select count(*) as found from missed";

#[derive(QueryableByName)]
struct Newest {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Says that a worker works at `now`; returns the newest outage, 0 if there never was one. There was one just before if the last
/// heartbeat is older than `longest`.
///
/// # Errors
/// The database failed.
pub async fn beat(
    database: &Database,
    now: OffsetDateTime,
    longest: time::Duration,
) -> Result<i64, StoreError> {
    {
        let mut connection = database.get().await?;
        let beat = diesel::sql_query(HEARTBEAT).bind::<Timestamptz, _>(now);
        beat.bind::<Timestamptz, _>(now - longest).execute(&mut connection).await?;
    }
    // A statement of its own: one that waited for another worker's heartbeat does not see the outage that this one wrote.
    newest(database).await
}

/// What the workers have said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct Work {
    /// The newest outage; 0 if there never was one.
    #[diesel(sql_type = BigInt)]
    pub newest: i64,
    /// The last heartbeat; `None` if no worker ever worked.
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub beat_at: Option<OffsetDateTime>,
}

/// The last heartbeat and the newest outage. A heartbeat and the outage that it found are written at once, so who sees one sees the other.
///
/// # Errors
/// The database failed.
pub async fn work(database: &Database) -> Result<Work, StoreError> {
    let work = diesel::sql_query(
        "select coalesce((select max(id) from outages), 0) as newest, (select at from heartbeat) as beat_at",
    );
    Ok(work.get_result(&mut database.get().await?).await?)
}

/// The newest outage; 0 if there never was one.
///
/// # Errors
/// The database failed.
pub async fn newest(database: &Database) -> Result<i64, StoreError> {
    let mut connection = database.get().await?;
    let newest = diesel::sql_query("select coalesce(max(id), 0) as id from outages");
    Ok(newest.get_result::<Newest>(&mut connection).await?.id)
}

/// The outages after `after`, in order, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn after(database: &Database, after: i64, limit: i64) -> Result<Vec<Outage>, StoreError> {
    let mut connection = database.get().await?;
    let outages =
        diesel::sql_query("select id, from_at, until_at from outages where id > $1 order by id limit $2");
    Ok(outages.bind::<BigInt, _>(after).bind::<BigInt, _>(limit).load(&mut connection).await?)
}

/// Running games that have not been given back an outage up to `$3`, and are not set aside at `$1`; at most `$2`.
pub const GAMES_BEFORE: &str = due_games!("id", "status = 'running' and outage < $3", "clock", "outage");

/// Running games that have not been given back all outages up to `newest`, and are not set aside at `now`.
///
/// # Errors
/// The database failed.
pub async fn games_before(
    database: &Database,
    newest: i64,
    limit: i64,
    now: OffsetDateTime,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let games = diesel::sql_query(GAMES_BEFORE).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(GameId::all(games.bind::<BigInt, _>(newest).load(&mut connection).await?))
}
