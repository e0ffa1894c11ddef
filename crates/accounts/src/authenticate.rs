//! Finds the account of a token. Every request needs it, so checked tokens are cached.

use std::sync::Arc;

use quick_cache::sync::Cache;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::keyring::Claims;
use super::secret_token::{APP_ACCESS_PREFIX, PERSONAL_PREFIX};
use super::{AccountError, Accounts, Scope, Scopes};
use pippost_keys::TokenError;
use pippost_keys::secret::sha256;
use pippost_store::{app_tokens, personal_tokens, sessions};

/// The longest token that is checked, in bytes; this server's tokens have fewer than half of it.
pub const MAX_TOKEN_BYTES: usize = 1024;

/// How many checked tokens are cached.
const TOKENS_REMEMBERED: usize = 10_000;

/// How long a checked token is trusted without asking the database whether its session, grant or personal token is still valid. A token
/// that another server process ended may work here for this long; one that this process ended stops at once.
pub(super) const CHECK_INTERVAL: Duration = Duration::seconds(10);

/// The player who sends a request, and what the token allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub player_id: Uuid,
    pub handle: String,
    /// Whether it is a guest's, who plays against the house bot alone. Only a browser's session can be one's.
    pub guest: bool,
    pub scopes: Scopes,
    /// The only game that the token is for.
    pub game_id: Option<Uuid>,
    /// `None` with a personal token, and for an app.
    pub session_id: Option<Uuid>,
    /// The session, the personal token or what the player allows an app, for the quota of its requests.
    pub token_id: Uuid,
}

impl Account {
    #[must_use]
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(scope)
    }
}

/// A checked token.
struct Known {
    account: Arc<Account>,
    expires_at: Option<OffsetDateTime>,
    believed_until: OffsetDateTime,
}

impl Known {
    fn has_expired(&self, now: OffsetDateTime) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// Checked tokens, by their SHA-256.
pub(super) struct KnownTokens(Cache<[u8; 32], Arc<Known>>);

impl KnownTokens {
    pub(super) fn new() -> Self {
        Self(Cache::new(TOKENS_REMEMBERED))
    }

    /// The account of a token that was checked lately enough.
    pub(super) fn trusted(&self, hash: &[u8; 32], now: OffsetDateTime) -> Option<Arc<Account>> {
        let known = self.0.get(hash)?;
        let is_trusted = !known.has_expired(now) && now < known.believed_until;
        is_trusted.then(|| Arc::clone(&known.account))
    }

    /// Keeps a checked token.
    pub(super) fn trust(
        &self,
        hash: [u8; 32],
        account: &Arc<Account>,
        expires_at: Option<OffsetDateTime>,
        believed_until: OffsetDateTime,
    ) {
        let known = Known { account: Arc::clone(account), expires_at, believed_until };
        self.0.insert(hash, Arc::new(known));
    }

    /// Removes a token.
    pub(super) fn remove(&self, hash: &[u8; 32]) {
        self.0.remove(hash);
    }

    /// Removes the tokens of a session or an app's grant, or a personal token.
    pub(super) fn forget(&self, token_id: Uuid) {
        self.0.retain(|_, known| known.account.token_id != token_id);
    }

    /// Removes all tokens of a player.
    pub(super) fn forget_player(&self, id: Uuid) {
        self.0.retain(|_, known| known.account.player_id != id);
    }
}

impl Accounts {
    /// The account of the token in an `Authorization` header, if it is not [remembered](Self::remembered). The signature of an
    /// access token is verified; the database tells whether its session, or the personal token, is still valid.
    ///
    /// # Errors
    /// [`AccountError::Unauthenticated`] for an invalid token, [`AccountError::SessionEnded`], or a failure of the database.
    pub async fn authenticate(&self, token: &str) -> Result<Arc<Account>, AccountError> {
        let account = self.recognise(token).await?;
        self.0.presence.seen(account.player_id);
        Ok(account)
    }

    /// The same without waiting, for a token that was checked within the last ten seconds.
    #[must_use]
    pub fn remembered(&self, token: &str) -> Option<Arc<Account>> {
        let now = self.0.clock.now();
        let account = self.0.tokens.trusted(&sha256(token.as_bytes()), now)?;
        self.0.presence.seen_at(account.player_id, now);
        Some(account)
    }

