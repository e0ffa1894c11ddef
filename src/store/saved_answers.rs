//! Answers kept for repeated requests.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::idempotency_keys;

/// A saved answer and what was asked.
#[derive(Clone, Debug, Queryable)]
pub struct SavedRow {
    pub fingerprint: Vec<u8>,
    pub answer: String,
}

/// The answer saved under the player's key.
pub async fn find(database: &Database, player_id: Uuid, key: &str) -> Result<Option<SavedRow>, StoreError> {
    let mut connection = database.get().await?;
    let row = idempotency_keys::table
        .find((player_id, key))
        .select((idempotency_keys::fingerprint, idempotency_keys::answer))
        .first(&mut connection)
        .await;
    Ok(row.optional()?)
}

/// Forgets answers saved before `before`, at most `limit` of them; returns how many.
pub async fn forget(database: &Database, before: OffsetDateTime, limit: i64) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let old = idempotency_keys::table
        .filter(idempotency_keys::created_at.lt(before))
        .order(idempotency_keys::created_at)
        .limit(limit)
        .select((idempotency_keys::player_id, idempotency_keys::key))
        .load::<(Uuid, String)>(&mut connection)
        .await?;
    let mut forgotten = 0;
    for (player_id, key) in old {
        forgotten +=
            diesel::delete(idempotency_keys::table.find((player_id, key))).execute(&mut connection).await?;
    }
    Ok(forgotten)
}
