//! Guests: players without address and password.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::players::{Registration, UNIQUE_HANDLE, insert_more};
use super::preferences;
use super::schema::{game_players, game_states, player_preferences, players};
use super::sessions::{self, NewSession};

/// Writes a new guest with a session; false if there are `most` guests.
///
/// # Errors
/// The handle is taken: [`UNIQUE_HANDLE`].
pub async fn create(
    database: &Database,
    handle: &str,
    session: &NewSession<'_>,
    most: i64,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let created = connection.transaction::<bool, StoreError, _>(async |connection| {
        let living = players::table.filter(players::guest).filter(players::deleted_at.is_null());
        if living.count().get_result::<i64>(connection).await? >= most {
            return Ok(false);
        }
        // No address is empty, and no password fits an empty hash.
        let guest = (
            players::id.eq(session.player_id),
            players::handle.eq(handle),
            players::email.eq(""),
            players::email_key.eq(""),
            players::password_hash.eq(""),
            players::mail_enabled.eq(false),
            players::created_at.eq(session.now),
            players::bot.eq(false),
            players::guest.eq(true),
        );
        let insert = diesel::insert_into(players::table).values(guest).on_conflict_do_nothing();
        if insert.execute(connection).await? == 0 {
            return Err(StoreError::Taken(UNIQUE_HANDLE));
        }
        sessions::insert(connection, session).await?;
        Ok(true)
    });
    created.await
}

/// Makes a guest a player who has registered so; their games stay theirs. False if they have registered meanwhile, or were removed.
///
/// # Errors
/// The handle is taken: [`UNIQUE_HANDLE`].
pub async fn register(database: &Database, new: &Registration<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let registered = connection.transaction::<bool, StoreError, _>(async |connection| {
        let player = &new.player;
        let named = players::table.filter(players::handle.eq(player.handle)).select(players::id);
        // Asked first, because a name that is taken is no failure of the database.
        if named.first::<Uuid>(connection).await.optional()?.is_some() {
            return Err(StoreError::Taken(UNIQUE_HANDLE));
        }
        let guest =
            players::table.find(player.id).filter(players::guest).filter(players::deleted_at.is_null());
        let set = (
            players::handle.eq(player.handle),
            players::email.eq(player.email),
            players::email_key.eq(player.email_key),
            players::password_hash.eq(player.password_hash),
            players::mail_enabled.eq(player.mail_enabled),
            players::guest.eq(false),
        );
        if diesel::update(guest).set(set).execute(connection).await? == 0 {
            return Ok(false);
        }
        insert_more(connection, new).await?;
        let chosen = player_preferences::table.find(player.id).select(player_preferences::player_id);
        let has_chosen = chosen.first::<Uuid>(connection).await.optional()?.is_some();
        if let Some(preferences) = new.preferences.as_ref().filter(|_| !has_chosen) {
            preferences::insert(connection, preferences).await?;
        }
        Ok(true)
    });
    registered.await
}

/// Guests who came before `came_before`, and in whose games nothing has happened since `idle_since`, the oldest first.
pub async fn idle(
    database: &Database,
    came_before: OffsetDateTime,
    idle_since: OffsetDateTime,
    limit: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let guests: Vec<Uuid> = players::table
        .filter(players::guest)
        .filter(players::deleted_at.is_null())
        .filter(players::created_at.lt(came_before))
        .order(players::created_at)
        .select(players::id)
        .limit(limit)
        .load(&mut connection)
        .await?;
    let busy: HashSet<Uuid> = game_players::table
        .inner_join(game_states::table.on(game_states::game_id.eq(game_players::game_id)))
        .filter(game_players::player_id.eq_any(&guests))
        // Nobody has moved before event 1.
        .filter(game_states::seq.gt(0))
        .filter(game_states::at.gt(idle_since))
        .select(game_players::player_id)
        .distinct()
        .load::<Uuid>(&mut connection)
        .await?
        .into_iter()
        .collect();
    Ok(guests.into_iter().filter(|guest| !busy.contains(guest)).collect())
}
