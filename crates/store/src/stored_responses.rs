//! Responses stored for repeated requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::idempotency_keys;
use super::{Topology, citus};

/// What is stored for a repeated request.
#[derive(Clone, Debug)]
pub struct NewStoredResponse {
    pub player_id: Uuid,
    pub key: String,
    pub fingerprint: Vec<u8>,
    pub response: String,
}

/// The key of a request that may be repeated, and a digest of what it asks for.
#[derive(Clone, Debug)]
pub struct RequestKey {
    pub key: String,
    pub fingerprint: Vec<u8>,
    pub repeated: Repeated,
}

/// Whether a request was answered with a stored response: known to all that hold the same one.
#[derive(Clone, Debug, Default)]
pub struct Repeated(Arc<AtomicBool>);

impl Repeated {
    /// Notes that a stored response is the answer.
    pub fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_noted(&self) -> bool {
        AtomicBool::load(&self.0, Ordering::Relaxed)
    }
}

impl RequestKey {
    /// What is stored for the request of a player.
    #[must_use]
    pub fn with_response(&self, player_id: Uuid, response: String) -> NewStoredResponse {
        NewStoredResponse {
            player_id,
            key: self.key.clone(),
            fingerprint: self.fingerprint.clone(),
            response,
        }
    }
}

/// What a request that may be repeated has done.
#[derive(Debug)]
pub enum Once<T> {
    /// It came for the first time, or without a key.
    Now(T),
    /// Its key was used before.
    Before(StoredResponseRow),
}

/// The key was used for another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyReused;

impl StoredResponseRow {
    /// The response, if it was that of this request.
    pub fn of(self, request: &RequestKey) -> Result<String, KeyReused> {
        if self.fingerprint != request.fingerprint {
            return Err(KeyReused);
        }
        request.repeated.note();
        Ok(self.response)
    }
}

/// A stored response and the fingerprint of its request.
#[derive(Clone, Debug, Queryable)]
pub struct StoredResponseRow {
    pub fingerprint: Vec<u8>,
    pub response: String,
}

/// The response stored under the player's key.
pub async fn find(
    database: &Database,
    player_id: Uuid,
    key: &str,
) -> Result<Option<StoredResponseRow>, StoreError> {
    let mut connection = database.get().await?;
    let row = idempotency_keys::table
        .find((player_id, key))
        .select((idempotency_keys::fingerprint, idempotency_keys::answer))
        .first(&mut connection)
        .await;
    Ok(row.optional()?)
}

/// The response stored under the player's key for a move in a game. On a distributed database keys of moves lie with their game, so the
/// same key may be used in another game, and for a request that is no move.
pub async fn find_of_move(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    key: &str,
) -> Result<Option<StoredResponseRow>, StoreError> {
    match database.topology() {
        Topology::Plain => find(database, player_id, key).await,
        Topology::Citus => citus::keys::find(database, game_id, player_id, key).await,
    }
}

/// Stores a response inside the transaction that does what it reports; the row that is stored already, if there is one. A request
/// with the same key waits here until that transaction has ended.
pub(super) async fn take(
    connection: &mut AsyncPgConnection,
    new: Option<&NewStoredResponse>,
    now: OffsetDateTime,
) -> QueryResult<Option<StoredResponseRow>> {
    let Some(new) = new else { return Ok(None) };
    let values = (
        idempotency_keys::player_id.eq(new.player_id),
        idempotency_keys::key.eq(&new.key),
        idempotency_keys::fingerprint.eq(&new.fingerprint),
        idempotency_keys::answer.eq(&new.response),
        idempotency_keys::created_at.eq(now),
    );
    let inserted = diesel::insert_into(idempotency_keys::table)
        .values(values)
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    if inserted > 0 {
        return Ok(None);
    }
    let row = idempotency_keys::table
        .find((new.player_id, &new.key))
        .select((idempotency_keys::fingerprint, idempotency_keys::answer))
        .first(connection)
        .await?;
    Ok(Some(row))
}

/// Stores a response after what it reports was done, unless one is stored already: for requests that cannot do harm twice.
///
/// # Errors
/// The database failed.
pub async fn keep(
    database: &Database,
    new: &NewStoredResponse,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    take(&mut connection, Some(new), now).await?;
    Ok(())
}

/// Removes a response again, inside the transaction that stored it and then refused the request.
pub(super) async fn put_back(
    connection: &mut AsyncPgConnection,
    new: Option<&NewStoredResponse>,
) -> QueryResult<()> {
    let Some(new) = new else { return Ok(()) };
    diesel::delete(idempotency_keys::table.find((new.player_id, &new.key))).execute(connection).await?;
    Ok(())
}

/// Deletes responses stored before `before`, at most `limit` of them; returns how many. Several workers may run it at once.
pub async fn forget(database: &Database, before: OffsetDateTime, limit: i64) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let old = diesel::sql_query(
        "delete from idempotency_keys where (player_id, key) in (select player_id, key from idempotency_keys \
         where created_at < $1 order by created_at limit $2 for update skip locked)",
    );
    let old = old.bind::<Timestamptz, _>(before).bind::<BigInt, _>(limit);
    let mut forgotten = old.execute(&mut connection).await?;
    if database.topology().is_citus() {
        forgotten += citus::keys::forget(&mut connection, before, limit).await?;
    }
    Ok(forgotten)
}
