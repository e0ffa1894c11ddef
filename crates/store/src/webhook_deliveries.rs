//! The newest attempts to deliver to each webhook.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::Seq;
use super::schema::{webhook_deliveries, webhooks};
use super::text_enum::text_enum;

/// The most attempts kept of one webhook; older ones are forgotten.
pub const MAX_OF_WEBHOOK: i64 = 100;

text_enum! {
    "outcome of a delivery",
    /// What became of an attempt.
    pub enum DeliveryOutcome {
        /// Answered with a status of success.
        Delivered = "delivered",
        /// Answered with another status. Redirects are not followed.
        Refused = "refused",
        /// Nothing was sent: this server cannot read what it needs.
        NotReadable = "not_readable",
        /// No connection, or it broke; or the host is not, or not only, at public addresses.
        Unreachable = "unreachable",
        /// No answer in time.
        TooSlow = "too_slow",
    }
}

/// An attempt.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_deliveries)]
pub struct DeliveryRow {
    pub id: Uuid,
    pub webhook_id: Uuid,
    /// Of the event, or of the game of a message at the table, which has no `seq`; `None` of a challenge.
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub at: OffsetDateTime,
    pub outcome: DeliveryOutcome,
    /// Of the answer, if there was one.
    pub status: Option<i16>,
    pub milliseconds: i32,
}

/// Keeps an attempt; false if its webhook has been removed.
///
/// # Errors
/// The database failed.
pub async fn keep(database: &Database, delivery: &DeliveryRow) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let kept = connection.transaction::<bool, StoreError, _>(async |connection| {
        let webhook = webhooks::table.find(delivery.webhook_id).select(webhooks::id).for_key_share();
        if webhook.first::<Uuid>(connection).await.optional()?.is_none() {
            return Ok(false);
        }
        keep_in(connection, delivery).await?;
        Ok(true)
    });
    kept.await
}

/// Keeps an attempt and forgets those beyond [`MAX_OF_WEBHOOK`].
pub(super) async fn keep_in(
    connection: &mut AsyncPgConnection,
    delivery: &DeliveryRow,
) -> Result<(), StoreError> {
    diesel::insert_into(webhook_deliveries::table).values(delivery).execute(connection).await?;
    let of_webhook =
        || webhook_deliveries::table.filter(webhook_deliveries::webhook_id.eq(delivery.webhook_id));
    let last = of_webhook()
        .order(webhook_deliveries::id.desc())
        .offset(MAX_OF_WEBHOOK)
        .limit(1)
        .select(webhook_deliveries::id);
    if let Some(last) = last.first::<Uuid>(connection).await.optional()? {
        diesel::delete(of_webhook().filter(webhook_deliveries::id.le(last))).execute(connection).await?;
    }
    Ok(())
}

/// The attempts that are kept of a webhook, newest first.
///
/// # Errors
/// The database failed.
pub async fn newest(database: &Database, webhook_id: Uuid) -> Result<Vec<DeliveryRow>, StoreError> {
    let newest = webhook_deliveries::table
        .filter(webhook_deliveries::webhook_id.eq(webhook_id))
        .order(webhook_deliveries::id.desc())
        .limit(MAX_OF_WEBHOOK)
        .select(DeliveryRow::as_select());
    Ok(newest.load(&mut database.get().await?).await?)
}
