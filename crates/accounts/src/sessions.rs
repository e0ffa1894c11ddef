//! Logs players in and out, and issues the tokens of sessions.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use time::Duration;
use uuid::Uuid;

use super::keyring::Claims;
use super::password::Asker;
use super::secret_token::{REFRESH_PREFIX, SecretToken};
use super::{Account, AccountError, Accounts, EmailAddress, Handle, Password, Profile};
use pippost_keys::secret::sha256;
use pippost_keys::{Purpose, SecretKey};
use pippost_store::closed_accounts;
use pippost_store::players::{self, Credentials, PlayerKey, PlayerRow};
use pippost_store::sessions::{self, Exchange, Holder, NewSession};
use pippost_store::{Database, StoreError};
use pippost_traffic::{KnownBefore, network};

/// How long a refresh token is valid.
pub const REFRESH_TOKEN_LIFETIME: Duration = Duration::days(60);

/// How many sessions, the newest, tell a new process which networks are known.
const MAX_SESSIONS_REMEMBERED: i64 = 20_000;

/// The handle or address that a player logs in with.
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
        // A handle never contains an @.
        if text.contains('@') {
            EmailAddress::parse(&text).map(Self::Email).map_err(|_| LogInError)
        } else {
            Handle::parse(&text).map(Self::Handle).map_err(|_| LogInError)
        }
    }
}

