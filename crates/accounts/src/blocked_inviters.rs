//! Blocks inviters by the link in their mail, and lists and ends the blocks of a player.

use uuid::Uuid;

use super::{AccountError, Accounts, SwitchOff, mailbox_key};
use pippost_store::blocked_inviters::{self, BlockedInviter, Blocker};
use pippost_store::{notices, players};

impl Accounts {
    /// The handle of the player whom the link in an invitation can block.
    ///
    /// # Errors
    /// The database failed.
    pub async fn inviter_of(&self, about: &SwitchOff) -> Result<Option<String>, AccountError> {
        let Some(inviter_id) = about.inviter_id else { return Ok(None) };
        let inviter = players::player_by_id(&self.0.database, inviter_id).await?;
        Ok(inviter.map(|inviter| inviter.handle))
    }

    /// Lets the inviter of a mail invite its recipient no more. Nobody is told.
    ///
    /// # Errors
    /// [`AccountError::LinkInvalid`] if the mail is no invitation, or a failure.
    pub async fn block_inviter(&self, about: &SwitchOff) -> Result<(), AccountError> {
        let inviter_id = about.inviter_id.ok_or(AccountError::LinkInvalid)?;
        let database = &self.0.database;
        let blocker = if let Some(player_id) = about.player_id {
            Blocker::Player(player_id)
        } else {
            let notice = notices::about(database, about.notice_id).await?;
            let address = notice.and_then(|notice| notice.address).ok_or(AccountError::LinkInvalid)?;
            let mailbox_key = mailbox_key(&address);
            Blocker::Stranger { address, mailbox_key }
        };
        Ok(blocked_inviters::block(database, &blocker, inviter_id, self.0.clock.now()).await?)
    }

    /// The inviters whom a player has blocked, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn blocked_inviters(&self, player_id: Uuid) -> Result<Vec<BlockedInviter>, AccountError> {
        Ok(blocked_inviters::of_player(&self.0.database, player_id).await?)
    }

    /// Ends a block.
    ///
    /// # Errors
    /// The database failed.
    pub async fn unblock_inviter(&self, player_id: Uuid, inviter_id: Uuid) -> Result<(), AccountError> {
        Ok(blocked_inviters::unblock(&self.0.database, player_id, inviter_id).await?)
    }
}
