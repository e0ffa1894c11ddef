//! What players write down about their games for themselves alone.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::private_notes;

/// A note to write.
#[derive(Clone, Debug, Insertable, AsChangeset)]
#[diesel(table_name = private_notes, primary_key(game_id, player_id))]
struct NoteRow<'a> {
    game_id: Uuid,
    player_id: Uuid,
    text: &'a str,
    updated_at: OffsetDateTime,
}

/// A player's note on a game.
pub async fn note(database: &Database, game_id: Uuid, player_id: Uuid) -> Result<Option<String>, StoreError> {
    let mut connection = database.get().await?;
    let found = private_notes::table.find((game_id, player_id)).select(private_notes::text);
    Ok(found.first(&mut connection).await.optional()?)
}

/// Replaces a player's note on a game; `None` removes it.
pub async fn write(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    text: Option<&str>,
    updated_at: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    match text {
        Some(text) => {
            let row = NoteRow { game_id, player_id, text, updated_at };
            diesel::insert_into(private_notes::table)
                .values(&row)
                .on_conflict((private_notes::game_id, private_notes::player_id))
                .do_update()
                .set(&row)
                .execute(&mut connection)
                .await?;
        }
        None => {
            diesel::delete(private_notes::table.find((game_id, player_id))).execute(&mut connection).await?;
        }
    }
    Ok(())
}
