//! The codes of apps on devices without a browser (RFC 8628): one for the app, one that its player types. Both are stored as digests.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::app_grants::{GrantLimits, GrantRow};
use super::app_tokens::{NewAppTokens, NewGrant, insert_grant};
use super::database::Database;
use super::error::StoreError;
use super::schema::{app_device_codes, apps};

/// A request of an app.
#[derive(Clone, Debug, Insertable, Queryable, Selectable)]
#[diesel(table_name = app_device_codes)]
pub struct DeviceCodeRow {
    pub device_hash: Vec<u8>,
    pub user_hash: Vec<u8>,
    pub app_id: Uuid,
    pub scopes: Vec<String>,
    pub game_id: Option<Uuid>,
    pub peer_key: Vec<u8>,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
    pub interval_seconds: i16,
    pub asked_at: Option<OffsetDateTime>,
    pub player_id: Option<Uuid>,
    pub allowed: Option<bool>,
}

/// How many requests of one app may wait for their players at once.
#[derive(Clone, Copy, Debug)]
pub struct WaitingLimits {
    pub of_app: i64,
    /// Of those, how many from one network.
    pub of_network: i64,
}

/// Writes a request; false if as many as may wait do.
pub async fn insert(
    database: &Database,
    new: &DeviceCodeRow,
    limits: WaitingLimits,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let inserted = connection.transaction::<bool, StoreError, _>(async |connection| {
        // Whoever holds the app's row counts alone.
        let app = apps::table.find(new.app_id).select(apps::id).for_update();
        app.first::<Uuid>(connection).await?;
        let waiting = app_device_codes::table
            .filter(app_device_codes::app_id.eq(new.app_id))
            .filter(app_device_codes::expires_at.gt(new.created_at));
        let of_app: i64 = waiting.count().get_result(connection).await?;
        let near = waiting.filter(app_device_codes::peer_key.eq(&new.peer_key));
        let of_network: i64 = near.count().get_result(connection).await?;
        if of_app >= limits.of_app || of_network >= limits.of_network {
            return Ok(false);
        }
        diesel::insert_into(app_device_codes::table).values(new).execute(connection).await?;
        Ok(true)
    });
    inserted.await
}

/// The request that waits for the player who types a code.
pub async fn find_waiting(
    database: &Database,
    user_hash: &[u8],
    now: OffsetDateTime,
) -> Result<Option<DeviceCodeRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = app_device_codes::table
        .filter(app_device_codes::user_hash.eq(user_hash))
        .filter(app_device_codes::allowed.is_null())
        .filter(app_device_codes::expires_at.gt(now))
        .select(DeviceCodeRow::as_select())
        .first(&mut connection)
        .await;
    Ok(found.optional()?)
}

/// Writes what a player has decided; false if no request waits for it any more.
pub async fn decide(
    database: &Database,
    user_hash: &[u8],
    player_id: Uuid,
    allowed: bool,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let waiting = app_device_codes::table
        .filter(app_device_codes::user_hash.eq(user_hash))
        .filter(app_device_codes::allowed.is_null())
        .filter(app_device_codes::expires_at.gt(now));
    let decided =
        (app_device_codes::player_id.eq(Some(player_id)), app_device_codes::allowed.eq(Some(allowed)));
    let changed = diesel::update(waiting).set(decided).execute(&mut connection).await?;
    Ok(changed > 0)
}

/// An app's question whether its player has decided.
pub struct Question<'a> {
    pub app_id: Uuid,
    pub device_hash: &'a [u8],
    pub grant_id: Uuid,
    pub limits: GrantLimits,
    /// How much longer an app has to wait that asks too often, in seconds.
    pub slower_by_seconds: i16,
}

/// The answer to such a question.
#[derive(Debug)]
pub enum Decision {
    /// Allowed: the tokens are written. `ended` are older grants that had to make room.
    Allowed {
        grant: GrantRow,
        ended: Vec<Uuid>,
    },
    Denied,
    Waiting,
    /// It was asked too soon.
    TooSoon,
    Expired,
    /// There is no such code for this app, or it was used.
    Unknown,
}

/// Answers an app. An allowed request is exchanged for a grant with tokens once.
pub async fn ask(
    database: &Database,
    question: &Question<'_>,
    tokens: &NewAppTokens<'_>,
) -> Result<Decision, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let answered = connection.transaction::<Decision, StoreError, _>(async |connection| {
        let ours = app_device_codes::table.find(question.device_hash);
        let row = ours
            .filter(app_device_codes::app_id.eq(question.app_id))
            .select(DeviceCodeRow::as_select())
            .for_update()
            .first(connection)
            .await
            .optional()?;
        let Some(row) = row else { return Ok(Decision::Unknown) };
        match (row.allowed, row.player_id) {
            _ if row.expires_at <= tokens.now => Ok(Decision::Expired),
            (None, _) | (_, None) => Ok(wait(connection, question, &row, tokens.now).await?),
            (Some(false), _) => Ok(Decision::Denied),
            (Some(true), Some(player_id)) => {
                let new = NewGrant {
                    id: question.grant_id,
                    app_id: row.app_id,
                    player_id,
                    scopes: &row.scopes,
                    game_id: row.game_id,
                    limits: question.limits,
                };
                let (grant, ended) = insert_grant(connection, &new, tokens).await?;
                diesel::delete(ours).execute(connection).await?;
                Ok(Decision::Allowed { grant, ended })
            }
        }
    });
    answered.await
}

/// Notes the question, and that the app has to ask less often if it came too soon.
async fn wait(
    connection: &mut AsyncPgConnection,
    question: &Question<'_>,
    row: &DeviceCodeRow,
    now: OffsetDateTime,
) -> QueryResult<Decision> {
    let interval = Duration::seconds(row.interval_seconds.into());
    let is_too_soon = row.asked_at.is_some_and(|asked_at| now < asked_at + interval);
    let more = if is_too_soon { question.slower_by_seconds } else { 0 };
    let asked = (
        app_device_codes::asked_at.eq(Some(now)),
        app_device_codes::interval_seconds.eq(row.interval_seconds.saturating_add(more)),
    );
    let ours = app_device_codes::table.find(question.device_hash);
    diesel::update(ours).set(asked).execute(connection).await?;
    Ok(if is_too_soon { Decision::TooSoon } else { Decision::Waiting })
}

/// Deletes requests that expired before `before`; returns how many.
pub async fn remove_expired(database: &Database, before: OffsetDateTime) -> Result<usize, StoreError> {
    let mut connection = database.get().await?;
    let old = app_device_codes::table.filter(app_device_codes::expires_at.le(before));
    Ok(diesel::delete(old).execute(&mut connection).await?)
}
