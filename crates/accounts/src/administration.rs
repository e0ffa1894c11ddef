//! Account operations for the people who run the server.

use uuid::Uuid;

use super::password::Asker;
use super::{AccountError, Accounts, ChosenPassword, EmailAddress, Handle, Password};
use pippost_store::players::{self, NewPlayer};

impl Accounts {
    /// Creates an account whose address counts as confirmed, without a session and without a mail.
    ///
    /// # Errors
    /// [`AccountError::HandleTaken`], [`AccountError::EmailTaken`], [`AccountError::EmailRefused`], [`AccountError::Invalid`],
    /// [`AccountError::PasswordTooCommon`], or a failure.
    pub async fn create_confirmed(
        &self,
        handle: &str,
        email: &str,
        password: &str,
    ) -> Result<Handle, AccountError> {
        self.create(handle, email, password, false).await
    }

    /// Creates the account of the server's own bot, unless its handle has one.
    ///
    /// # Errors
    /// As for the account of a person.
    pub async fn create_house_bot(&self, handle: &Handle, password: &str) -> Result<(), AccountError> {
        if players::player_by_handle(&self.0.database, handle.key()).await?.is_some() {
            return Ok(());
        }
        let email = format!("{}@bots.invalid", handle.key());
        self.create(handle.as_typed(), &email, password, true).await.map(drop)
    }

    async fn create(
        &self,
        handle: &str,
        email: &str,
        password: &str,
        bot: bool,
    ) -> Result<Handle, AccountError> {
        let invalid = |field, why: String| AccountError::Invalid { field, why };
        let handle = Handle::parse(handle).map_err(|error| invalid("handle", error.to_string()))?;
        let email = EmailAddress::parse(email).map_err(|error| invalid("email", error.to_string()))?;
        self.check_address(&email)?;
        let password = Password::try_from(password.to_owned())
            .map_err(|error| invalid("password", error.to_string()))?;
        let password = ChosenPassword::new(password, &handle, &email)
            .map_err(|_| AccountError::PasswordTooCommon { field: "password" })?;
        let password_hash = self.0.hasher.hash(&password, Asker::Known).await?;
        let player = NewPlayer {
            id: Uuid::now_v7(),
            handle: handle.as_typed(),
            email: email.as_str(),
            email_key: &email.key(),
            password_hash: &password_hash,
            mail_enabled: !bot,
            created_at: self.0.clock.now(),
            bot,
        };
        players::create_confirmed(&self.0.database, &player).await?;
        Ok(handle)
    }
}
