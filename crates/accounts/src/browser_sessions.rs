//! Sessions of browsers, which a cookie identifies. The cookie stays the same, so a page may send several requests at once, and the
//! session ends when it is not used for [`BROWSER_SESSION_LIFETIME`].

use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use super::authenticate::CHECK_INTERVAL;
use super::secret_token::{COOKIE_PREFIX, SecretToken};
use super::{Account, AccountError, Accounts, LogIn, MAX_TOKEN_BYTES, Password, Scopes};
use pippost_keys::secret::sha256;
use pippost_keys::{Purpose, random_bytes};
use pippost_store::browser_sessions::{self, OpenSessionRow};
use pippost_store::sessions::{self, Holder, NewSession};

/// How long a browser stays logged in without visiting.
pub const BROWSER_SESSION_LIFETIME: Duration = Duration::days(60);

/// The most sessions that are listed.
const MAX_LISTED: i64 = 100;

/// The random bytes that tell a browser's forms from those of others.
const FORM_KEY_BYTES: usize = 16;

/// An active session, as its player sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    pub id: Uuid,
    pub created_at: OffsetDateTime,
    /// What a browser is, as in "Firefox, Linux"; `None` for a program's session.
    pub device: Option<String>,
    pub last_used_on: Date,
}

impl From<OpenSessionRow> for OpenSession {
    fn from(row: OpenSessionRow) -> Self {
        let OpenSessionRow { id, created_at, device, last_used_on } = row;
        Self { id, created_at, device, last_used_on }
    }
}

/// What the forms of one browser are recognised by: the cookie of its session, or one of its own before the player logs in.
/// Nothing else can make the token that forms hold.
#[derive(Clone, PartialEq, Eq)]
pub struct FormKey(String);

impl FormKey {
    /// A new key for a browser without a session.
    ///
    /// # Errors
    /// The operating system provided no random bytes.
    pub fn draw() -> Result<Self, AccountError> {
        Ok(Self(URL_SAFE_NO_PAD.encode(random_bytes::<FORM_KEY_BYTES>()?)))
    }

    /// The key in a cookie.
    #[must_use]
    pub fn of(cookie: &str) -> Self {
        Self(cookie.to_owned())
    }

    /// The key for a cookie.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Hides the key from logs.
impl std::fmt::Debug for FormKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FormKey(hidden)")
    }
}

impl Accounts {
    /// Starts a session of a browser if the password is right; returns its cookie.
    ///
    /// # Errors
    /// Those of [`Accounts::log_in`].
    pub async fn log_in_browser(
        &self,
        by: &LogIn,
        password: &Password,
        peer: IpAddr,
        device: &str,
    ) -> Result<SecretToken, AccountError> {
        let player = self.recognise_player(by, password, peer).await?;
        let cookie = SecretToken::draw(COOKIE_PREFIX)?;
        let (token_hash, peer_key) = (cookie.hash(), self.peer_key(peer));
        let session = self.browser_session(Uuid::now_v7(), player.id, device, &token_hash, &peer_key);
        sessions::open(&self.0.database, &session).await?;
        Ok(cookie)
    }

    /// The row of a new session.
    pub(super) fn browser_session<'a>(
        &self,
        id: Uuid,
        player_id: Uuid,
        device: &'a str,
        token_hash: &'a [u8],
        peer_key: &'a [u8],
    ) -> NewSession<'a> {
        let now = self.0.clock.now();
        NewSession {
            id,
            player_id,
            holder: Holder::Browser { device },
            token_hash,
            expires_at: now + BROWSER_SESSION_LIFETIME,
            now,
            peer_key,
        }
    }

    /// The account of a session's cookie. Such a cookie is no token of the API, and no token of the API is one.
    ///
    /// # Errors
    /// [`AccountError::Unauthenticated`] if the session has ended, or a failure.
    pub async fn authenticate_browser(&self, cookie: &str) -> Result<Arc<Account>, AccountError> {
        if !cookie.starts_with(COOKIE_PREFIX) || cookie.len() > MAX_TOKEN_BYTES {
            return Err(AccountError::Unauthenticated);
        }
        let (hash, now) = (sha256(cookie.as_bytes()), self.0.clock.now());
        if let Some(account) = self.0.cookies.trusted(&hash, now) {
            self.0.presence.seen_at(account.player_id, now);
            return Ok(account);
        }
        let Some(found) = browser_sessions::find(&self.0.database, &hash, now).await? else {
            self.0.cookies.remove(&hash);
            return Err(AccountError::Unauthenticated);
        };
        let mut expires_at = found.expires_at;
        if found.last_used_on != Some(now.date()) {
            let later = now + BROWSER_SESSION_LIFETIME;
            browser_sessions::prolong(&self.0.database, found.id, now.date(), later).await?;
            expires_at = Some(later);
        }
        let account = Arc::new(Account {
            player_id: found.player_id,
            handle: found.handle,
            guest: found.guest,
            scopes: Scopes::all(),
            game_id: None,
            session_id: Some(found.id),
            token_id: found.id,
        });
        self.0.cookies.trust(hash, &account, expires_at, now + CHECK_INTERVAL);
        self.0.presence.seen_at(account.player_id, now);
        Ok(account)
    }

    /// The active sessions of a player, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn open_sessions(&self, player_id: Uuid) -> Result<Vec<OpenSession>, AccountError> {
        let now = self.0.clock.now();
        let rows = browser_sessions::open_sessions(&self.0.database, player_id, now, MAX_LISTED).await?;
        Ok(rows.into_iter().map(OpenSession::from).collect())
    }

    /// Ends a player's session.
    ///
    /// # Errors
    /// [`AccountError::NotFound`], or a failure.
    pub async fn end_session(&self, player_id: Uuid, id: Uuid) -> Result<(), AccountError> {
        if !browser_sessions::revoke(&self.0.database, player_id, id, self.0.clock.now()).await? {
            return Err(AccountError::NotFound);
        }
        self.forget_token(id);
        Ok(())
    }

    /// The token that the forms of a browser hold.
    #[must_use]
    pub fn form_token(&self, key: &FormKey) -> String {
        URL_SAFE_NO_PAD.encode(self.0.secret.fingerprint_of(Purpose::Form, key.0.as_bytes()))
    }

    /// Whether a form was made for this browser.
    #[must_use]
    pub fn is_form_token(&self, key: &FormKey, token: &str) -> bool {
        let given = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
        self.0.secret.is_fingerprint_of(Purpose::Form, key.0.as_bytes(), &given)
    }
}
