//! Players whose messages at the table another player does not want to read.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{muted_players, players};

/// The most players whom one player mutes.
pub const MAX_MUTED: i64 = 200;

/// A player who is muted by another.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct MutedPlayer {
    pub id: Uuid,
    pub handle: String,
    pub muted_at: OffsetDateTime,
}

/// Mutes a player for another; false if that one mutes [`MAX_MUTED`] already.
///
/// # Errors
/// The database failed.
pub async fn mute(
    database: &Database,
    player_id: Uuid,
    muted_id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let held = muted_players::table.filter(muted_players::player_id.eq(player_id));
    if held.count().get_result::<i64>(&mut connection).await? >= MAX_MUTED {
        return Ok(false);
    }
    let row = (
        muted_players::player_id.eq(player_id),
        muted_players::muted_id.eq(muted_id),
        muted_players::muted_at.eq(now),
    );
    diesel::insert_into(muted_players::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(&mut connection)
        .await?;
    Ok(true)
}

/// Lets a player read another's messages again.
///
/// # Errors
/// The database failed.
pub async fn unmute(database: &Database, player_id: Uuid, muted_id: Uuid) -> Result<(), StoreError> {
    let muted = muted_players::table.find((player_id, muted_id));
    diesel::delete(muted).execute(&mut database.get_for_writing().await?).await?;
    Ok(())
}

/// The players whom a player mutes, the newest first.
///
/// # Errors
/// The database failed.
pub async fn of_player(database: &Database, player_id: Uuid) -> Result<Vec<MutedPlayer>, StoreError> {
    let muted = muted_players::table
        .inner_join(players::table.on(players::id.eq(muted_players::muted_id)))
        .filter(muted_players::player_id.eq(player_id))
        .order((muted_players::muted_at.desc(), players::id))
        .select((players::id, players::handle, muted_players::muted_at))
        .limit(MAX_MUTED);
    Ok(muted.load(&mut database.get().await?).await?)
}

/// The ids of the players whom a player mutes.
///
/// # Errors
/// The database failed.
pub async fn ids_of(database: &Database, player_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let muted = muted_players::table
        .filter(muted_players::player_id.eq(player_id))
        .select(muted_players::muted_id)
        .limit(MAX_MUTED);
    Ok(muted.load(&mut database.get().await?).await?)
}
