//! Poolers between us and PostgreSQL: those that lend connections by the transaction must carry prepared statements along.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Integer};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};

use super::address::Address;
use super::database::open;
use super::error::StoreError;

/// Asks for the name that its own prepared statement has in the database: `s` and a number, as we gave it, unless a pooler has given
/// it one of its own to find it again.
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
    // In one transaction even a pooler lets one connection of the database prepare the question and answer it.
    let question = format!("{QUESTION} /* asks for its own name */");
    connection
        .transaction::<Seen, StoreError, _>(async |connection| {
            Ok(diesel::sql_query(question).get_result(connection).await?)
        })
        .await
}

/// Whether a pooler lends the database's connections by the transaction, and carries prepared statements along: what a connection
/// listens to would be told to others.
pub async fn lends_by_the_transaction(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    Ok(!look(connection).await?.keeps_its_name)
}

/// Refuses a pooler that lends connections by the transaction and leaves prepared statements where they were made: a name could stand
/// for another process's statement there, and the wrong one would be run.
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
    // Two that are open at once share none, and one keeps its own.
    if before.backend == after && after != beside { Ok(()) } else { Err(StoreError::Pooler) }
}
