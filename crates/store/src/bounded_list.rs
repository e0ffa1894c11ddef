//! A list that a player keeps of players or games: each once, with the time, and no more than a limit. Each list is described once.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::calendars;
use super::database::Database;
use super::error::StoreError;

/// A table with the column `player_id`, whose key it is together with the column of what is listed.
#[derive(Clone, Copy, Debug)]
pub struct BoundedList {
    pub(crate) table: &'static str,
    /// The column of what is listed.
    pub(crate) listed: &'static str,
    /// The column of the time.
    pub(crate) since: &'static str,
    /// How many a player may have.
    pub(crate) most: i64,
}

/// A player in another's list.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ListedPlayer {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub handle: String,
    #[diesel(sql_type = Timestamptz)]
    pub since: OffsetDateTime,
}

#[derive(QueryableByName)]
struct Listed {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    holds: bool,
}

impl BoundedList {
    /// Whether `id` is in the list after this; false if the list was full.
    ///
    /// # Errors
    /// The database failed.
    pub async fn add(
        &self,
        database: &Database,
        player_id: Uuid,
        id: Uuid,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let Self { table, listed, since, most } = self;
        let insert = format!(
            "insert into {table} (player_id, {listed}, {since}) select $1, $2, $3 \
             where (select count(*) from {table} where player_id = $1) < $4 on conflict do nothing"
        );
        let mut connection = database.get_for_writing().await?;
        let written = connection.transaction::<usize, StoreError, _>(async |connection| {
            // In a statement of its own: one that waits for a lock counts what was there before it waited.
            calendars::lock_player(connection, database.topology(), player_id).await?;
            let insert = diesel::sql_query(insert)
                .bind::<SqlUuid, _>(player_id)
                .bind::<SqlUuid, _>(id)
                .bind::<Timestamptz, _>(now)
                .bind::<BigInt, _>(*most);
            Ok(insert.execute(connection).await?)
        });
        if written.await? > 0 {
            return Ok(true);
        }
        drop(connection);
        self.holds(database, player_id, id).await
    }

    /// Takes `id` off the list.
    ///
    /// # Errors
    /// The database failed.
    pub async fn remove(&self, database: &Database, player_id: Uuid, id: Uuid) -> Result<(), StoreError> {
        let Self { table, listed, .. } = self;
        let delete = diesel::sql_query(format!("delete from {table} where player_id = $1 and {listed} = $2"))
            .bind::<SqlUuid, _>(player_id)
            .bind::<SqlUuid, _>(id);
        delete.execute(&mut database.get_for_writing().await?).await?;
        Ok(())
    }

    /// Whether `id` is in the list.
    ///
    /// # Errors
    /// The database failed.
    pub async fn holds(&self, database: &Database, player_id: Uuid, id: Uuid) -> Result<bool, StoreError> {
        let Self { table, listed, .. } = self;
        let asked =
            format!("select exists (select from {table} where player_id = $1 and {listed} = $2) as holds");
        let asked = diesel::sql_query(asked).bind::<SqlUuid, _>(player_id).bind::<SqlUuid, _>(id);
        let answer: Answer = asked.get_result(&mut database.get().await?).await?;
        Ok(answer.holds)
    }

    /// What is in the list, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn ids(&self, database: &Database, player_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
        let Self { table, listed, since, most } = self;
        let asked = format!(
            "select {listed} as id from {table} where player_id = $1 order by {since} desc, {listed} limit $2"
        );
        let asked = diesel::sql_query(asked).bind::<SqlUuid, _>(player_id).bind::<BigInt, _>(*most);
        let rows: Vec<Listed> = asked.load(&mut database.get().await?).await?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// The players in the list, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn players(
        &self,
        database: &Database,
        player_id: Uuid,
    ) -> Result<Vec<ListedPlayer>, StoreError> {
        let Self { table, listed, since, most } = self;
        let asked = format!(
            "select p.id, p.handle, l.{since} as since from {table} l join players p on p.id = l.{listed} \
             where l.player_id = $1 order by l.{since} desc, p.id limit $2"
        );
        let asked = diesel::sql_query(asked).bind::<SqlUuid, _>(player_id).bind::<BigInt, _>(*most);
        Ok(asked.load(&mut database.get().await?).await?)
    }
}