/// The tokens of a session, as sent to the player.
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
    /// Starts a session if the password is right. An address finds only the account that has confirmed it.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], after the same work whether the player exists or not; [`AccountError::Closed`];
    /// [`AccountError::TooManyTries`]; or a failure.
    pub async fn log_in(
        &self,
        by: &LogIn,
        password: &Password,
        peer: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        let player = self.recognise_player(by, password, peer).await?;
        let refresh_token = SecretToken::draw(REFRESH_PREFIX)?;
        let now = self.0.clock.now();
        let session = NewSession {
            id: Uuid::now_v7(),
            player_id: player.id,
            holder: Holder::Program,
            token_hash: &refresh_token.hash(),
            expires_at: now + REFRESH_TOKEN_LIFETIME,
            now,
            peer_key: &self.peer_key(peer),
        };
        let database = self.database_of(self.asker(peer));
        sessions::open(database, &session).await?;
        let profile = self.profile_of(database, player).await?;
        Ok(self.logged_in(session.id, refresh_token, profile).await)
    }

    /// The connections for who asks.
    fn database_of(&self, asker: Asker) -> &Database {
        match asker {
            Asker::Known => &self.0.for_known,
            Asker::Stranger => &self.0.database,
        }
    }

    /// The player whom name and password identify, within the limits on guessing. Every log-in passes here.
    ///
    /// # Errors
    /// Those of [`Accounts::log_in`].
    pub(super) async fn recognise_player(
        &self,
        by: &LogIn,
        password: &Password,
        peer: IpAddr,
    ) -> Result<PlayerRow, AccountError> {
        let (name, is_email) = match by {
            LogIn::Handle(handle) => (handle.key().to_owned(), false),
            LogIn::Email(email) => (email.key(), true),
        };
        self.0.log_in.pass_pair(peer, &name)?;
        let wanted = if is_email { PlayerKey::EmailKey(&name) } else { PlayerKey::Handle(&name) };
        if let Err(refused) = self.0.log_in.pass_name(&name) {
            // Strangers may have used up the tries of the name. They do not block a peer that the player has logged in from
            // before.
            if !players::has_logged_in_from(self.database_of(self.asker(peer)), wanted, &self.peer_key(peer))
                .await?
            {
                return Err(refused);
            }
        }
        let player = self.check_password(wanted, password, self.asker(peer)).await?.player;
        // Told to nobody without the password.
        if closed_accounts::is_closed(self.database_of(self.asker(peer)), player.id).await? {
            return Err(AccountError::Closed);
        }
        self.0.known_networks.learn(peer);
        Ok(player)
    }

    /// Exchanges a refresh token for new tokens. Each is valid once; a second use ends the session, because somebody else has a
    /// copy of the token.
    ///
    /// # Errors
    /// [`AccountError::RefreshRefused`] for a used, expired or unknown one, and of an ended session; or a failure.
    pub async fn refresh(&self, token: &str) -> Result<LoggedIn, AccountError> {
        let refresh_token = SecretToken::draw(REFRESH_PREFIX)?;
        let now = self.0.clock.now();
        let (old_hash, new_hash) = (sha256(token.as_bytes()), refresh_token.hash());
        let expires_at = now + REFRESH_TOKEN_LIFETIME;
        match sessions::exchange(&self.0.database, &old_hash, &new_hash, now, expires_at).await? {
            Exchange::Done { session_id, player } => {
                let profile = self.profile_of(&self.0.database, player).await?;
                Ok(self.logged_in(session_id, refresh_token, profile).await)
            }
            Exchange::Reused { session_id } => {
                self.forget_token(session_id);
                tracing::warn!(%session_id, "a refresh token came twice; its session is ended");
                Err(AccountError::RefreshRefused)
            }
            Exchange::Ended | Exchange::Unknown => Err(AccountError::RefreshRefused),
        }
    }

    /// Ends a session.
    ///
    /// # Errors
    /// The database failed.
    pub async fn log_out(&self, session_id: Uuid) -> Result<(), AccountError> {
        sessions::revoke(&self.0.database, session_id, self.0.clock.now()).await?;
        self.forget_token(session_id);
        Ok(())
    }

    /// A keyed fingerprint of a session's network. It does not reveal the address.
    pub(super) fn peer_key(&self, peer: IpAddr) -> [u8; 32] {
        network_key(&self.0.secret, network(peer))
    }

    /// Who asks for a hash without a session.
    pub(super) fn asker(&self, peer: IpAddr) -> Asker {
        if self.0.known_networks.contains(peer) { Asker::Known } else { Asker::Stranger }
    }

    /// Learns which networks were known before this process began, from the newest sessions.
    ///
    /// # Errors
    /// The database failed.
    pub async fn remember_networks(&self) -> Result<(), StoreError> {
        let newest = sessions::newest_networks(&self.0.database, MAX_SESSIONS_REMEMBERED).await?;
        let secret = self.0.secret.clone();
        self.0.known_networks.remember(KnownBefore {
            fingerprints: newest.into_iter().filter_map(|key| key.try_into().ok()).collect(),
            fingerprint_of: Box::new(move |network| network_key(&secret, network)),
        });
        Ok(())
    }

    /// The credentials of who has a session, if the password is right.
    pub(super) async fn check_own_password(
        &self,
        account: &Account,
        password: &Password,
        peer: IpAddr,
    ) -> Result<Credentials, AccountError> {
        let session_id = account.session_id.ok_or(AccountError::Unauthenticated)?;
        // In lower case, as at log-in: other capitals bring no more tries.
        self.0.log_in.pass_session(peer, &account.handle.to_ascii_lowercase(), session_id)?;
        self.check_password(PlayerKey::Id(account.player_id), password, Asker::Known).await
    }

    /// The credentials of the account, if the password is right.
    pub(super) async fn check_password(
        &self,
        wanted: PlayerKey<'_>,
        password: &Password,
        asker: Asker,
    ) -> Result<Credentials, AccountError> {
        let found = players::credentials(self.database_of(asker), wanted).await?;
        let known = found.as_ref().map(|found| found.password_hash.as_str());
        let fits = self.0.hasher.verify(password, known, asker).await?;
        found.filter(|_| fits).ok_or(AccountError::WrongCredentials)
    }

    /// Signs an access token for a session that has just begun or been refreshed.
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

fn network_key(secret: &SecretKey, network: Ipv6Addr) -> [u8; 32] {
    secret.fingerprint_of(Purpose::Peer, &network.octets())
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
