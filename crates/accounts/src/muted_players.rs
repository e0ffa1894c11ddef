//! Players whose messages at the table a player does not want to read. They are not told.

use uuid::Uuid;

use super::{AccountError, Accounts};
use pippost_store::bounded_list::ListedPlayer;
use pippost_store::muted_players::{MAX_MUTED, MUTED};

impl Accounts {
    /// Shows and mails a player no more messages of another; returns the other's handle.
    ///
    /// # Errors
    /// [`AccountError::NotFound`] if there is no other such player, [`AccountError::Invalid`] if the player mutes many, or a failure.
    pub async fn mute_player(&self, player_id: Uuid, handle: &str) -> Result<String, AccountError> {
        let muted = self.player_named(handle).await?;
        if muted.id == player_id {
            return Err(AccountError::NotFound);
        }
        if !MUTED.add(&self.0.database, player_id, muted.id, self.0.clock.now()).await? {
            return Err(AccountError::Invalid {
                field: "player",
                why: format!("at most {MAX_MUTED} players"),
            });
        }
        Ok(muted.handle)
    }

    /// The players whom a player mutes, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn muted_players(&self, player_id: Uuid) -> Result<Vec<ListedPlayer>, AccountError> {
        Ok(MUTED.players(&self.0.database, player_id).await?)
    }

    /// Shows a player the messages of another again, those of meanwhile too.
    ///
    /// # Errors
    /// The database failed.
    pub async fn unmute_player(&self, player_id: Uuid, muted_id: Uuid) -> Result<(), AccountError> {
        Ok(MUTED.remove(&self.0.database, player_id, muted_id).await?)
    }
}
