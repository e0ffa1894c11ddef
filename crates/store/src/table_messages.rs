//! Messages between the players of a game.

use std::collections::HashSet;

use diesel::dsl::{count_star, min};
use diesel::prelude::*;
use diesel::sql_types::{Array, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::named::statement;
use super::numbers::Seq;
use super::schema::{players, table_messages};
use super::stored_responses::{self, NewStoredResponse, Once};

/// A message to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = table_messages)]
pub struct NewMessage {
    pub id: Uuid,
    pub game_id: Uuid,
    pub player_id: Uuid,
    /// The game's newest event at that time.
    pub seq: Seq,
    pub text: String,
    pub created_at: OffsetDateTime,
}

/// A stored message.
#[derive(Clone, Debug, Queryable)]
pub struct MessageRow {
    pub id: Uuid,
    pub player_id: Uuid,
    pub handle: String,
    pub seq: Seq,
    pub text: String,
    pub created_at: OffsetDateTime,
}

/// Writes a message, inside a transaction.
pub(super) async fn insert(connection: &mut AsyncPgConnection, message: &NewMessage) -> QueryResult<()> {
    diesel::insert_into(table_messages::table)
        .values(message)
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes a message.
pub async fn add(
    database: &Database,
    message: &NewMessage,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<()>, StoreError> {
    let mut connection = database.get().await?;
    let added = connection.transaction::<Once<()>, StoreError, _>(async |connection| {
        if let Some(before) = stored_responses::take(connection, stored, message.created_at).await? {
            return Ok(Once::Before(before));
        }
        Ok(Once::Now(insert(connection, message).await?))
    });
    added.await
}

/// How many messages a player has written in a game since `since`, and the time of the first.
pub async fn since(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    since: OffsetDateTime,
) -> Result<(i64, Option<OffsetDateTime>), StoreError> {
    let mut connection = database.get().await?;
    let recent = table_messages::table
        .filter(table_messages::game_id.eq(game_id))
        .filter(table_messages::player_id.eq(player_id))
        .filter(table_messages::created_at.gt(since))
        .select((count_star(), min(table_messages::created_at)));
    Ok(recent.get_result(&mut connection).await?)
}

/// Which of these games have messages: one entry of the index is read for each.
pub const WITH_MESSAGES: &str = "
select g.id from unnest({games}) g (id)
where exists (select from table_messages m where m.game_id = g.id)";

statement! {
    /// [`WITH_MESSAGES`] with its values.
    struct WithMessages(WITH_MESSAGES) -> SqlUuid {
        games: Vec<Uuid> = Array<SqlUuid>,
    }
}

/// Which of these games have messages. On a cluster all of them may.
pub async fn games_with_messages(database: &Database, ids: Vec<Uuid>) -> Result<HashSet<Uuid>, StoreError> {
    if database.topology().is_citus() {
        return Ok(ids.into_iter().collect());
    }
    let found: Vec<Uuid> = WithMessages { games: ids }.load(&mut database.get().await?).await?;
    Ok(found.into_iter().collect())
}

/// A message of a game.
pub async fn find(database: &Database, game_id: Uuid, id: Uuid) -> Result<Option<MessageRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = table_messages::table
        .inner_join(players::table.on(players::id.eq(table_messages::player_id)))
        .filter(table_messages::game_id.eq(game_id))
        .filter(table_messages::id.eq(id))
        .select((
            table_messages::id,
            table_messages::player_id,
            players::handle,
            table_messages::seq,
            table_messages::text,
            table_messages::created_at,
        ))
        .first(&mut connection)
        .await;
    Ok(found.optional()?)
}

/// The newest messages of a game, at most `limit`, those before the message `before` if it is given; oldest first.
pub async fn newest(
    database: &Database,
    game_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<MessageRow>, StoreError> {
    let mut connection = database.get().await?;
    let mut query = table_messages::table
        .inner_join(players::table.on(players::id.eq(table_messages::player_id)))
        .filter(table_messages::game_id.eq(game_id))
        .order(table_messages::id.desc())
        .limit(limit)
        .select((
            table_messages::id,
            table_messages::player_id,
            players::handle,
            table_messages::seq,
            table_messages::text,
            table_messages::created_at,
        ))
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(table_messages::id.lt(before));
    }
    let mut rows: Vec<MessageRow> = query.load(&mut connection).await?;
    rows.reverse();
    Ok(rows)
}
