//! What a player sees and changes of the account.

use std::net::IpAddr;

use uuid::Uuid;

use super::{Account, AccountError, Accounts, EmailAddress, Handle, Password};
use crate::store::mail_links;
use crate::store::players::{self, PlayerRow, Wanted};

/// A player, for the player's own eyes.
#[derive(Clone)]
pub struct Profile {
    pub player: PlayerRow,
    /// The address that replaces the one in use as soon as it is confirmed.
    pub pending_email: Option<String>,
}

/// What to change; `None` leaves it as it is.
#[derive(Debug, Default)]
pub struct ProfileChange {
    /// Whether mails about games are sent at all.
    pub mail_enabled: Option<bool>,
    /// A new address, and the password to prove that the player asks.
    pub email: Option<(EmailAddress, Password)>,
}

impl Accounts {
    /// A player's own profile.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn profile(&self, player_id: Uuid) -> Result<Profile, AccountError> {
        let player = players::player_by_id(&self.0.database, player_id).await?;
        self.profile_of(player.ok_or(AccountError::NotFound)?).await
    }

    pub(super) async fn profile_of(&self, player: PlayerRow) -> Result<Profile, AccountError> {
        let pending_email =
            mail_links::pending_email(&self.0.database, player.id, self.0.clock.now()).await?;
        Ok(Profile { player, pending_email })
    }

    /// Somebody's public face.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn player(&self, handle: &Handle) -> Result<PlayerRow, AccountError> {
        let player = players::player_by_handle(&self.0.database, handle.as_str()).await?;
        player.ok_or(AccountError::NotFound)
    }

    /// Changes a profile. A new address is asked for first; if that is refused, nothing changes.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], [`AccountError::TooManyTries`], [`AccountError::Unauthenticated`] without a session,
    /// [`AccountError::NotFound`], or a failure.
    pub async fn change_profile(
        &self,
        account: &Account,
        change: &ProfileChange,
        peer: IpAddr,
    ) -> Result<Profile, AccountError> {
        if let Some((email, password)) = &change.email {
            let session_id = account.session_id.ok_or(AccountError::Unauthenticated)?;
            self.0.log_in.pass_session(peer, &account.handle, session_id)?;
            self.ask_for_address(account.player_id, email, password, peer).await?;
        }
        if let Some(enabled) = change.mail_enabled {
            let changed = players::set_mail_enabled(&self.0.database, account.player_id, enabled).await?;
            changed.ok_or(AccountError::NotFound)?;
        }
        self.profile(account.player_id).await
    }

    async fn ask_for_address(
        &self,
        player_id: Uuid,
        email: &EmailAddress,
        password: &Password,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let player = self.check_password(Wanted::Id(player_id), password).await?.player;
        if player.email == email.as_str() && player.email_confirmed_at.is_some() {
            return Ok(());
        }
        // Whether somebody has confirmed it is for the mail to say.
        self.ask_for_confirmation(player_id, email.as_str(), peer).await
    }
}
