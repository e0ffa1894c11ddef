//! Logging in and out, and the tokens of a session.

use std::fmt;
use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::keyring::Claims;
use super::secret_token::{REFRESH_PREFIX, SecretToken};
use super::{AccountError, Accounts, EmailAddress, Handle, Password, Profile};
use crate::keys::Purpose;
use crate::keys::secret::sha256;
use crate::store::players::{self, Credentials, Wanted};
use crate::store::sessions::{self, Exchange, NewSession};
use crate::traffic::network;

/// How long a refresh token is good for.
pub const REFRESH_TOKEN_LIFETIME: Duration = Duration::days(60);

/// By what somebody logs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogIn {
    Handle(Handle),
    Email(EmailAddress),
}

/// The text is neither a handle nor an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither a handle nor an e-mail address")]
pub struct LogInError;

impl TryFrom<String> for LogIn {
    type Error = LogInError;

    fn try_from(text: String) -> Result<Self, LogInError> {
        // No handle holds an @.
        if text.contains('@') {
            EmailAddress::parse(&text).map(Self::Email).map_err(|_| LogInError)
        } else {
            Handle::parse(&text).map(Self::Handle).map_err(|_| LogInError)
        }
    }
}

/// A session's tokens, on their way to the player.
pub struct LoggedIn {
    pub access_token: String,
    pub refresh_token: SecretToken,
    pub profile: Profile,
}

/// Hides the tokens from logs.
impl fmt::Debug for LoggedIn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LoggedIn").field("player_id", &self.profile.player.id).finish_non_exhaustive()
    }
}

impl Accounts {
    /// Opens a session for whoever knows the password. By an address only the account is found that has confirmed it.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], the same and after the same work whether the player exists or not;
    /// [`AccountError::TooManyTries`]; or a failure.
    pub async fn log_in(
        &self,
        by: &LogIn,
        password: &Password,
        peer: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        let (name, is_email) = match by {
            LogIn::Handle(handle) => (handle.as_str().to_owned(), false),
            LogIn::Email(email) => (email.key(), true),
        };
        self.0.log_in.pass_pair(peer, &name)?;
        let wanted = if is_email { Wanted::EmailKey(&name) } else { Wanted::Handle(&name) };
        let peer_key = self.peer_key(peer);
        if let Err(refused) = self.0.log_in.pass_name(&name) {
            // Strangers may have used the name's tries up: they are not those of a player who has logged in from there before.
            if !players::has_logged_in_from(&self.0.database, wanted, &peer_key).await? {
                return Err(refused);
            }
        }
        let Credentials { player, .. } = self.check_password(wanted, password).await?;
        let refresh_token = SecretToken::draw(REFRESH_PREFIX)?;
        let now = self.0.clock.now();
        let session = NewSession {
            id: Uuid::now_v7(),
            player_id: player.id,
            token_hash: &refresh_token.hash(),
            expires_at: now + REFRESH_TOKEN_LIFETIME,
            now,
            peer_key: &peer_key,
        };
        sessions::open(&self.0.database, &session).await?;
        let profile = self.profile_of(player).await?;
        Ok(self.logged_in(session.id, refresh_token, profile).await)
    }

    /// Exchanges a refresh token for new tokens. Each is good once; using one again ends the session, for then somebody
    /// else has a copy of it.
    ///
    /// # Errors
    /// [`AccountError::SessionEnded`], also for a token used before; [`AccountError::Unauthenticated`] for one that has
    /// expired or never was one; or a failure.
    pub async fn refresh(&self, token: &str) -> Result<LoggedIn, AccountError> {
        let refresh_token = SecretToken::draw(REFRESH_PREFIX)?;
        let now = self.0.clock.now();
        let (old_hash, new_hash) = (sha256(token.as_bytes()), refresh_token.hash());
        let expires_at = now + REFRESH_TOKEN_LIFETIME;
        match sessions::exchange(&self.0.database, &old_hash, &new_hash, now, expires_at).await? {
            Exchange::Done { session_id, player } => {
                let profile = self.profile_of(player).await?;
                Ok(self.logged_in(session_id, refresh_token, profile).await)
            }
            Exchange::Reused { session_id } => {
                self.0.tokens.forget_session(session_id);
                tracing::warn!(%session_id, "a refresh token came twice; its session is ended");
                Err(AccountError::SessionEnded)
            }
            Exchange::Ended => Err(AccountError::SessionEnded),
            Exchange::Unknown => Err(AccountError::Unauthenticated),
        }
    }

    /// Ends a session.
    ///
    /// # Errors
    /// The database failed.
    pub async fn log_out(&self, session_id: Uuid) -> Result<(), AccountError> {
        sessions::revoke(&self.0.database, session_id, self.0.clock.now()).await?;
        self.0.tokens.forget_session(session_id);
        Ok(())
    }

    /// What is remembered of the network that a session was opened from: nobody can read an address out of it.
    pub(super) fn peer_key(&self, peer: IpAddr) -> [u8; 32] {
        self.0.secret.fingerprint_of(Purpose::Peer, &network(peer).octets())
    }

    /// The credentials that the password fits.
    pub(super) async fn check_password(
        &self,
        wanted: Wanted<'_>,
        password: &Password,
    ) -> Result<Credentials, AccountError> {
        let found = players::credentials(&self.0.database, wanted).await?;
        let known = found.as_ref().map(|found| found.password_hash.as_str());
        let fits = self.0.hasher.verify(password, known).await?;
        found.filter(|_| fits).ok_or(AccountError::WrongCredentials)
    }

    /// The answer to somebody who has just been let in.
    pub(super) async fn logged_in(
        &self,
        session_id: Uuid,
        refresh_token: SecretToken,
        profile: Profile,
    ) -> LoggedIn {
        let player = &profile.player;
        let claims = Claims::new(player.id, player.handle.clone(), session_id, self.0.clock.now());
        LoggedIn { access_token: self.0.keyring.sign(&claims).await, refresh_token, profile }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_an_at_sign_is_an_address_and_anything_else_a_handle() {
        let read = |text: &str| LogIn::try_from(text.to_owned());
        assert_eq!(read("Ann"), Ok(LogIn::Handle(Handle::parse("ann").expect("a handle"))));
        let address = EmailAddress::parse("ann@example.org").expect("an address");
        assert_eq!(read("ann@example.org"), Ok(LogIn::Email(address)));
        assert_eq!(read("@"), Err(LogInError));
        assert_eq!(read(""), Err(LogInError));
    }
}
