//! Request and response bodies of accounts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::{
    self, ACCESS_TOKEN_LIFETIME, AccountError, ChosenPassword, EmailAddress, Handle, LogIn, LoggedIn,
    NewAccount, Password, PersonalToken, Profile, ProfileChange, TokenRequest,
};
use crate::api::problem::{Code, Problem};
use crate::keys::signing;
use crate::record::Timestamp;
use crate::store::players::PlayerRow;

/// Parses a member of a body.
fn read<T>(field: &'static str, text: String) -> Result<T, Problem>
where
    T: TryFrom<String, Error: std::fmt::Display>,
{
    T::try_from(text)
        .map_err(|error| Problem::new(Code::InvalidValue).detail(error.to_string()).with("field", field))
}

/// A new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccountBody {
    /// The name that others see: letters a to z, digits, and inside also `-` and `_`. Upper case becomes lower case. It cannot be
    /// changed later.
    #[schema(min_length = 2, max_length = 32, example = "ann")]
    handle: String,
    /// The address for mails. It counts as yours once you use the confirmation link that is sent to it.
    #[schema(max_length = 254, format = Email, example = "ann@example.org")]
    email: String,
    /// Not one of the most common passwords, nor the handle or the address.
    #[schema(min_length = 10, max_length = 256, format = Password, example = "correct horse battery staple")]
    password: String,
}

impl NewAccountBody {
    pub fn parse(self) -> Result<NewAccount, Problem> {
        let handle = read::<Handle>("handle", self.handle)?;
        let email = read::<EmailAddress>("email", self.email)?;
        let password = read::<Password>("password", self.password)?;
        let password = ChosenPassword::new(password, &handle, &email)
            .map_err(|_| AccountError::PasswordTooCommon { field: "password" })?;
        Ok(NewAccount { handle, email, password })
    }
}

/// A log-in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogInBody {
    /// The handle, or the e-mail address once it is confirmed.
    #[schema(max_length = 254, example = "ann")]
    login: String,
    #[schema(min_length = 10, max_length = 256, format = Password, example = "correct horse battery staple")]
    password: String,
}

impl LogInBody {
    pub fn parse(self) -> Result<(LogIn, Password), Problem> {
        Ok((read("login", self.login)?, read("password", self.password)?))
    }
}

/// A refresh token to exchange.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshBody {
    /// The newest refresh token of the session. It is valid once.
    #[schema(max_length = 128)]
    pub refresh_token: String,
}

/// A token from a link in a mail.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkBody {
    #[schema(max_length = 128)]
    pub token: String,
}

/// A change of the account; missing members stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileBody {
    /// Whether mails about games are sent.
    mail_enabled: Option<bool>,
    /// A new e-mail address. It replaces the old one, which is notified, once it is confirmed by the link sent to it. Only the
    /// owner of the address learns, by mail, whether it already has an account.
    #[schema(max_length = 254, format = Email, example = "ann@example.net")]
    email: Option<String>,
    /// Required with `email`.
    #[schema(min_length = 10, max_length = 256, format = Password)]
    password: Option<String>,
}

impl ProfileBody {
    pub fn parse(self) -> Result<ProfileChange, Problem> {
        let lonely = |field, why: &str| Problem::new(Code::InvalidValue).detail(why).with("field", field);
        let email = match (self.email, self.password) {
            (Some(email), Some(password)) => Some((read("email", email)?, read("password", password)?)),
            (Some(_), None) => return Err(lonely("password", "a new e-mail address needs the password")),
            (None, Some(_)) => {
                return Err(lonely("password", "the password is for a new e-mail address only"));
            }
            (None, None) => None,
        };
        Ok(ProfileChange { mail_enabled: self.mail_enabled, email })
    }
}

/// A change of the password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    #[schema(min_length = 10, max_length = 256, format = Password)]
    current_password: String,
    /// Not one of the most common passwords, nor the handle or the address.
    #[schema(min_length = 10, max_length = 256, format = Password)]
    new_password: String,
}

impl PasswordBody {
    /// The current and the new password.
    pub fn parse(self) -> Result<(Password, Password), Problem> {
        Ok((read("current_password", self.current_password)?, read("new_password", self.new_password)?))
    }
}

/// A request for a link that sets a new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetBody {
    #[schema(max_length = 254, format = Email, example = "ann@example.org")]
    email: String,
}

impl ResetBody {
    pub fn parse(self) -> Result<EmailAddress, Problem> {
        read("email", self.email)
    }
}

/// A new password, set with a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPasswordBody {
    /// The token of the link.
    #[schema(max_length = 128)]
    token: String,
    /// Not one of the most common passwords, nor the handle or the address.
    #[schema(min_length = 10, max_length = 256, format = Password)]
    new_password: String,
    /// Whether personal access tokens stay valid; by default they are revoked. If the address was not confirmed, they are revoked
    /// in any case.
    #[serde(default)]
    keep_tokens: bool,
}

/// A request for a link that sets a new password.
pub struct PasswordReset {
    pub token: String,
    pub new: Password,
    pub keep_tokens: bool,
}

impl NewPasswordBody {
    pub fn parse(self) -> Result<PasswordReset, Problem> {
        let new = read("new_password", self.new_password)?;
        Ok(PasswordReset { token: self.token, new, keep_tokens: self.keep_tokens })
    }
}

/// A kind of operation that a token may allow.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Reading what the player may see.
    Read,
    /// Creating and joining games, moving, resigning.
    Play,
    /// Managing the account. Only sessions have this scope, personal tokens never.
    Account,
}

