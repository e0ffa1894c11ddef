//! Messages at the table that webhooks have to be told. They are written with the message (`table_messages.rs`).

use std::collections::HashMap;

use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{players, table_messages, webhook_messages};
use super::table_messages::{self as messages, MessageRow};

/// A message that a webhook has to be told; `None`: it is gone, or an operator has removed it.
#[derive(Clone, Debug)]
pub struct WaitingMessage {
    pub id: Uuid,
    pub game_id: Uuid,
    pub message: Option<MessageRow>,
}

/// The messages that a webhook has to be told, oldest first, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn waiting(
    database: &Database,
    webhook_id: Uuid,
    limit: i64,
) -> Result<Vec<WaitingMessage>, StoreError> {
    let ids = webhook_messages::table
        .filter(webhook_messages::webhook_id.eq(webhook_id))
        .order(webhook_messages::message_id)
        .limit(limit)
        .select((webhook_messages::message_id, webhook_messages::game_id));
    let ids: Vec<(Uuid, Uuid)> = ids.load(&mut database.get().await?).await?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (wanted, games): (Vec<Uuid>, Vec<Uuid>) = ids.iter().copied().unzip();
    let rows = messages::rows!()
        .filter(table_messages::game_id.eq_any(games).and(table_messages::id.eq_any(wanted)));
    let rows: Vec<MessageRow> = rows.load(&mut database.get_for_all_nodes().await?).await?;
    let shown = rows.into_iter().filter(|row| row.text.is_some());
    let mut found: HashMap<Uuid, MessageRow> = shown.map(|row| (row.id, row)).collect();
    let message = |(id, game_id)| WaitingMessage { id, game_id, message: found.remove(&id) };
    Ok(ids.into_iter().map(message).collect())
}

/// Forgets messages that need not be told.
///
/// # Errors
/// The database failed.
pub async fn forget(database: &Database, webhook_id: Uuid, ids: &[Uuid]) -> Result<(), StoreError> {
    Ok(remove(&mut *database.get().await?, webhook_id, ids).await?)
}

/// Forgets messages, inside a transaction.
pub(super) async fn remove(
    connection: &mut AsyncPgConnection,
    webhook_id: Uuid,
    ids: &[Uuid],
) -> QueryResult<()> {
    let told = webhook_messages::table
        .filter(webhook_messages::webhook_id.eq(webhook_id))
        .filter(webhook_messages::message_id.eq_any(ids));
    diesel::delete(told).execute(connection).await?;
    Ok(())
}
