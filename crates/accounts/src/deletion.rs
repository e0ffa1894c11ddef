//! Deletes accounts. The games that the player leaves behind are left by `games::departing`.

use std::net::IpAddr;

use super::password::Asker;
use super::{Account, AccountError, Accounts, Password, mailbox_key};
use pippost_store::deletion;
use pippost_store::players::PlayerKey;

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
        let session_id = account.session_id.ok_or(AccountError::Unauthenticated)?;
        self.0.log_in.pass_session(peer, &account.handle, session_id)?;
        let player_id = account.player_id;
        let known = self.check_password(PlayerKey::Id(player_id), password, Asker::Known).await?;
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
