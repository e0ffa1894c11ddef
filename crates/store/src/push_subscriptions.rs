//! Browsers and programs of players that are told by web push. `push_messages` has what they are told.

use diesel::prelude::*;
use diesel::sql_types::{Bytea, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{players, push_subscriptions};
use super::webhook_managers::{Holder, Manager, is_in_force};

/// The most subscriptions of a player.
pub const MAX_SUBSCRIPTIONS: i64 = 10;

/// A subscription as its player sees it.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = push_subscriptions)]
pub struct PushSubscriptionRow {
    pub id: Uuid,
    pub session_id: Option<Uuid>,
    pub host: String,
    pub label: Option<String>,
    pub created_at: OffsetDateTime,
    pub failing_since: Option<OffsetDateTime>,
    pub last_sent_at: Option<OffsetDateTime>,
}

/// A subscription to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = push_subscriptions)]
pub struct NewPushSubscription {
    pub id: Uuid,
    pub player_id: Uuid,
    pub session_id: Option<Uuid>,
    pub token_id: Option<Uuid>,
    pub grant_id: Option<Uuid>,
    pub endpoint_hash: Vec<u8>,
    pub host: String,
    pub label: Option<String>,
    pub sealed: Vec<u8>,
    pub created_at: OffsetDateTime,
    pub not_before: OffsetDateTime,
    pub rate_free_at: OffsetDateTime,
}

/// The outcome of subscribing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscribed {
    Done,
    /// The player has as many as a player may have.
    TooMany,
    /// The player's e-mail address is not confirmed.
    AddressNotConfirmed,
    /// What the request was sent with has been revoked in the meantime.
    Ended,
}

/// What a subscription was made with has not ended: a session, a personal token or what an app is allowed.
macro_rules! in_force {
    ($subscription:literal, $now:literal) => {
        concat!(
            "(exists (select from sessions h where h.id = ",
            $subscription,
            ".session_id and h.revoked_at is null and (h.expires_at is null or h.expires_at > ",
            $now,
            ")) or exists (select from personal_tokens h where h.id = ",
            $subscription,
            ".token_id and h.revoked_at is null and (h.expires_at is null or h.expires_at > ",
            $now,
            ")) or exists (select from app_grants h where h.id = ",
            $subscription,
            ".grant_id and h.revoked_at is null))"
        )
    };
}
pub(super) use in_force;

/// The subscriptions that a manager manages.
macro_rules! managed_by {
    ($manager:expr) => {
        push_subscriptions::player_id.eq($manager.player_id).nullable().and(
            $manager
                .manages_all()
                .into_sql::<diesel::sql_types::Bool>()
                .nullable()
                .or(push_subscriptions::grant_id.eq_any(&$manager.registered_by))
                .or(push_subscriptions::token_id.eq_any(&$manager.registered_by)),
        )
    };
}

/// Removes the subscriptions of a player whose makers have ended: `$1` the player, `$2` now.
const FORGET_ENDED: &str =
    concat!("delete from push_subscriptions s where s.player_id = $1 and not ", in_force!("s", "$2"));

/// Two players who subscribe the same browser at once come one after the other: `$1` the address's hash.
const LOCK_ENDPOINT: &str = "select pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 180))";

/// The subscription of a player with this address, whoever made it.
///
/// # Errors
/// The database failed.
pub async fn with_endpoint(
    database: &Database,
    player_id: Uuid,
    endpoint_hash: &[u8],
) -> Result<Option<Uuid>, StoreError> {
    let same = push_subscriptions::table
        .filter(push_subscriptions::endpoint_hash.eq(endpoint_hash))
        .filter(push_subscriptions::player_id.eq(player_id));
    Ok(same.select(push_subscriptions::id).first(&mut database.get().await?).await.optional()?)
}

