//! What a sandbox has sent to webhooks, for their owners to read.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::captured_deliveries;

/// The most deliveries kept of one player; older ones are forgotten.
pub const MAX_OF_PLAYER: i64 = 100;

/// The most deliveries kept in all.
pub const MAX_IN_ALL: i64 = 4000;

/// A captured delivery: one attempt, with what its receiver checks.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = captured_deliveries)]
pub struct CapturedDelivery {
    pub id: Uuid,
    pub player_id: Uuid,
    pub webhook_id: Uuid,
    pub message_id: String,
    pub timestamp: i64,
    pub signatures: String,
    pub body: String,
    pub sent_at: OffsetDateTime,
}

/// Keeps a delivery, and forgets older ones beyond the limits.
///
/// # Errors
/// The database failed.
pub async fn keep(database: &Database, delivery: &CapturedDelivery) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    connection
        .transaction::<(), StoreError, _>(async |connection| {
            diesel::insert_into(captured_deliveries::table).values(delivery).execute(connection).await?;
            forget_beyond(connection, Some(delivery.player_id), MAX_OF_PLAYER).await?;
            forget_beyond(connection, None, MAX_IN_ALL).await
        })
        .await
}

/// Forgets all but the newest `most`, of a player or in all.
async fn forget_beyond(
    connection: &mut AsyncPgConnection,
    of: Option<Uuid>,
    most: i64,
) -> Result<(), StoreError> {
    let mut last = captured_deliveries::table
        .order(captured_deliveries::id.desc())
        .offset(most)
        .limit(1)
        .select(captured_deliveries::id)
        .into_boxed();
    let mut old = diesel::delete(captured_deliveries::table).into_boxed();
    if let Some(player_id) = of {
        last = last.filter(captured_deliveries::player_id.eq(player_id));
        old = old.filter(captured_deliveries::player_id.eq(player_id));
    }
    if let Some(last) = last.first::<Uuid>(connection).await.optional()? {
        old.filter(captured_deliveries::id.le(last)).execute(connection).await?;
    }
    Ok(())
}

/// A player's newest deliveries, at most `limit`; those before `before` if it is given.
///
/// # Errors
/// The database failed.
pub async fn newest(
    database: &Database,
    player_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<CapturedDelivery>, StoreError> {
    let mut connection = database.get().await?;
    let mut query = captured_deliveries::table
        .filter(captured_deliveries::player_id.eq(player_id))
        .order(captured_deliveries::id.desc())
        .limit(limit)
        .select(CapturedDelivery::as_select())
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(captured_deliveries::id.lt(before));
    }
    Ok(query.load(&mut connection).await?)
}
