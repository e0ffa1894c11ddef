//! Apps: programs of others that players may let act for them.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{app_grants, apps, players};
use super::stored_responses::{self, NewStoredResponse, Once};

/// A registered app.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = apps)]
pub struct AppRow {
    pub id: Uuid,
    /// Who registered it.
    pub player_id: Uuid,
    pub name: String,
    pub homepage: String,
    pub redirect_uris: Vec<String>,
    pub created_at: OffsetDateTime,
}

/// The outcome of registering an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    Done,
    /// The player has as many apps as a player may have.
    TooMany,
    /// The player's e-mail address is not confirmed.
    AddressNotConfirmed,
}

/// Writes an app, unless its player has `limit` of them already or has not confirmed an e-mail address.
pub async fn insert(
    database: &Database,
    new: &AppRow,
    limit: i64,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<Registered>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let inserted = connection.transaction::<Once<Registered>, StoreError, _>(async |connection| {
        // Whoever holds the player's row counts alone.
        let player = players::table.find(new.player_id).select(players::email_confirmed_at).for_update();
        let confirmed_at = player.first::<Option<OffsetDateTime>>(connection).await?;
        if let Some(before) = stored_responses::take(connection, stored, new.created_at).await? {
            return Ok(Once::Before(before));
        }
        let ours = apps::table.filter(apps::player_id.eq(new.player_id));
        let refused = if confirmed_at.is_none() {
            Some(Registered::AddressNotConfirmed)
        } else if ours.count().get_result::<i64>(connection).await? >= limit {
            Some(Registered::TooMany)
        } else {
            None
        };
        if let Some(refused) = refused {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(refused));
        }
        diesel::insert_into(apps::table).values(new).execute(connection).await?;
        Ok(Once::Now(Registered::Done))
    });
    inserted.await
}

/// The apps that a player has registered, newest first.
pub async fn list(database: &Database, player_id: Uuid) -> Result<Vec<AppRow>, StoreError> {
    let mut connection = database.get().await?;
    let rows = apps::table
        .filter(apps::player_id.eq(player_id))
        .order(apps::id.desc())
        .select(AppRow::as_select())
        .load(&mut connection)
        .await?;
    Ok(rows)
}

/// An app, with the handle of who registered it.
pub async fn find(database: &Database, id: Uuid) -> Result<Option<(AppRow, String)>, StoreError> {
    let mut connection = database.get().await?;
    let found = apps::table
        .inner_join(players::table.on(players::id.eq(apps::player_id)))
        .filter(apps::id.eq(id))
        .select((AppRow::as_select(), players::handle))
        .first(&mut connection)
        .await;
    Ok(found.optional()?)
}

/// Removes a player's app with all that players have allowed it. Returns the grants that ended; `None` if the player has no such app.
pub async fn remove(database: &Database, player_id: Uuid, id: Uuid) -> Result<Option<Vec<Uuid>>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let removed = connection.transaction::<Option<Vec<Uuid>>, StoreError, _>(async |connection| {
        let ours = apps::table.find(id).filter(apps::player_id.eq(player_id));
        let locked = ours.select(apps::id).for_update().first::<Uuid>(connection).await.optional()?;
        if locked.is_none() {
            return Ok(None);
        }
        let ended = diesel::delete(app_grants::table.filter(app_grants::app_id.eq(id)))
            .returning(app_grants::id)
            .get_results(connection)
            .await?;
        diesel::delete(apps::table.find(id)).execute(connection).await?;
        Ok(Some(ended))
    });
    removed.await
}
