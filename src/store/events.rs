//! Reading the history of a game.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::events;

/// The most events read at once.
pub const MAX_PAGE: i64 = 500;

/// Lines of the events from `first` to `last`, in order, at most [`MAX_PAGE`].
pub async fn lines(
    database: &Database,
    game_id: Uuid,
    first: i64,
    last: i64,
) -> Result<Vec<String>, StoreError> {
    let mut connection = database.get().await?;
    let lines = events::table
        .filter(events::game_id.eq(game_id))
        .filter(events::seq.between(first, last))
        .order(events::seq)
        .limit(MAX_PAGE)
        .select(events::line)
        .load(&mut connection)
        .await?;
    Ok(lines)
}
