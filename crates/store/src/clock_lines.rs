//! The clock logs of games, from the database or, if the game is archived, from the archive.

use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::archived_games;
use super::database::Database;
use super::error::StoreError;
use super::schema::clock_lines;

/// A line of a clock log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = clock_lines)]
pub struct ClockLineRow {
    pub game_id: Uuid,
    pub number: i32,
    /// Byte for byte.
    pub line: String,
    /// What opens its commitments, as JSON; hidden until the game is over.
    pub openings: Option<String>,
}

/// The most lines read at once.
pub(super) const MAX_PAGE: i64 = 500;

/// A page of a game's clock log: the lines from `first` on.
///
/// # Errors
/// The database failed.
pub async fn page(database: &Database, game_id: Uuid, first: i32) -> Result<Vec<ClockLineRow>, StoreError> {
    let rows = page_of(&mut *database.get().await?, game_id, first).await?;
    if !rows.is_empty() {
        return Ok(rows);
    }
    match archived_games::clock_lines(database, game_id, first, MAX_PAGE).await? {
        Some(lines) => Ok(lines),
        // It may have been brought back meanwhile.
        None => page_of(&mut *database.get().await?, game_id, first).await,
    }
}

/// A line of a game's clock log.
///
/// # Errors
/// The database failed.
pub async fn line(database: &Database, game_id: Uuid, number: i32) -> Result<Option<String>, StoreError> {
    let mut connection = database.get().await?;
    let line = clock_lines::table.find((game_id, number)).select(clock_lines::line);
    let line: Option<String> = line.first(&mut connection).await.optional()?;
    drop(connection);
    if line.is_some() {
        return Ok(line);
    }
    let page = page(database, game_id, number).await?;
    Ok(page.into_iter().find(|row| row.number == number).map(|row| row.line))
}

/// The same with a connection, for a snapshot.
pub(super) async fn page_of(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    first: i32,
) -> Result<Vec<ClockLineRow>, StoreError> {
    let lines = clock_lines::table
        .filter(clock_lines::game_id.eq(game_id))
        .filter(clock_lines::number.ge(first))
        .order(clock_lines::number)
        .limit(MAX_PAGE)
        .select(ClockLineRow::as_select());
    Ok(lines.load(connection).await?)
}
