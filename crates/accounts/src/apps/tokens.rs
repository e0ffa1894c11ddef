//! The token endpoint: exchanges codes and refresh tokens for tokens, and revokes them.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::devices::{POLL_SECONDS, refusals};
use super::{OAuthCode, OAuthError, Parameters, ScopeList};
use crate::keyring::ACCESS_TOKEN_LIFETIME;
use crate::secret_token::{APP_ACCESS_PREFIX, APP_REFRESH_PREFIX, SecretToken};
use crate::{AccountError, Accounts, REFRESH_TOKEN_LIFETIME, Scopes};
use pippost_keys::secret::sha256;
use pippost_store::app_device_codes::{self, Decision, Question};
use pippost_store::app_grants::{GrantLimits, GrantRow};
use pippost_store::app_tokens::{self, AppExchange, CodeExchange, NarrowedScopes, NewAppTokens};

/// How long an access token of an app is valid: as long as that of a session.
pub const APP_ACCESS_LIFETIME: Duration = ACCESS_TOKEN_LIFETIME;

/// How long a refresh token of an app is valid: as long as that of a session.
pub const APP_REFRESH_LIFETIME: Duration = REFRESH_TOKEN_LIFETIME;

/// The most grants of a player. The oldest makes room.
pub const MAX_GRANTS: i64 = 50;

/// The most grants of a player for one app, such as one for each device. The oldest makes room.
pub const MAX_GRANTS_OF_AN_APP: i64 = 5;

const GRANT_LIMITS: GrantLimits = GrantLimits { of_app: MAX_GRANTS_OF_AN_APP, in_all: MAX_GRANTS };

/// The grant type of device codes (RFC 8628, section 3.4).
pub const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// What an app shows for tokens.
enum GrantType {
    Code,
    Refresh,
    Device,
}

/// The lengths of a verifier (RFC 7636, section 4.1).
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

/// The tokens of an app.
pub struct AppTokens {
    pub access_token: SecretToken,
    pub refresh_token: SecretToken,
    /// What the access token allows.
    pub scopes: ScopeList,
}

/// Hides the tokens from logs.
impl fmt::Debug for AppTokens {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AppTokens").field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

/// Two new tokens and what is stored of them.
struct Drawn {
    access: SecretToken,
    refresh: SecretToken,
    hashes: [[u8; 32]; 2],
    now: OffsetDateTime,
}

impl Drawn {
    fn new(now: OffsetDateTime) -> Result<Self, AccountError> {
        let (access, refresh) =
            (SecretToken::draw(APP_ACCESS_PREFIX)?, SecretToken::draw(APP_REFRESH_PREFIX)?);
        let hashes = [access.hash(), refresh.hash()];
        Ok(Self { access, refresh, hashes, now })
    }

    fn row(&self) -> NewAppTokens<'_> {
        NewAppTokens {
            access_hash: &self.hashes[0],
            access_expires_at: self.now + APP_ACCESS_LIFETIME,
            refresh_hash: &self.hashes[1],
            refresh_expires_at: self.now + APP_REFRESH_LIFETIME,
            now: self.now,
        }
    }
}

impl Accounts {
    /// Answers an app's request for tokens: in exchange for a code, or for a refresh token.
    ///
    /// # Errors
    /// [`AccountError::OAuth`], or a failure.
    pub async fn app_tokens(&self, parameters: &Parameters) -> Result<AppTokens, AccountError> {
        let grant_type = parameters.need("grant_type", "grant_type is missing")?;
        let kind = match grant_type {
            "authorization_code" => GrantType::Code,
            "refresh_token" => GrantType::Refresh,
            DEVICE_GRANT => GrantType::Device,
            _ => {
                let why = "grant_type must be authorization_code, refresh_token or that of device codes";
                return Err(OAuthError::new(OAuthCode::UnsupportedGrantType, why).into());
            }
        };
        let (app, _) = self.app(parameters.need("client_id", "client_id is missing")?).await?;
        match kind {
            GrantType::Code => self.exchange_code(app.id, parameters).await,
            GrantType::Refresh => self.refresh_app(app.id, parameters).await,
            GrantType::Device => self.ask_for_device(app.id, parameters).await,
        }
    }

