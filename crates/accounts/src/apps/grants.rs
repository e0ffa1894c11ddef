//! The apps that may act for a player.

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::ScopeList;
use crate::{AccountError, Accounts, Scopes};
use pippost_store::app_grants;

/// What a player allows an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub id: Uuid,
    pub app_id: Uuid,
    pub name: String,
    pub homepage: String,
    pub scopes: ScopeList,
    pub since: OffsetDateTime,
    pub last_used_on: Option<Date>,
}

impl Accounts {
    /// The apps that may act for a player, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn grants(&self, player_id: Uuid) -> Result<Vec<Grant>, AccountError> {
        let rows = app_grants::list(&self.0.database, player_id, self.0.clock.now()).await?;
        let grant = |(row, name, homepage): app_grants::ListedGrant| Grant {
            id: row.id,
            app_id: row.app_id,
            name,
            homepage,
            scopes: ScopeList {
                scopes: Scopes::from_names(row.scopes.iter().map(String::as_str)),
                game_id: row.game_id,
            },
            since: row.created_at,
            last_used_on: row.last_used_on,
        };
        Ok(rows.into_iter().map(grant).collect())
    }

    /// Revokes what a player allows an app; its tokens end at once.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn revoke_grant(&self, player_id: Uuid, id: Uuid) -> Result<(), AccountError> {
        if !app_grants::revoke(&self.0.database, player_id, id, self.0.clock.now()).await? {
            return Err(AccountError::NotFound);
        }
        self.forget_token(id);
        tracing::info!(%player_id, grant_id = %id, "app revoked");
        Ok(())
    }
}
