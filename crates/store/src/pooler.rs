//! Detects poolers in front of PostgreSQL: one in transaction mode must support prepared statements.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Integer};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};

use super::address::Address;
use super::database::open;
use super::error::StoreError;

/// Asks for the name of its own prepared statement in the database: `s` and a number as this program gave it, unless a pooler has
/// renamed it.
const QUESTION: &str = "select pg_backend_pid() as backend, exists (select from pg_prepared_statements \
    where statement like '%asks for its own name%' and name ~ '^s[0-9]+$') as keeps_its_name";

#[derive(QueryableByName)]
struct Seen {
    #[diesel(sql_type = Integer)]
    backend: i32,
    #[diesel(sql_type = Bool)]
    keeps_its_name: bool,
}

async fn look(connection: &mut AsyncPgConnection) -> Result<Seen, StoreError> {
    // In one transaction a pooler uses one server connection to prepare and to execute.
    let question = format!("{QUESTION} /* asks for its own name */");
    connection
        .transaction::<Seen, StoreError, _>(async |connection| {
            Ok(diesel::sql_query(question).get_result(connection).await?)
        })
        .await
}

/// Whether a pooler in transaction mode supports prepared statements. LISTEN cannot be used there: other clients would get the
/// notifications.
pub async fn lends_by_the_transaction(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    Ok(!look(connection).await?.keeps_its_name)
}

/// Refuses a pooler in transaction mode without support for prepared statements: a name could stand for another process's
/// statement.
///
/// # Errors
/// [`StoreError::Pooler`], or the database cannot be reached.
pub async fn refuse_one_that_mixes_statements(address: &Address) -> Result<(), StoreError> {
    if address.is_direct() {
        return Ok(());
    }
    let unreachable = |error: diesel::ConnectionError| StoreError::Unreachable(error.to_string());
    let mut one = open(address).await.map_err(unreachable)?;
    let before = look(&mut one).await?;
    if !before.keeps_its_name {
        return Ok(());
    }
    let mut other = open(address).await.map_err(unreachable)?;
    let beside = look(&mut other).await?.backend;
    let after = look(&mut one).await?.backend;
    // Two open transactions share no server connection, and one keeps its own.
    if before.backend == after && after != beside { Ok(()) } else { Err(StoreError::Pooler) }
}
