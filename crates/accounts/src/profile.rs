//! Reads and changes a player's profile.

use std::net::IpAddr;

use uuid::Uuid;

use super::{Account, AccountError, Accounts, EmailAddress, Handle, Password};
use pippost_store::players::{self, PlayerRow};
use pippost_store::{Database, mail_links};

/// A player's own profile.
#[derive(Clone)]
pub struct Profile {
    pub player: PlayerRow,
    /// The address that replaces the current one once it is confirmed.
    pub pending_email: Option<String>,
}

/// A change of the profile; `None` leaves a value as it is.
#[derive(Debug, Default)]
pub struct ProfileChange {
    /// Whether mails about games are sent.
    pub mail_enabled: Option<bool>,
    /// A new address, and the password that authorises the change.
    pub email: Option<(EmailAddress, Password)>,
}

impl Accounts {
    /// A player's own profile.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn profile(&self, player_id: Uuid) -> Result<Profile, AccountError> {
        let player = players::player_by_id(&self.0.database, player_id).await?;
        self.profile_of(&self.0.database, player.ok_or(AccountError::NotFound)?).await
    }

    pub(super) async fn profile_of(
        &self,
        database: &Database,
        player: PlayerRow,
    ) -> Result<Profile, AccountError> {
        let pending_email = mail_links::pending_email(database, player.id, self.0.clock.now()).await?;
        Ok(Profile { player, pending_email })
    }

    /// The handle as it is now, which a token may not know yet, and whether a program plays on the account.
    ///
    /// # Errors
    /// A failure.
    pub async fn name(&self, account: &Account) -> Result<(String, bool), AccountError> {
        let name = players::name(&self.0.database, account.player_id).await?;
        Ok(name.unwrap_or_else(|| (account.handle.clone(), false)))
    }

    /// A player's public profile.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn player(&self, handle: &Handle) -> Result<PlayerRow, AccountError> {
        let player = players::player_by_handle(&self.0.database, handle.key()).await?;
        player.ok_or(AccountError::NotFound)
    }

    /// The first players whose handles begin with `beginning`, which is in lower case; guests are not found.
    ///
    /// # Errors
    /// The database failed.
    pub async fn beginning_with(&self, beginning: &str) -> Result<Vec<String>, AccountError> {
        Ok(players::beginning_with(&self.0.database, beginning).await?)
    }

    /// As [`Self::player`], of a text that may be no handle.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn player_named(&self, text: &str) -> Result<PlayerRow, AccountError> {
        let handle = Handle::parse(text).map_err(|_| AccountError::NotFound)?;
        self.player(&handle).await
    }

    /// Gives the player's own handle other capitals.
    ///
    /// # Errors
    /// [`AccountError::Invalid`] if it is another handle; or a failure.
    pub async fn change_capitals(&self, account: &Account, text: &str) -> Result<(), AccountError> {
        let other =
            || AccountError::Invalid { field: "handle", why: "only its capitals can change".to_owned() };
        let handle = Handle::parse(text).map_err(|_| other())?;
        if !players::set_capitals(&self.0.database, account.player_id, handle.as_typed()).await? {
            return Err(other());
        }
        // Checked tokens hold the handle.
        self.forget_tokens_of(account.player_id);
        Ok(())
    }

    /// Changes a profile. A new address is checked first; if it is refused, nothing changes.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], [`AccountError::EmailRefused`], [`AccountError::TooManyTries`],
    /// [`AccountError::Unauthenticated`] without a session,
    /// [`AccountError::NotFound`], or a failure.
    pub async fn change_profile(
        &self,
        account: &Account,
        change: &ProfileChange,
        peer: IpAddr,
    ) -> Result<Profile, AccountError> {
        if let Some((email, password)) = &change.email {
            self.check_address(email)?;
            self.ask_for_address(account, email, password, peer).await?;
        }
        if let Some(enabled) = change.mail_enabled {
            let changed = players::set_mail_enabled(&self.0.database, account.player_id, enabled).await?;
            changed.ok_or(AccountError::NotFound)?;
        }
        self.profile(account.player_id).await
    }

    async fn ask_for_address(
        &self,
        account: &Account,
        email: &EmailAddress,
        password: &Password,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let player = self.check_own_password(account, password, peer).await?.player;
        if player.email == email.as_str() && player.email_confirmed_at.is_some() {
            return Ok(());
        }
        self.check_carried(email).await?;
        // Only the mail says whether somebody else has confirmed the address.
        self.ask_for_confirmation(account.player_id, email.as_str(), peer).await
    }
}
