//! Invitations: notices of games that have not started.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{self, NewNotice, NoticeKind};
use super::schema::{games, notices as table};

/// Queues an invitation unless the game has `most` already; false then.
pub async fn queue(
    database: &Database,
    notice: &NewNotice,
    game_id: Uuid,
    most: i64,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let queued = connection.transaction::<bool, StoreError, _>(async |connection| {
        // The game's row is the lock, so that racing invitations are counted one after the other.
        games::table.find(game_id).for_update().select(games::id).first::<Uuid>(connection).await?;
        let sent: i64 = table::table
            .filter(table::game_id.eq(game_id))
            .filter(table::kind.eq(NoticeKind::Invitation.as_str()))
            .count()
            .get_result(connection)
            .await?;
        if sent >= most {
            return Ok(false);
        }
        notices::insert(connection, std::slice::from_ref(notice)).await?;
        Ok(true)
    });
    queued.await
}
