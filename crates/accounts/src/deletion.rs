//! Deletes accounts. The games that the player leaves behind are left by `games::departing`.

use std::net::IpAddr;

use super::{Account, AccountError, Accounts, Password, mailbox_key};
use pippost_store::deletion;

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
}
