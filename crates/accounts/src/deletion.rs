//! Deletes accounts. The games that the player leaves behind are left by `games::departing`.

use std::net::IpAddr;

use uuid::Uuid;

use super::{Account, AccountError, Accounts, Password, mailbox_key};
use pippost_store::players::{self, PlayerKey};
use pippost_store::{closed_accounts, deletion};

impl Accounts {
    /// Erases an account for good. Its sessions and tokens end; its handle stays taken, because records name it.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], [`AccountError::TooManyTries`], [`AccountError::Unauthenticated`] without a session, or a
    /// failure.
    pub async fn delete(
        &self,
        account: &Account,
        password: &Password,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let known = self.check_own_password(account, password, peer).await?;
        let player_id = account.player_id;
        let now = self.0.clock.now();
        if !deletion::delete_account(&self.0.database, player_id, &known.password_hash, mailbox_key, now)
            .await?
        {
            return Err(AccountError::WrongCredentials);
        }
        self.forget_tokens_of(player_id);
        tracing::info!(%player_id, "account deleted");
        Ok(())
    }
    /// Whether an operator keeps the player out.
    ///
    /// # Errors
    /// The database failed.
    pub async fn is_closed(&self, player_id: Uuid) -> Result<bool, AccountError> {
        Ok(closed_accounts::is_closed(&self.0.database, player_id).await?)
    }

    /// Erases a closed account, to which nobody can log in any more: whoever asks has the link of the mail about it. False if it is
    /// not closed, or gone.
    ///
    /// # Errors
    /// The database failed.
    pub async fn delete_closed(&self, player_id: Uuid) -> Result<bool, AccountError> {
        let database = &self.0.database;
        if !self.is_closed(player_id).await? {
            return Ok(false);
        }
        let Some(known) = players::credentials(database, PlayerKey::Id(player_id)).await? else {
            return Ok(false);
        };
        let now = self.0.clock.now();
        let deleted =
            deletion::delete_account(database, player_id, &known.password_hash, mailbox_key, now).await?;
        tracing::info!(%player_id, deleted, "a closed account is to be deleted");
        Ok(deleted)
    }
}
