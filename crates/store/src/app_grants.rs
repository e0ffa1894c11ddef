//! What players allow apps, until it is revoked or nobody has used it for long.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::app_tokens::AppTokenKind;
use super::database::Database;
use super::error::StoreError;
use super::schema::{app_codes, app_device_codes, app_grants, app_tokens, apps};
use super::webhook_managers;

/// What a player allows an app.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = app_grants)]
pub struct GrantRow {
    pub id: Uuid,
    pub app_id: Uuid,
    pub player_id: Uuid,
    pub scopes: Vec<String>,
    /// The only game that it is for.
    pub game_id: Option<Uuid>,
    pub created_at: OffsetDateTime,
    pub last_used_on: Option<Date>,
    pub revoked_at: Option<OffsetDateTime>,
}

/// A grant in force, with the name and homepage of its app.
pub type ListedGrant = (GrantRow, String, String);

/// The webhooks of a grant: as long as there is one, the grant is in use, whether or not its app asks for anything.
macro_rules! webhooks_of_it {
    () => {
        $crate::schema::webhooks::table
            .filter($crate::schema::webhooks::grant_id.eq(app_grants::id.nullable()))
    };
}
pub(super) use webhooks_of_it;

/// The grants of a player that an app can still use, or by which it is still told of something, newest first.
pub async fn list(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Vec<ListedGrant>, StoreError> {
    let mut connection = database.get().await?;
    let refreshable = app_tokens::table
        .filter(app_tokens::grant_id.eq(app_grants::id))
        .filter(app_tokens::kind.eq(AppTokenKind::Refresh))
        .filter(app_tokens::expires_at.gt(now));
    let rows = app_grants::table
        .inner_join(apps::table.on(apps::id.eq(app_grants::app_id)))
        .filter(app_grants::player_id.eq(player_id))
        .filter(app_grants::revoked_at.is_null())
        .filter(exists(refreshable).or(exists(webhooks_of_it!())))
        .order(app_grants::id.desc())
        .select((GrantRow::as_select(), apps::name, apps::homepage))
        .load(&mut connection)
        .await?;
    Ok(rows)
}

/// Revokes a player's grant, with its webhooks; false if the player has no such grant.
pub async fn revoke(
    database: &Database,
    player_id: Uuid,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let revoked = connection.transaction::<bool, StoreError, _>(async |connection| {
        let live = app_grants::table
            .find(id)
            .filter(app_grants::player_id.eq(player_id))
            .filter(app_grants::revoked_at.is_null());
        let revoked = diesel::update(live).set(app_grants::revoked_at.eq(now)).execute(connection).await?;
        if revoked > 0 {
            webhook_managers::remove_of(connection, &[id]).await?;
        }
        Ok(revoked > 0)
    });
    revoked.await
}

/// Revokes a grant, with its webhooks, inside a transaction.
pub(super) async fn revoke_one(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let live = app_grants::table.find(id).filter(app_grants::revoked_at.is_null());
    diesel::update(live).set(app_grants::revoked_at.eq(now)).execute(connection).await?;
    webhook_managers::remove_of(connection, &[id]).await
}

/// Revokes all grants of a player, but leaves their webhooks to the caller, inside a transaction.
pub(super) async fn revoke_all(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let live = app_grants::table
        .filter(app_grants::player_id.eq(player_id))
        .filter(app_grants::revoked_at.is_null());
    diesel::update(live).set(app_grants::revoked_at.eq(now)).execute(connection).await?;
    Ok(())
}

/// Makes the codes void that a player has given to apps and that nobody has used, inside a transaction.
pub(super) async fn void_codes(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<()> {
    let unused =
        app_codes::table.filter(app_codes::player_id.eq(player_id)).filter(app_codes::used_at.is_null());
    diesel::delete(unused).execute(connection).await?;
    let of_devices = app_device_codes::table.filter(app_device_codes::player_id.eq(player_id));
    diesel::delete(of_devices).execute(connection).await?;
    Ok(())
}

/// How many grants a player may have, of one app and of all.
#[derive(Clone, Copy, Debug)]
pub struct GrantLimits {
    pub of_app: i64,
    pub in_all: i64,
}

/// Revokes the oldest grants of a player that have no webhook, so that there is room for one more of an app. Inside a transaction that
/// holds the player's row; returns what ended.
pub(super) async fn make_room(
    connection: &mut AsyncPgConnection,
    player_id: Uuid,
    app_id: Uuid,
    limits: GrantLimits,
    now: OffsetDateTime,
) -> QueryResult<Vec<Uuid>> {
    let live = || {
        app_grants::table
            .filter(app_grants::player_id.eq(player_id))
            .filter(app_grants::revoked_at.is_null())
            .filter(not(exists(webhooks_of_it!())))
            .order(app_grants::id.desc())
            .select(app_grants::id)
    };
    let of_app = live().filter(app_grants::app_id.eq(app_id)).offset(limits.of_app - 1);
    let mut ending: Vec<Uuid> = of_app.load(connection).await?;
    ending.extend(live().offset(limits.in_all - 1).load::<Uuid>(connection).await?);
    let set = diesel::update(app_grants::table.filter(app_grants::id.eq_any(&ending)));
    set.set(app_grants::revoked_at.eq(now)).execute(connection).await?;
    Ok(ending)
}
