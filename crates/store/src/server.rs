//! What the database belongs to: a server with a secret key, which is a sandbox or is none.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};

use super::address::Address;
use super::database::{self, Database};
use super::error::StoreError;
use super::pooler;
use super::schema::{players, server};

/// The server that a database belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Owner {
    /// Of the secret key.
    pub fingerprint: Vec<u8>,
    /// Whether it is a sandbox, in which nothing counts.
    pub sandbox: bool,
    /// By how many microseconds a sandbox's clock is ahead of the machine's.
    pub clock_ahead: i64,
}

/// The owner of this database, `ours` if it is new.
pub async fn belongs_to(database: &Database, ours: &[u8], sandbox: bool) -> Result<Owner, StoreError> {
    let mut connection = database.get_for_writing().await?;
    connection
        .transaction::<Owner, StoreError, _>(async |connection| {
            // Without this row a database may yet hold accounts of an older program: those are no sandbox's.
            let sandbox = sandbox && !has_players(connection).await?;
            diesel::insert_into(server::table)
                .values((server::secret_fingerprint.eq(ours), server::sandbox.eq(sandbox)))
                .on_conflict_do_nothing()
                .execute(connection)
                .await?;
            let owner =
                server::table.select((server::secret_fingerprint, server::sandbox, server::clock_ahead));
            Ok(owner.first(connection).await?)
        })
        .await
}

async fn has_players(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    Ok(diesel::select(diesel::dsl::exists(players::table.select(players::id))).get_result(connection).await?)
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Nullable<Bool>)]
    answer: Option<bool>,
}

/// Whether a database has tables of this program.
const HAS_TABLES: &str = "select to_regclass('server') is not null as answer";

/// Whether it is a sandbox's. Older programs have no such column, and a database that no server has used no such row.
const IS_SANDBOX: &str =
    "select (select coalesce((to_jsonb(s) ->> 'sandbox')::boolean, false) from server s) as answer";

/// Whether a database is a sandbox's; `None` if no server has used it. Asked before migrations, so that a refused database stays as
/// it is.
///
/// # Errors
/// The database cannot be reached.
pub async fn is_sandbox(address: &Address) -> Result<Option<bool>, StoreError> {
    pooler::refuse_one_that_mixes_statements(address).await?;
    let opened = database::open(address).await;
    let mut connection = opened.map_err(|error| StoreError::Unreachable(error.to_string()))?;
    let has_tables: Found = diesel::sql_query(HAS_TABLES).get_result(&mut connection).await?;
    if has_tables.answer != Some(true) {
        return Ok(None);
    }
    let found: Found = diesel::sql_query(IS_SANDBOX).get_result(&mut connection).await?;
    match found.answer {
        None if has_players(&mut connection).await? => Ok(Some(false)),
        known => Ok(known),
    }
}
