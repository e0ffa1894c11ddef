//! For whom a game exists. The statements do the same work for a game that is hidden from somebody and for none.

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::numbers::Seq;
use super::schema::{game_players, game_states, games};

/// Whether a game is public, or `player_id` plays in it. For nobody known the nil id is asked about, which no player has.
///
/// # Errors
/// The database failed.
pub async fn exists_for(
    database: &Database,
    game_id: Uuid,
    player_id: Option<Uuid>,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_game(game_id).await?;
    let public = games::table.filter(games::id.eq(game_id)).filter(games::private.eq(false));
    let member = game_players::table.find((game_id, player_id.unwrap_or_default()));
    Ok(diesel::select(exists(public).or(exists(member))).get_result(&mut connection).await?)
}

/// The players of a started game, each with the game's newest event; empty if there is no such game.
///
/// # Errors
/// The database failed.
pub async fn players_now(database: &Database, game_id: Uuid) -> Result<Vec<(Uuid, Seq)>, StoreError> {
    let mut connection = database.get_for_game(game_id).await?;
    let rows = game_players::table
        .inner_join(game_states::table.on(game_states::game_id.eq(game_players::game_id)))
        .filter(game_players::game_id.eq(game_id))
        .select((game_players::player_id, game_states::seq))
        .load::<(Uuid, i64)>(&mut connection)
        .await?;
    let readable = |(player_id, seq)| Some((player_id, Seq::from_row(seq)?));
    Ok(rows.into_iter().filter_map(readable).collect())
}
