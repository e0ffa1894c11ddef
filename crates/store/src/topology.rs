//! Whether the tables lie in one PostgreSQL or are distributed by game with Citus.

use diesel::QueryableByName;
use diesel::sql_types::Bool;
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::StoreError;

/// Where the tables lie. Read from the database at the start, and handed down with [`Database`](super::Database).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// All in one PostgreSQL.
    #[default]
    Plain,
    /// The tables of games are distributed by game; the program speaks to the coordinator.
    Citus,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

async fn is_found(connection: &mut AsyncPgConnection, statement: &str) -> diesel::QueryResult<bool> {
    let found: Found = diesel::sql_query(statement).get_result(connection).await?;
    Ok(found.found)
}

/// Refuses a worker of a cluster: it has no tables but those of games, so a migration would begin with the first.
///
/// # Errors
/// It is one, or the database failed.
pub(super) async fn refuse_worker(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
    let known = "select to_regclass('pg_catalog.pg_dist_local_group') is not null as found";
    let worker = "select exists (select from pg_dist_local_group where groupid <> 0) as found";
    if is_found(connection, known).await? && is_found(connection, worker).await? {
        return Err(StoreError::Worker);
    }
    Ok(())
}

impl Topology {
    /// The topology of a connection's database.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(connection: &mut AsyncPgConnection) -> diesel::QueryResult<Self> {
        // Two statements, because a database without Citus cannot plan the second.
        let known = "select to_regclass('pg_catalog.pg_dist_partition') is not null as found";
        let distributed = "select exists (select from pg_dist_partition where logicalrelid = to_regclass('games')) as found";
        for statement in [known, distributed] {
            if !is_found(connection, statement).await? {
                return Ok(Self::Plain);
            }
        }
        Ok(Self::Citus)
    }

    /// What is done on a plain database, or what on a cluster.
    #[must_use]
    pub fn pick<T>(self, plain: T, on_citus: T) -> T {
        match self {
            Self::Plain => plain,
            Self::Citus => on_citus,
        }
    }

    /// Whether the tables are distributed.
    #[must_use]
    pub fn is_citus(self) -> bool {
        self == Self::Citus
    }
}
