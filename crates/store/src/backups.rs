//! What a backup says of the database that it was made of.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;

use super::database::Database;
use super::error::StoreError;

/// The state of a database.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct DatabaseState {
    /// What PostgreSQL names its cluster by, for good.
    #[diesel(sql_type = Text)]
    pub cluster: String,
    /// Begins anew with every restore.
    #[diesel(sql_type = Integer)]
    pub timeline: i32,
    #[diesel(sql_type = Text)]
    pub database: String,
    /// The role that owns the games.
    #[diesel(sql_type = Text)]
    pub role: String,
    #[diesel(sql_type = BigInt)]
    pub games: i64,
    /// When the newest event of a started game was written.
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub newest_move: Option<OffsetDateTime>,
    /// The newest sign of life of a worker.
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub beat_at: Option<OffsetDateTime>,
}

/// One row, so that all of it is of one moment.
const STATE: &str = "select (select system_identifier::text from pg_control_system()) as cluster, \
    (select timeline_id from pg_control_checkpoint()) as timeline, current_database()::text as database, \
    (select tableowner::text from pg_tables where schemaname = current_schema() and tablename = 'games') as role, \
    (select count(*) from games) as games, (select max(at) from game_states) as newest_move, \
    (select at from heartbeat) as beat_at";

/// Looks at the database.
///
/// # Errors
/// The database failed.
pub async fn state(database: &Database) -> Result<DatabaseState, StoreError> {
    Ok(diesel::sql_query(STATE).get_result(&mut database.get().await?).await?)
}

/// What PostgreSQL says of the slot by which a backup receives the log.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct Slot {
    /// Whether somebody receives at this moment.
    #[diesel(sql_type = diesel::sql_types::Bool)]
    pub active: bool,
    /// `lost` if what was not received is gone.
    #[diesel(sql_type = Text)]
    pub wal_status: String,
    /// How much the database keeps for it.
    #[diesel(sql_type = BigInt)]
    pub kept_bytes: i64,
}

/// The slot of that name; `None` if there is none.
///
/// # Errors
/// The database failed.
pub async fn slot(database: &Database, name: &str) -> Result<Option<Slot>, StoreError> {
    let slot = diesel::sql_query(
        "select active, coalesce(wal_status, '') as wal_status, \
         coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint as kept_bytes \
         from pg_replication_slots where slot_name = $1",
    );
    Ok(slot.bind::<Text, _>(name).get_result(&mut database.get().await?).await.optional()?)
}
