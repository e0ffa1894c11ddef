//! Responses stored for repeated requests.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::idempotency_keys;

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

/// Deletes responses stored before `before`, at most `limit` of them; returns how many. Several workers may run it at once.
pub async fn forget(database: &Database, before: OffsetDateTime, limit: i64) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let old = diesel::sql_query(
        "delete from idempotency_keys where (player_id, key) in (select player_id, key from idempotency_keys \
         where created_at < $1 order by created_at limit $2 for update skip locked)",
    );
    let old = old.bind::<Timestamptz, _>(before).bind::<BigInt, _>(limit);
    Ok(old.execute(&mut connection).await?)
}
