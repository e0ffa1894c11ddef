//! Games after which another one of the same kind is opened for their creator, once they are finished.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::games::{self as rows, GameRow};
use super::queue::GameId;
use super::schema::{games, players};
use super::usage::UsageLimits;

/// Finished games that are to be followed by another one at `$1`, at most `$2`, the longest overdue first.
pub const DUE: &str =
    "select id from games where status = 'finished' and renews_at <= $1 order by renews_at limit $2";

/// The games that are due.
///
/// # Errors
/// The database failed.
pub async fn due(database: &Database, now: OffsetDateTime, limit: i64) -> Result<Vec<Uuid>, StoreError> {
    let due = diesel::sql_query(DUE).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
    Ok(GameId::all(due.load(&mut database.get_for_all_nodes().await?).await?))
}

/// What became of a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewed {
    Opened,
    /// Another process has opened it, or it was switched off.
    Not,
    /// The creator's account is closed or deleted.
    Gone,
    /// So many games of the creator wait already.
    TooManyOpen,
}

/// Writes `next` after the game `game_id`, once, whichever process is faster and wherever one is killed: the mark goes with it.
///
/// # Errors
/// [`StoreError::UsedUp`] beyond the creator's limits, or the database failed; nothing was written.
pub async fn renew(
    database: &Database,
    game_id: Uuid,
    next: &GameRow,
    most_open: i64,
    limits: &UsageLimits,
) -> Result<Renewed, StoreError> {
    let mut connection = database.get_for_writing_to_all_nodes().await?;
    let renewed = connection.transaction::<Renewed, StoreError, _>(async |connection| {
        limits.lock(connection).await?;
        let creator = players::table
            .find(next.creator_id)
            .filter(players::deleted_at.is_null().and(players::closed_at.is_null()))
            .select(players::id)
            .for_no_key_update();
        if creator.first::<Uuid>(connection).await.optional()?.is_none() {
            return Ok(Renewed::Gone);
        }
        limits.check(connection).await?;
        if rows::count_open(connection, next.creator_id).await? >= most_open {
            return Ok(Renewed::TooManyOpen);
        }
        let marked = games::table.find(game_id).filter(games::renews_at.is_not_null());
        let mark = games::renews_at.eq(None::<OffsetDateTime>);
        if diesel::update(marked).set(mark).execute(connection).await? == 0 {
            return Ok(Renewed::Not);
        }
        rows::insert(connection, next).await?;
        Ok(Renewed::Opened)
    });
    renewed.await
}

/// Looks at a game no more before then; with `None` never.
///
/// # Errors
/// The database failed.
pub async fn postpone(
    database: &Database,
    game_id: Uuid,
    until: Option<OffsetDateTime>,
) -> Result<(), StoreError> {
    let marked = games::table.find(game_id).filter(games::renews_at.is_not_null());
    let later = diesel::update(marked).set(games::renews_at.eq(until));
    later.execute(&mut database.get().await?).await?;
    Ok(())
}

/// Lets no other game follow on one of this creator.
///
/// # Errors
/// The database failed.
pub async fn end(database: &Database, game_id: Uuid, creator_id: Uuid) -> Result<(), StoreError> {
    let own = games::table.find(game_id).filter(games::creator_id.eq(creator_id));
    let ended = diesel::update(own).set(games::renews_at.eq(None::<OffsetDateTime>));
    ended.execute(&mut database.get().await?).await?;
    Ok(())
}

/// Whether another game is to follow on one of this creator.
///
/// # Errors
/// The database failed.
pub async fn is_on(database: &Database, game_id: Uuid, creator_id: Uuid) -> Result<bool, StoreError> {
    let on = games::table
        .find(game_id)
        .filter(games::creator_id.eq(creator_id))
        .filter(games::renews_at.is_not_null())
        .filter(games::status.ne(crate::GameStatus::Cancelled));
    Ok(diesel::select(diesel::dsl::exists(on)).get_result(&mut database.get().await?).await?)
}
