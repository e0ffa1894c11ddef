//! Reads the events of a game.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::{Connection, Database};
use super::error::StoreError;
use super::numbers::Seq;
use super::schema::events;

/// The most events of one read.
pub const MAX_PAGE: u16 = 500;

/// Lines of the events from `first` to `last`, in order, at most [`MAX_PAGE`]. They come from the replica if it has them all,
/// because events never change. An empty range needs no query, nor does one that no row can hold.
pub async fn lines(
    database: &Database,
    game_id: Uuid,
    first: Seq,
    last: Seq,
) -> Result<Vec<String>, StoreError> {
    if last < first || first > Seq::MAX {
        return Ok(Vec::new());
    }
    let last = last.min(Seq::MAX);
    if let Some(replica) = database.replica() {
        let found = replica.read(async |connection| read(connection, game_id, first, last).await).await;
        let wanted = (last - first + 1).min(MAX_PAGE.into());
        if let Some(lines) = found.filter(|lines| u64::try_from(lines.len()) == Ok(wanted)) {
            return Ok(lines);
        }
    }
    read(&mut database.get().await?, game_id, first, last).await
}

async fn read(
    connection: &mut Connection,
    game_id: Uuid,
    first: Seq,
    last: Seq,
) -> Result<Vec<String>, StoreError> {
    let lines = events::table
        .filter(events::game_id.eq(game_id))
        .filter(events::seq.between(first, last))
        .order(events::seq)
        .limit(MAX_PAGE.into())
        .select(events::line)
        .load(connection)
        .await?;
    Ok(lines)
}
