//! Personal access tokens, which are stored as hashes.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{personal_tokens, players};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::webhook_managers;

/// A personal token, without its hash.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = personal_tokens)]
pub struct PersonalTokenRow {
    pub id: Uuid,
    pub player_id: Uuid,
    pub name: String,
    pub scopes: Vec<String>,
    pub created_at: OffsetDateTime,
    pub expires_at: Option<OffsetDateTime>,
    /// The only game that the token is for.
    pub game_id: Option<Uuid>,
}

/// A personal token to write.
#[derive(Insertable)]
#[diesel(table_name = personal_tokens)]
pub struct NewPersonalToken<'a> {
    pub id: Uuid,
    pub player_id: Uuid,
    pub name: &'a str,
    pub token_hash: &'a [u8],
    pub scopes: &'a [&'a str],
    pub created_at: OffsetDateTime,
    pub expires_at: Option<OffsetDateTime>,
    /// The only game that the token is for.
    pub game_id: Option<Uuid>,
}

/// Writes a token, unless its player has `limit` of them already: then false. Revoked ones are forgotten on the way.
pub async fn insert(
    database: &Database,
    new: &NewPersonalToken<'_>,
    limit: i64,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<bool>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let inserted = connection.transaction::<Once<bool>, StoreError, _>(async |connection| {
        // Whoever holds the player's row counts alone.
        let player = players::table.find(new.player_id).select(players::id).for_update();
        player.first::<Uuid>(connection).await?;
        if let Some(before) = stored_responses::take(connection, stored, new.created_at).await? {
            return Ok(Once::Before(before));
        }
        let ours = personal_tokens::table.filter(personal_tokens::player_id.eq(new.player_id));
        diesel::delete(ours.filter(personal_tokens::revoked_at.is_not_null())).execute(connection).await?;
        if ours.count().get_result::<i64>(connection).await? >= limit {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(false));
        }
        diesel::insert_into(personal_tokens::table).values(new).execute(connection).await?;
        Ok(Once::Now(true))
    });
    inserted.await
}

/// The tokens of a player that are not revoked, newest first.
pub async fn list(database: &Database, player_id: Uuid) -> Result<Vec<PersonalTokenRow>, StoreError> {
    let mut connection = database.get().await?;
    let rows = personal_tokens::table
        .filter(personal_tokens::player_id.eq(player_id))
        .filter(personal_tokens::revoked_at.is_null())
        .order(personal_tokens::id.desc())
        .select(PersonalTokenRow::as_select())
        .load(&mut connection)
        .await?;
    Ok(rows)
}

/// Revokes a player's token, with the webhooks that it registered; false if the player has no such token.
pub async fn revoke(
    database: &Database,
    player_id: Uuid,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let revoked = connection.transaction::<bool, StoreError, _>(async |connection| {
        let live = personal_tokens::table
            .find(id)
            .filter(personal_tokens::player_id.eq(player_id))
            .filter(personal_tokens::revoked_at.is_null());
        let set = diesel::update(live).set(personal_tokens::revoked_at.eq(now));
        let revoked = set.execute(connection).await? > 0;
        if revoked {
            webhook_managers::remove_of(connection, &[id]).await?;
        }
        Ok(revoked)
    });
    revoked.await
}

/// The token with this hash and its player's handle, unless it is revoked. Expiry is for the caller, who has the clock.
pub async fn find(
    database: &Database,
    token_hash: &[u8],
) -> Result<Option<(PersonalTokenRow, String)>, StoreError> {
    let mut connection = database.get().await?;
    let found = personal_tokens::table
        .inner_join(players::table.on(players::id.eq(personal_tokens::player_id)))
        .filter(personal_tokens::token_hash.eq(token_hash))
        .filter(personal_tokens::revoked_at.is_null())
        .select((PersonalTokenRow::as_select(), players::handle))
        .first(&mut connection)
        .await;
    Ok(found.optional()?)
}