    /// Trusts a token no more: that of a session or an app's grant, or a personal token.
    pub(super) fn forget_token(&self, token_id: Uuid) {
        self.0.tokens.forget(token_id);
        self.0.cookies.forget(token_id);
    }

    /// Trusts no token of a player any more.
    pub(super) fn forget_tokens_of(&self, player_id: Uuid) {
        self.0.tokens.forget_player(player_id);
        self.0.cookies.forget_player(player_id);
    }

    async fn recognise(&self, token: &str) -> Result<Arc<Account>, AccountError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(AccountError::Unauthenticated);
        }
        let hash = sha256(token.as_bytes());
        let now = self.0.clock.now();
        let known = self.0.tokens.0.get(&hash);
        if known.as_ref().is_some_and(|known| known.has_expired(now)) {
            self.0.tokens.0.remove(&hash);
            return Err(AccountError::TokenExpired);
        }
        let checked = if token.starts_with(PERSONAL_PREFIX) {
            self.check_personal(&hash, now).await
        } else if token.starts_with(APP_ACCESS_PREFIX) {
            self.check_app(&hash, now).await
        } else {
            self.check_access(token, now).await
        };
        match checked {
            Ok(checked) => {
                let account = Arc::clone(&checked.account);
                self.0.tokens.0.insert(hash, Arc::new(checked));
                Ok(account)
            }
            Err(refused) => {
                self.0.tokens.0.remove(&hash);
                Err(refused)
            }
        }
    }

    async fn check_personal(&self, hash: &[u8], now: OffsetDateTime) -> Result<Known, AccountError> {
        let found = personal_tokens::find(&self.0.database, hash).await?;
        let (token, handle) = found.ok_or(AccountError::Unauthenticated)?;
        let scopes = Scopes::from_names(token.scopes.iter().map(String::as_str));
        let known = Known {
            account: Arc::new(Account {
                player_id: token.player_id,
                handle,
                guest: false,
                scopes,
                game_id: token.game_id,
                session_id: None,
                token_id: token.id,
            }),
            expires_at: token.expires_at,
            believed_until: now + CHECK_INTERVAL,
        };
        if known.has_expired(now) { Err(AccountError::TokenExpired) } else { Ok(known) }
    }

    async fn check_app(&self, hash: &[u8], now: OffsetDateTime) -> Result<Known, AccountError> {
        let found = app_tokens::find_access(&self.0.database, hash, now.date()).await?;
        let access = found.ok_or(AccountError::Unauthenticated)?;
        let known = Known {
            account: Arc::new(Account {
                player_id: access.player_id,
                handle: access.handle,
                guest: false,
                scopes: Scopes::from_names(access.scopes.iter().map(String::as_str)),
                game_id: access.game_id,
                session_id: None,
                token_id: access.grant_id,
            }),
            expires_at: Some(access.expires_at),
            believed_until: now + CHECK_INTERVAL,
        };
        if known.has_expired(now) { Err(AccountError::TokenExpired) } else { Ok(known) }
    }

    async fn check_access(&self, token: &str, now: OffsetDateTime) -> Result<Known, AccountError> {
        // Verified even if the token is cached, because its key may have been replaced meanwhile.
        let claims = self.0.keyring.verify(token).await.map_err(|error| {
            tracing::debug!(%error, "access token refused");
            match error {
                TokenError::Expired => AccountError::TokenExpired,
                _ => AccountError::Unauthenticated,
            }
        })?;
        let expires_at = claims.expires_at();
        let account = Arc::new(account_of(claims));
        let session_id = account.session_id.ok_or(AccountError::Unauthenticated)?;
        if !sessions::is_live(&self.0.database, session_id, account.player_id).await? {
            return Err(AccountError::SessionEnded);
        }
        Ok(Known { account, expires_at, believed_until: now + CHECK_INTERVAL })
    }
}

fn account_of(claims: Claims) -> Account {
    Account {
        player_id: claims.sub,
        handle: claims.handle,
        guest: false,
        scopes: Scopes::all(),
        game_id: None,
        session_id: Some(claims.sid),
        token_id: claims.sid,
    }
}
