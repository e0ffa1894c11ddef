//! Sessions and their refresh tokens, which are stored as hashes. Those of browsers: `browser_sessions.rs`.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::browser_sessions;
use super::database::Database;
use super::error::StoreError;
use super::players::PlayerRow;
use super::schema::{players, refresh_tokens, sessions};

/// A session to open, with its first token.
pub struct NewSession<'a> {
    pub id: Uuid,
    pub player_id: Uuid,
    pub holder: Holder<'a>,
    pub token_hash: &'a [u8],
    pub expires_at: OffsetDateTime,
    pub now: OffsetDateTime,
    /// The server's description of the player's network.
    pub peer_key: &'a [u8],
}

/// Who holds a session's token, and so what the token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder<'a> {
    /// A program, with a refresh token that is exchanged for the next one.
    Program,
    /// A browser, with a cookie that stays the same; `device` is what the player sees in the list of sessions.
    Browser { device: &'a str },
}

/// Opens a session.
pub async fn open(database: &Database, new: &NewSession<'_>) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let opened =
        connection.transaction::<(), StoreError, _>(async |connection| Ok(insert(connection, new).await?));
    opened.await
}

/// Writes a session and its first token, inside a transaction.
pub(super) async fn insert(connection: &mut AsyncPgConnection, new: &NewSession<'_>) -> QueryResult<()> {
    let session = (
        sessions::id.eq(new.id),
        sessions::player_id.eq(new.player_id),
        sessions::created_at.eq(new.now),
        sessions::peer_key.eq(new.peer_key),
    );
    match new.holder {
        Holder::Program => {
            diesel::insert_into(sessions::table).values(session).execute(connection).await?;
            insert_token(connection, new.id, new.token_hash, new.now, new.expires_at).await
        }
        Holder::Browser { device } => {
            let cookie = (
                sessions::token_hash.eq(new.token_hash),
                sessions::expires_at.eq(new.expires_at),
                sessions::last_used_on.eq(new.now.date()),
                sessions::device.eq(device),
            );
            diesel::insert_into(sessions::table).values((session, cookie)).execute(connection).await?;
            Ok(())
        }
    }
}

