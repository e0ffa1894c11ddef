//! Removes rows that refer to a missing game.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::NoticeState;
use super::schema::{checkpoints, games, notices};

/// Deletes the checkpoints of a missing game.
pub async fn remove_orphan_checkpoints(database: &Database, game_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let game = games::table.filter(games::id.eq(checkpoints::game_id));
    let orphan = checkpoints::table
        .filter(checkpoints::game_id.eq(game_id))
        .filter(diesel::dsl::not(diesel::dsl::exists(game)));
    Ok(diesel::delete(orphan).execute(&mut connection).await? > 0)
}

/// Skips a waiting notice that refers to nothing.
pub async fn skip_orphan_notice(
    database: &Database,
    notice_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let waiting =
        notices::table.filter(notices::id.eq(notice_id)).filter(notices::state.eq(NoticeState::Waiting));
    let skipped = diesel::update(waiting)
        .set((
            notices::state.eq(NoticeState::Skipped),
            notices::finished_at.eq(now),
            notices::reason.eq("the audit found nothing that it could tell of"),
        ))
        .execute(&mut connection)
        .await?;
    Ok(skipped == 1)
}
