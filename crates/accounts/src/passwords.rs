//! Changes passwords, and resets forgotten ones.

use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::password::Asker;
use super::{Account, AccountError, Accounts, ChosenPassword, EmailAddress, Handle, Password};
use pippost_keys::Purpose;
use pippost_store::mail_links::{self, LinkPurpose, ResetRequest};
use pippost_store::players::{self, PasswordChange, PlayerRow, UNIQUE_EMAIL};

/// How long a link that sets a new password is valid.
pub const RESET_LIFETIME: Duration = Duration::hours(2);

impl Accounts {
    /// Changes the password and ends all other sessions; with `end_tokens` personal tokens, apps and webhooks, too.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`] if `current` is not the current password; [`AccountError::PasswordTooCommon`];
    /// [`AccountError::TooManyTries`]; [`AccountError::Unauthenticated`] without a session; or a failure.
    pub async fn change_password(
        &self,
        account: &Account,
        current: &Password,
        new: &Password,
        end_tokens: bool,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let kept_session = account.session_id.ok_or(AccountError::Unauthenticated)?;
        let credentials = self.check_own_password(account, current, peer).await?;
        let new = choose(new, &credentials.player)?;
        let change = PasswordChange {
            player_id: account.player_id,
            old_hash: &credentials.password_hash,
            new_hash: &self.0.hasher.hash(&new, Asker::Known).await?,
            kept_session,
            end_tokens,
            now: self.0.clock.now(),
        };
        if !players::change_password(&self.0.database, &change).await? {
            return Err(AccountError::WrongCredentials);
        }
        self.forget_tokens_of(account.player_id);
        tracing::info!(player_id = %account.player_id, "password changed");
        Ok(())
    }

    /// Queues a mail with a link that sets a new password, if the address has an account; the caller cannot tell.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`], or a failure.
    pub async fn request_password_reset(
        &self,
        email: &EmailAddress,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let email_key = email.key();
        self.0.reset.pass(peer, &email.mailbox_key())?;
        let now = self.0.clock.now();
        let request = ResetRequest {
            email_key: &email_key,
            link_id: Uuid::now_v7(),
            now,
            expires_at: now + RESET_LIFETIME,
        };
        mail_links::ask_for_reset(&self.0.database, &request).await?;
        self.0.outbox_signal.notify();
        Ok(())
    }

    /// Sets a new password with a link from a mail and ends all sessions; revokes personal tokens too, unless `keep_tokens`.
    ///
    /// # Errors
    /// [`AccountError::LinkInvalid`], [`AccountError::PasswordTooCommon`], [`AccountError::TooManyTries`], or a failure.
    pub async fn reset_password(
        &self,
        token: &str,
        new: &Password,
        keep_tokens: bool,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        self.0.reset.pass_peer(peer)?;
        let id = self.0.secret.read_link_token(Purpose::ResetPassword, token);
        let id = id.ok_or(AccountError::LinkInvalid)?;
        let now = self.0.clock.now();
        // Check first, so that an invalid link costs no hash. The guarded update below decides.
        let link = mail_links::find(&self.0.database, id).await?;
        let good = link.filter(|link| {
            link.purpose == LinkPurpose::ResetPassword && link.used_at.is_none() && now < link.expires_at
        });
        let link = good.ok_or(AccountError::LinkInvalid)?;
        let player = players::player_by_id(&self.0.database, link.player_id).await?;
        let new = choose(new, &player.ok_or(AccountError::LinkInvalid)?)?;
        let new_hash = self.0.hasher.hash(&new, self.asker(peer)).await?;
        let reset = mail_links::reset_password(&self.0.database, id, &new_hash, keep_tokens, now).await;
        let player_id = match reset {
            // Somebody else has confirmed the address since, so it belongs to that account now.
            Err(error) if error.violated_unique() == Some(UNIQUE_EMAIL) => None,
            reset => reset?,
        };
        let player_id = player_id.ok_or(AccountError::LinkInvalid)?;
        self.forget_tokens_of(player_id);
        tracing::info!(%player_id, "password reset");
        Ok(())
    }
}

/// A new password for a player who exists.
fn choose(new: &Password, player: &PlayerRow) -> Result<ChosenPassword, AccountError> {
    let unreadable = |what| AccountError::Corrupt(player.id, what);
    let handle = Handle::parse(&player.handle).map_err(|_| unreadable("handle"))?;
    let email = EmailAddress::parse(&player.email).map_err(|_| unreadable("address"))?;
    ChosenPassword::new(new.clone(), &handle, &email)
        .map_err(|_| AccountError::PasswordTooCommon { field: "new_password" })
}