/// Writes a subscription, in place of the one with its id or its address: a browser tells the player who subscribed last. Refused if
/// its player has `limit` others already or has not confirmed an e-mail address, or its holder has ended.
///
/// # Errors
/// The database failed.
pub async fn insert(
    database: &Database,
    new: &NewPushSubscription,
    holder: Holder,
    limit: i64,
) -> Result<Subscribed, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let inserted = connection.transaction::<Subscribed, StoreError, _>(async |connection| {
        // Whoever holds the player's row counts alone.
        let player = players::table.find(new.player_id).select(players::email_confirmed_at).for_update();
        let confirmed_at = player.first::<Option<OffsetDateTime>>(connection).await?;
        if !is_in_force(connection, holder).await? {
            return Ok(Subscribed::Ended);
        }
        if confirmed_at.is_none() {
            return Ok(Subscribed::AddressNotConfirmed);
        }
        forget_ended(connection, new.player_id, new.created_at).await?;
        let lock = diesel::sql_query(LOCK_ENDPOINT).bind::<Bytea, _>(&new.endpoint_hash);
        lock.execute(connection).await?;
        let others = push_subscriptions::table
            .filter(push_subscriptions::player_id.eq(new.player_id))
            .filter(push_subscriptions::endpoint_hash.ne(&new.endpoint_hash));
        if others.count().get_result::<i64>(connection).await? >= limit {
            return Ok(Subscribed::TooMany);
        }
        // Removed, not changed: what still waits for another player is not for this one.
        let taken_over = push_subscriptions::table
            .filter(push_subscriptions::endpoint_hash.eq(&new.endpoint_hash))
            .filter(push_subscriptions::id.ne(new.id));
        diesel::delete(taken_over).execute(connection).await?;
        // A failing one, and one to which much was sent, waits on.
        let renewed = (
            push_subscriptions::session_id.eq(new.session_id),
            push_subscriptions::token_id.eq(new.token_id),
            push_subscriptions::grant_id.eq(new.grant_id),
            push_subscriptions::label.eq(&new.label),
            push_subscriptions::sealed.eq(&new.sealed),
        );
        diesel::insert_into(push_subscriptions::table)
            .values(new)
            .on_conflict(push_subscriptions::id)
            .do_update()
            .set(renewed)
            .execute(connection)
            .await?;
        Ok(Subscribed::Done)
    });
    inserted.await
}

async fn forget_ended(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<usize> {
    let forget = diesel::sql_query(FORGET_ENDED).bind::<SqlUuid, _>(player_id);
    forget.bind::<Timestamptz, _>(now).execute(connection).await
}

/// The subscriptions that a manager manages, oldest first. Those whose makers have ended are forgotten.
///
/// # Errors
/// The database failed.
pub async fn list(
    database: &Database,
    manager: &Manager,
    now: OffsetDateTime,
) -> Result<Vec<PushSubscriptionRow>, StoreError> {
    let mut connection = database.get().await?;
    forget_ended(&mut connection, manager.player_id, now).await?;
    let ours = push_subscriptions::table.filter(managed_by!(manager)).order(push_subscriptions::id);
    Ok(ours.select(PushSubscriptionRow::as_select()).load(&mut connection).await?)
}

/// Removes a subscription of a manager; false if there is none.
///
/// # Errors
/// The database failed.
pub async fn remove(database: &Database, manager: &Manager, id: Uuid) -> Result<bool, StoreError> {
    let ours = push_subscriptions::table.find(id).filter(managed_by!(manager));
    Ok(diesel::delete(ours).execute(&mut database.get().await?).await? > 0)
}

/// Removes the subscription of a player with this address, if there is one.
///
/// # Errors
/// The database failed.
pub async fn remove_endpoint(
    database: &Database,
    player_id: Uuid,
    endpoint_hash: &[u8],
) -> Result<bool, StoreError> {
    let ours = push_subscriptions::table
        .filter(push_subscriptions::endpoint_hash.eq(endpoint_hash))
        .filter(push_subscriptions::player_id.eq(player_id));
    Ok(diesel::delete(ours).execute(&mut database.get().await?).await? > 0)
}
