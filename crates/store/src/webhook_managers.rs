//! Who manages webhooks: sessions, personal tokens and apps. What a token has registered is its own, and ends with it.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::schema::{app_grants, app_tokens, personal_tokens, sessions, webhooks};

/// What a request that manages webhooks was sent with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Session(Uuid),
    PersonalToken(Uuid),
    /// What the player allows an app.
    Grant(Uuid),
}

/// Who manages webhooks of a player: a session all of them, a personal token those that it registered, and an app those that it
/// registered for the player. So a token that is revoked leaves nothing behind that it could have changed.
#[derive(Clone, Debug)]
pub struct Manager {
    pub player_id: Uuid,
    pub holder: Holder,
    /// The personal token, or what the player allows the app, each time that it was allowed; empty for a session.
    pub(super) registered_by: Vec<Uuid>,
}

impl Manager {
    /// A player with a session, who manages all own webhooks.
    #[must_use]
    pub fn of_session(player_id: Uuid, session_id: Uuid) -> Self {
        Self { player_id, holder: Holder::Session(session_id), registered_by: Vec::new() }
    }

    /// A player's personal token or app.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of_token(database: &Database, player_id: Uuid, token_id: Uuid) -> Result<Self, StoreError> {
        let given = diesel::alias!(app_grants as given);
        let app = given
            .filter(given.field(app_grants::id).eq(token_id))
            .select(given.field(app_grants::app_id))
            .single_value();
        let of_app = app_grants::table
            .filter(app_grants::player_id.eq(player_id).and(app_grants::app_id.nullable().eq(app)))
            .select(app_grants::id);
        let of_app: Vec<Uuid> = of_app.load(&mut database.get().await?).await?;
        Ok(if of_app.contains(&token_id) {
            Self { player_id, holder: Holder::Grant(token_id), registered_by: of_app }
        } else {
            Self { player_id, holder: Holder::PersonalToken(token_id), registered_by: vec![token_id] }
        })
    }

    pub(super) fn manages_all(&self) -> bool {
        matches!(self.holder, Holder::Session(_))
    }
}

/// The webhooks that a manager manages.
macro_rules! managed_by {
    ($manager:expr) => {
        $crate::schema::webhooks::player_id.eq($manager.player_id).nullable().and(
            $manager
                .manages_all()
                .into_sql::<diesel::sql_types::Bool>()
                .nullable()
                .or($crate::schema::webhooks::grant_id.eq_any(&$manager.registered_by))
                .or($crate::schema::webhooks::token_id.eq_any(&$manager.registered_by)),
        )
    };
}
pub(super) use managed_by;

/// Whether a holder has not ended; it does not end before the transaction does, so whatever ends it finds the webhook.
pub(super) async fn is_in_force(connection: &mut AsyncPgConnection, holder: Holder) -> QueryResult<bool> {
    let found: Option<Uuid> = match holder {
        Holder::Session(id) => {
            let live = sessions::table.find(id).filter(sessions::revoked_at.is_null());
            live.select(sessions::id).for_share().first(connection).await.optional()?
        }
        Holder::PersonalToken(id) => {
            let live = personal_tokens::table.find(id).filter(personal_tokens::revoked_at.is_null());
            live.select(personal_tokens::id).for_share().first(connection).await.optional()?
        }
        Holder::Grant(id) => {
            let live = app_grants::table.find(id).filter(app_grants::revoked_at.is_null());
            live.select(app_grants::id).for_share().first(connection).await.optional()?
        }
    };
    Ok(found.is_some())
}

/// Removes what these grants and personal tokens have registered, inside the transaction that revokes them.
pub(super) async fn remove_of(connection: &mut AsyncPgConnection, holders: &[Uuid]) -> QueryResult<()> {
    if holders.is_empty() {
        return Ok(());
    }
    let theirs = webhooks::grant_id.eq_any(holders).or(webhooks::token_id.eq_any(holders));
    diesel::delete(webhooks::table.filter(theirs)).execute(connection).await?;
    forget_grants(connection, holders).await
}

/// Removes all webhooks of a player, inside the transaction that revokes the grants and personal tokens.
pub(super) async fn remove_all(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<()> {
    let ours = webhooks::table.filter(webhooks::player_id.eq(player_id));
    let grants: Vec<Option<Uuid>> =
        diesel::delete(ours).returning(webhooks::grant_id).get_results(connection).await?;
    forget_grants(connection, &grants.into_iter().flatten().collect::<Vec<_>>()).await
}

/// Deletes those of these grants that were kept for webhooks alone, and have none any more.
pub(super) async fn forget_grants(connection: &mut AsyncPgConnection, ids: &[Uuid]) -> QueryResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let tokens = app_tokens::table.filter(app_tokens::grant_id.eq(app_grants::id));
    let hooks = webhooks::table.filter(webhooks::grant_id.eq(app_grants::id.nullable()));
    let over = app_grants::table
        .filter(app_grants::id.eq_any(ids))
        .filter(not(exists(tokens)))
        .filter(not(exists(hooks)));
    diesel::delete(over).execute(connection).await?;
    Ok(())
}