async fn insert_token(
    connection: &mut AsyncPgConnection,
    session_id: Uuid,
    token_hash: &[u8],
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> QueryResult<()> {
    let token = (
        refresh_tokens::token_hash.eq(token_hash),
        refresh_tokens::session_id.eq(session_id),
        refresh_tokens::created_at.eq(now),
        refresh_tokens::expires_at.eq(expires_at),
    );
    diesel::insert_into(refresh_tokens::table).values(token).execute(connection).await?;
    Ok(())
}

/// The outcome of exchanging a refresh token.
#[derive(Debug)]
pub enum Exchange {
    /// The old token is used, the new one is written.
    Done { session_id: Uuid, player: PlayerRow },
    /// The token was used before: its session is revoked.
    Reused { session_id: Uuid },
    /// The session had ended.
    Ended,
    /// There is no such token, or it has expired.
    Unknown,
}

/// Exchanges a refresh token for a new one. Of several concurrent exchanges of one token one succeeds: a guarded update marks it
/// as used.
pub async fn exchange(
    database: &Database,
    old_hash: &[u8],
    new_hash: &[u8],
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> Result<Exchange, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let exchanged = connection.transaction::<Exchange, StoreError, _>(async |connection| {
        let unused = refresh_tokens::table
            .find(old_hash)
            .filter(refresh_tokens::used_at.is_null())
            .filter(refresh_tokens::expires_at.gt(now));
        let used = diesel::update(unused)
            .set(refresh_tokens::used_at.eq(now))
            .returning(refresh_tokens::session_id)
            .get_result::<Uuid>(connection)
            .await
            .optional()?;
        let Some(session_id) = used else {
            return Ok(revoke_if_reused(connection, old_hash, now).await?);
        };
        let player = sessions::table
            .inner_join(players::table.on(players::id.eq(sessions::player_id)))
            .filter(sessions::id.eq(session_id))
            .filter(sessions::revoked_at.is_null())
            .select(PlayerRow::as_select())
            .first(connection)
            .await
            .optional()?;
        let Some(player) = player else { return Ok(Exchange::Ended) };
        insert_token(connection, session_id, new_hash, now, expires_at).await?;
        Ok(Exchange::Done { session_id, player })
    });
    exchanged.await
}

/// Finds out why a token cannot be used, and revokes the session of a reused one.
async fn revoke_if_reused(
    connection: &mut AsyncPgConnection,
    token_hash: &[u8],
    now: OffsetDateTime,
) -> QueryResult<Exchange> {
    let reused = refresh_tokens::table
        .find(token_hash)
        .filter(refresh_tokens::used_at.is_not_null())
        .select(refresh_tokens::session_id);
    let Some(session_id) = reused.first::<Uuid>(connection).await.optional()? else {
        return Ok(Exchange::Unknown);
    };
    let live = sessions::table.find(session_id).filter(sessions::revoked_at.is_null());
    diesel::update(live).set(sessions::revoked_at.eq(now)).execute(connection).await?;
    Ok(Exchange::Reused { session_id })
}

/// Ends a session.
pub async fn revoke(database: &Database, id: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let live = sessions::table.find(id).filter(sessions::revoked_at.is_null());
    diesel::update(live).set(sessions::revoked_at.eq(now)).execute(&mut connection).await?;
    Ok(())
}

/// Ends all sessions of a player but those in `kept`, inside a transaction.
pub(super) async fn revoke_all(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    kept: &[Uuid],
    now: OffsetDateTime,
) -> QueryResult<()> {
    let live = sessions::table
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::id.ne_all(kept));
    diesel::update(live).set(sessions::revoked_at.eq(now)).execute(connection).await?;
    Ok(())
}

/// Whether a session of that player is active.
pub async fn is_live(database: &Database, id: Uuid, player_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let live = sessions::table
        .find(id)
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null());
    Ok(diesel::select(diesel::dsl::exists(live)).get_result(&mut connection).await?)
}

/// The networks of the newest `limit` sessions, in the server's description.
pub async fn newest_networks(database: &Database, limit: i64) -> Result<Vec<Vec<u8>>, StoreError> {
    let newest = sessions::table.order(sessions::id.desc()).limit(limit).select(sessions::peer_key);
    let keys: Vec<Option<Vec<u8>>> = newest.load(&mut database.get().await?).await?;
    Ok(keys.into_iter().flatten().collect())
}

/// Deletes at most `limit` expired refresh tokens with sessions that have no other, and as many expired sessions of browsers.
/// Returns how many tokens and sessions of browsers.
pub async fn remove_expired(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
) -> Result<usize, StoreError> {
    let old = diesel::alias!(refresh_tokens as old_tokens);
    let mut connection = database.get_for_writing().await?;
    let removed = connection.transaction::<usize, StoreError, _>(async |connection| {
        let expired = old
            .filter(old.field(refresh_tokens::expires_at).le(now))
            .order(old.field(refresh_tokens::expires_at))
            .limit(limit)
            .select(old.field(refresh_tokens::token_hash));
        let mut sessions_touched: Vec<Uuid> =
            diesel::delete(refresh_tokens::table.filter(refresh_tokens::token_hash.eq_any(expired)))
                .returning(refresh_tokens::session_id)
                .get_results(connection)
                .await?;
        let removed = sessions_touched.len();
        sessions_touched.sort_unstable();
        sessions_touched.dedup();
        let left = refresh_tokens::table.filter(refresh_tokens::session_id.eq(sessions::id));
        let over = sessions::table
            .filter(sessions::id.eq_any(sessions_touched))
            .filter(diesel::dsl::not(diesel::dsl::exists(left)));
        diesel::delete(over).execute(connection).await?;
        Ok(removed + browser_sessions::remove_expired(connection, now, limit).await?)
    });
    removed.await
}