impl From<accounts::Scope> for Scope {
    fn from(scope: accounts::Scope) -> Self {
        match scope {
            accounts::Scope::Read => Self::Read,
            accounts::Scope::Play => Self::Play,
            accounts::Scope::Account => Self::Account,
        }
    }
}

impl From<Scope> for accounts::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Read => Self::Read,
            Scope::Play => Self::Play,
            Scope::Account => Self::Account,
        }
    }
}

/// A personal access token to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTokenBody {
    /// A name that helps you to tell tokens apart.
    #[schema(min_length = 1, max_length = 64, example = "my bot")]
    name: String,
    /// `read`: reading what you may see. `play`: creating and joining games, moving and resigning. Not `account`.
    #[schema(min_items = 1, max_items = 3, example = json!(["read", "play"]))]
    scopes: Vec<Scope>,
    /// Days until the token expires; without it, the token does not expire.
    #[schema(minimum = 1, maximum = 3650)]
    expires_in_days: Option<u16>,
}

impl From<NewTokenBody> for TokenRequest {
    fn from(body: NewTokenBody) -> Self {
        let scopes = body.scopes.into_iter().map(accounts::Scope::from).collect();
        Self { name: body.name, scopes, expires_in_days: body.expires_in_days }
    }
}

/// Your own account.
#[derive(Serialize, ToSchema)]
pub struct MeAnswer {
    id: Uuid,
    handle: String,
    email: String,
    /// Null until the link sent to the address has been used.
    #[schema(value_type = Option<String>, format = DateTime)]
    email_confirmed_at: Option<Timestamp>,
    /// Since when mails to `email` have been stopped, because they bounced. Confirm the address again, or enter another one.
    #[schema(value_type = Option<String>, format = DateTime)]
    email_bounced_at: Option<Timestamp>,
    /// The address that replaces `email` once it is confirmed.
    pending_email: Option<String>,
    /// Whether mails about games are sent.
    mail_enabled: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Profile> for MeAnswer {
    fn from(Profile { player, pending_email }: Profile) -> Self {
        Self {
            id: player.id,
            handle: player.handle,
            email: player.email,
            email_confirmed_at: player.email_confirmed_at.map(Timestamp::new),
            email_bounced_at: player.email_bounced_at.map(Timestamp::new),
            pending_email,
            mail_enabled: player.mail_enabled,
            created_at: Timestamp::new(player.created_at),
        }
    }
}

/// The tokens of a session, and its player.
#[derive(Serialize, ToSchema)]
pub struct SessionAnswer {
    /// The access token for the header `Authorization: Bearer …` of each request.
    access_token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// Seconds until the access token expires.
    expires_in: i64,
    /// The token for `/sessions/refresh`: valid once, within 60 days.
    refresh_token: String,
    player: MeAnswer,
}

impl From<LoggedIn> for SessionAnswer {
    fn from(logged_in: LoggedIn) -> Self {
        Self {
            access_token: logged_in.access_token,
            token_type: "Bearer",
            expires_in: ACCESS_TOKEN_LIFETIME.whole_seconds(),
            refresh_token: logged_in.refresh_token.reveal(),
            player: logged_in.profile.into(),
        }
    }
}

/// A player's public profile.
#[derive(Serialize, ToSchema)]
pub struct PlayerAnswer {
    id: Uuid,
    handle: String,
    /// When the account was created.
    #[schema(value_type = String, format = DateTime)]
    since: Timestamp,
}

impl From<PlayerRow> for PlayerAnswer {
    fn from(player: PlayerRow) -> Self {
        Self { id: player.id, handle: player.handle, since: Timestamp::new(player.created_at) }
    }
}

/// A personal access token, without the token itself.
#[derive(Serialize, ToSchema)]
pub struct TokenAnswer {
    id: Uuid,
    name: String,
    scopes: Vec<Scope>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Null if it does not expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
}

impl From<PersonalToken> for TokenAnswer {
    fn from(token: PersonalToken) -> Self {
        Self {
            id: token.id,
            name: token.name,
            scopes: token.scopes.iter().map(Scope::from).collect(),
            created_at: Timestamp::new(token.created_at),
            expires_at: token.expires_at.map(Timestamp::new),
        }
    }
}

/// A new personal access token.
#[derive(Serialize, ToSchema)]
pub struct NewTokenAnswer {
    #[serde(flatten)]
    pub about: TokenAnswer,
    /// The token. It is shown only once.
    pub token: String,
}

/// All personal access tokens, newest first.
#[derive(Serialize, ToSchema)]
pub struct TokensAnswer {
    pub tokens: Vec<TokenAnswer>,
}

/// A public key in JWKS form.
#[derive(Serialize, ToSchema)]
pub struct PublicKey {
    /// `OKP`.
    kty: &'static str,
    /// `Ed25519`.
    crv: &'static str,
    /// `EdDSA`.
    alg: &'static str,
    /// `sig`.
    #[serde(rename = "use")]
    usage: &'static str,
    /// The key's name, as in the `kid` of its signatures.
    kid: String,
    /// The public key, base64url.
    x: String,
}

impl From<signing::PublicKey> for PublicKey {
    fn from(key: signing::PublicKey) -> Self {
        let signing::PublicKey { kid, x } = key;
        Self { kty: "OKP", crv: "Ed25519", alg: "EdDSA", usage: "sig", kid, x }
    }
}

/// The public keys as a JSON Web Key Set (RFC 7517).
#[derive(Serialize, ToSchema)]
pub struct KeySet {
    /// The current signing key comes first.
    keys: Vec<PublicKey>,
}

impl KeySet {
    pub fn new(keys: Vec<signing::PublicKey>) -> Self {
        Self { keys: keys.into_iter().map(PublicKey::from).collect() }
    }
}
