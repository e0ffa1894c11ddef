//! Keys of moves: they lie with their game.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::move_keys;
use crate::stored_responses::StoredResponseRow;
use crate::{Database, StoreError};

/// The response stored under the player's key in a game.
pub(crate) async fn find(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    key: &str,
) -> Result<Option<StoredResponseRow>, StoreError> {
    let mut connection = database.get_for_game(game_id).await?;
    let row = move_keys::table
        .find((game_id, player_id, key))
        .select((move_keys::fingerprint, move_keys::answer))
        .first(&mut connection)
        .await;
    Ok(row.optional()?)
}

/// Deletes those up to the time at which `limit` of them are older than `before`, without locks over shards.
pub(crate) async fn forget(
    connection: &mut AsyncPgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> QueryResult<usize> {
    let oldest = move_keys::table.filter(move_keys::created_at.lt(before)).order(move_keys::created_at);
    let oldest: Vec<OffsetDateTime> =
        oldest.limit(limit).select(move_keys::created_at).load(connection).await?;
    let Some(until) = oldest.last() else { return Ok(0) };
    diesel::delete(move_keys::table.filter(move_keys::created_at.le(until))).execute(connection).await
}

/// Deletes those of a player.
pub(crate) async fn forget_player(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<usize> {
    let keys = diesel::sql_query("delete from move_keys where player_id = $1");
    keys.bind::<SqlUuid, _>(player_id).execute(connection).await
}
