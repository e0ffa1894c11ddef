//! Sessions of browsers, and the list of a player's sessions.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{players, refresh_tokens, sessions};

/// The session of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct BrowserSessionRow {
    pub id: Uuid,
    pub player_id: Uuid,
    pub handle: String,
    pub expires_at: Option<OffsetDateTime>,
    pub last_used_on: Option<Date>,
    pub guest: bool,
}

/// The active session with this cookie.
pub async fn find(
    database: &Database,
    token_hash: &[u8],
    now: OffsetDateTime,
) -> Result<Option<BrowserSessionRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = sessions::table
        .inner_join(players::table.on(players::id.eq(sessions::player_id)))
        .filter(sessions::token_hash.eq(token_hash))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(now))
        .select((
            sessions::id,
            sessions::player_id,
            players::handle,
            sessions::expires_at,
            sessions::last_used_on,
            players::guest,
        ))
        .first(&mut connection)
        .await;
    Ok(found.optional()?)
}

/// Notes the use of a session, which thereby lasts longer.
pub async fn prolong(
    database: &Database,
    id: Uuid,
    used_on: Date,
    expires_at: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let live = sessions::table.find(id).filter(sessions::revoked_at.is_null());
    let set = (sessions::last_used_on.eq(used_on), sessions::expires_at.eq(expires_at));
    diesel::update(live).set(set).execute(&mut connection).await?;
    Ok(())
}

/// An active session of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSessionRow {
    pub id: Uuid,
    pub created_at: OffsetDateTime,
    /// What a browser is, as in "Firefox, Linux"; `None` for a program's session.
    pub device: Option<String>,
    pub last_used_on: Date,
}

type Listed = (Uuid, OffsetDateTime, Option<String>, Option<Date>, Option<OffsetDateTime>);

/// The active sessions of a player, newest first, at most `limit`.
pub async fn open_sessions(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<OpenSessionRow>, StoreError> {
    let mut connection = database.get().await?;
    let unexpired = refresh_tokens::table
        .filter(refresh_tokens::session_id.eq(sessions::id))
        .filter(refresh_tokens::used_at.is_null())
        .filter(refresh_tokens::expires_at.gt(now));
    let last_refresh = refresh_tokens::table
        .filter(refresh_tokens::session_id.eq(sessions::id))
        .select(max(refresh_tokens::created_at))
        .single_value();
    let rows: Vec<Listed> = sessions::table
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null())
        .filter(
            sessions::expires_at
                .gt(now)
                .or(sessions::expires_at.is_null().and(diesel::dsl::exists(unexpired))),
        )
        .order(sessions::id.desc())
        .limit(limit)
        .select((sessions::id, sessions::created_at, sessions::device, sessions::last_used_on, last_refresh))
        .load(&mut connection)
        .await?;
    let row = |(id, created_at, device, used_on, refreshed_at): Listed| OpenSessionRow {
        id,
        created_at,
        device,
        last_used_on: used_on.unwrap_or_else(|| refreshed_at.unwrap_or(created_at).date()),
    };
    Ok(rows.into_iter().map(row).collect())
}

/// Ends a player's session; false if the player has no such session.
pub async fn revoke(
    database: &Database,
    player_id: Uuid,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let live = sessions::table
        .find(id)
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null());
    Ok(diesel::update(live).set(sessions::revoked_at.eq(now)).execute(&mut connection).await? > 0)
}

/// Deletes at most `limit` expired sessions of browsers, inside a transaction. Returns how many.
pub(super) async fn remove_expired(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> QueryResult<usize> {
    let old = diesel::alias!(sessions as old_sessions);
    let expired = old
        .filter(old.field(sessions::expires_at).le(now))
        .order(old.field(sessions::expires_at))
        .limit(limit)
        .select(old.field(sessions::id));
    diesel::delete(sessions::table.filter(sessions::id.eq_any(expired))).execute(connection).await
}