    /// Tells an app whether its player has decided (RFC 8628, section 3.5).
    async fn ask_for_device(&self, app_id: Uuid, parameters: &Parameters) -> Result<AppTokens, AccountError> {
        let code = parameters.need("device_code", "device_code is missing")?;
        let question = Question {
            app_id,
            device_hash: &sha256(code.as_bytes()),
            grant_id: Uuid::now_v7(),
            limits: GRANT_LIMITS,
            slower_by_seconds: POLL_SECONDS,
        };
        let drawn = Drawn::new(self.0.clock.now())?;
        let refused = match app_device_codes::ask(&self.0.database, &question, &drawn.row()).await? {
            Decision::Allowed { grant, ended } => {
                return self.exchanged(app_id, AppExchange::Done { grant, ended }, drawn, None);
            }
            Decision::Waiting => refusals::WAITING,
            Decision::TooSoon => refusals::TOO_SOON,
            Decision::Denied => refusals::DENIED,
            Decision::Expired => refusals::EXPIRED,
            Decision::Unknown => refusals::UNKNOWN,
        };
        Err(refused.into())
    }

    async fn exchange_code(&self, app_id: Uuid, parameters: &Parameters) -> Result<AppTokens, AccountError> {
        let code = parameters.need("code", "code is missing")?;
        let redirect_uri = parameters.need("redirect_uri", "redirect_uri is missing")?;
        let verifier = parameters.need("code_verifier", "code_verifier is missing")?;
        if !VERIFIER_CHARS.contains(&verifier.len()) {
            return Err(OAuthError::request("code_verifier has 43 to 128 characters").into());
        }
        let challenge = URL_SAFE_NO_PAD.encode(sha256(verifier.as_bytes()));
        let exchange = CodeExchange {
            code_hash: &sha256(code.as_bytes()),
            app_id,
            redirect_uri,
            challenge: &challenge,
            grant_id: Uuid::now_v7(),
            limits: GRANT_LIMITS,
        };
        let drawn = Drawn::new(self.0.clock.now())?;
        let exchanged = app_tokens::exchange_code(&self.0.database, &exchange, &drawn.row()).await?;
        self.exchanged(app_id, exchanged, drawn, None)
    }

    async fn refresh_app(&self, app_id: Uuid, parameters: &Parameters) -> Result<AppTokens, AccountError> {
        let token = parameters.need("refresh_token", "refresh_token is missing")?;
        let narrowed = parameters.get("scope").map(ScopeList::read).transpose()?;
        let asked =
            narrowed.map(|list| NarrowedScopes { scopes: list.scopes.names(), game_id: list.game_id });
        let hash = sha256(token.as_bytes());
        let drawn = Drawn::new(self.0.clock.now())?;
        let exchanged =
            app_tokens::refresh(&self.0.database, app_id, &hash, asked.as_ref(), &drawn.row()).await?;
        self.exchanged(app_id, exchanged, drawn, narrowed.map(|list| list.scopes))
    }

    fn exchanged(
        &self,
        app_id: Uuid,
        exchange: AppExchange,
        drawn: Drawn,
        narrowed: Option<Scopes>,
    ) -> Result<AppTokens, AccountError> {
        let refused = OAuthError::new(
            OAuthCode::InvalidGrant,
            "the code or token is none of this app, has expired, was used or revoked, or was sent with another redirect_uri or \
             code_verifier",
        );
        match exchange {
            AppExchange::Done { grant, ended } => {
                for id in ended {
                    self.forget_token(id);
                }
                let GrantRow { scopes, game_id, .. } = grant;
                let all = || Scopes::from_names(scopes.iter().map(String::as_str));
                let scopes = ScopeList { scopes: narrowed.unwrap_or_else(all), game_id };
                Ok(AppTokens { access_token: drawn.access, refresh_token: drawn.refresh, scopes })
            }
            AppExchange::Reused { grant_id } => {
                if let Some(grant_id) = grant_id {
                    self.forget_token(grant_id);
                    tracing::warn!(%app_id, %grant_id, "a code or refresh token of an app came twice; its grant is revoked");
                }
                Err(refused.into())
            }
            AppExchange::MoreScopes => {
                Err(OAuthError::new(OAuthCode::InvalidScope, "more than the player has allowed").into())
            }
            AppExchange::Refused => Err(refused.into()),
        }
    }

    /// Revokes an app's token, and with it all that the player has allowed by the same consent (RFC 7009). What is no token of the
    /// app is left alone.
    ///
    /// # Errors
    /// Something is missing, the app is unknown, or a failure.
    pub async fn revoke_app_token(&self, parameters: &Parameters) -> Result<(), AccountError> {
        let token = parameters.need("token", "token is missing")?;
        let (app, _) = self.app(parameters.need("client_id", "client_id is missing")?).await?;
        let (hash, now) = (sha256(token.as_bytes()), self.0.clock.now());
        if let Some(grant_id) = app_tokens::revoke(&self.0.database, app.id, &hash, now).await? {
            self.forget_token(grant_id);
            tracing::info!(app_id = %app.id, %grant_id, "an app has given up its grant");
        }
        Ok(())
    }
}
