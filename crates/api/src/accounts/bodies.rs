//! Request and response bodies of accounts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use pippost_accounts::{
    ACCESS_TOKEN_LIFETIME, AccountError, ChosenPassword, EmailAddress, Handle, LogIn, LoggedIn, NewAccount,
    Password, PersonalToken, Profile, ProfileChange, Scope, TokenRequest,
};
use pippost_clock::Zone;
use pippost_clock::log::reliability::Reliability;
use pippost_games::lobby::listing::RuleSetResults;
use pippost_games::lobby::quotas::Quotas;
use pippost_http::json::{not_null, whole};
use pippost_http::problem::{Code, Problem};
use pippost_http::text::{TokenText, checked, is_blank};
use pippost_keys::signing;
use pippost_language::Language;
use pippost_ratings::Rating;
use pippost_record::record::Timestamp;
use pippost_record::rules::schema::{self, named_schema};
use pippost_store::players::PlayerRow;

/// A new account.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccountBody {
    /// What others see. It is the same name in capitals, and only those can be changed later.
    #[schema(
        pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,30}[A-Za-z0-9]$",
        min_length = 2,
        max_length = 32,
        example = "ann"
    )]
    handle: String,
    /// It counts as yours once you use the link that is mailed to it.
    #[schema(max_length = 254, format = Email, example = "ann@example.org")]
    email: String,
    /// Not one of the most common passwords, nor the handle or the address.
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password, example = "correct horse battery staple")]
    password: String,
    /// Whether a program plays on it: shown for good, and without mails about games.
    #[serde(default)]
    bot: bool,
    /// For servers by invitation: the token of a link, or of a game's, mailed to `email`.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<TokenText>,
}

impl NewAccountBody {
    /// The account, whose mails are in this language until another one is chosen.
    pub fn parse(self, language: Language) -> Result<NewAccount, Problem> {
        let handle = checked::<Handle>("handle", self.handle)?;
        let email = checked::<EmailAddress>("email", self.email)?;
        let password = checked::<Password>("password", self.password)?;
        let password = ChosenPassword::new(password, &handle, &email)
            .map_err(|_| AccountError::PasswordTooCommon { field: "password" })?;
        let (zone, invitation) = (Zone::default(), self.invitation.map(String::from));
        Ok(NewAccount { handle, email, password, bot: self.bot, language, zone, invitation })
    }
}

/// The longest name of a log-in, in characters: that of an address.
const MAX_LOGIN_CHARS: usize = 254;

/// A log-in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogInBody {
    /// The handle, or the e-mail address once it is confirmed.
    #[schema(min_length = 1, max_length = 254, pattern = "^[^\\u0000]*$", example = "ann")]
    login: String,
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password, example = "correct horse battery staple")]
    password: String,
}

impl LogInBody {
    pub fn parse(self) -> Result<(LogIn, Password), Problem> {
        if !(1..=MAX_LOGIN_CHARS).contains(&self.login.chars().count()) {
            let why = format!("1 to {MAX_LOGIN_CHARS} characters");
            return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "login"));
        }
        let password = checked("password", self.password)?;
        // What nobody can be called is nobody's name.
        let login = LogIn::try_from(self.login).map_err(|_| AccountError::WrongCredentials)?;
        Ok((login, password))
    }
}

/// A refresh token to exchange.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshBody {
    /// The newest refresh token of the session. It is valid once.
    pub refresh_token: TokenText,
}

/// A token from a link in a mail.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkBody {
    pub token: TokenText,
}

/// A change of the account that keeps its address.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct MailSwitchBody {
    /// Whether mails about games are sent.
    mail_enabled: Option<bool>,
}

/// A change of the account to another address.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the document's only")]
pub struct NewAddressBody {
    /// Whether mails about games are sent.
    mail_enabled: Option<bool>,
    /// It replaces the old one, which is notified, once it is confirmed. Only a mail to it says whether it has an account.
    #[schema(max_length = 254, format = Email, example = "ann@example.net")]
    email: String,
    /// The account's password.
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password)]
    password: String,
}

/// A change of the account; missing members stay as they are. A new `email` needs the `password`, which is for that only.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileBody {
    mail_enabled: Option<bool>,
    #[serde(default, deserialize_with = "not_null")]
    email: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    password: Option<String>,
}

named_schema!(
    ProfileBody,
    "ProfileBody",
    schema::one_of(
        [schema::name_of::<MailSwitchBody>(), schema::name_of::<NewAddressBody>()],
        "A change of the account; missing members stay as they are.",
    ),
    with MailSwitchBody, NewAddressBody
);

impl ProfileBody {
    pub fn parse(self) -> Result<ProfileChange, Problem> {
        let lonely = |field, why: &str| Problem::new(Code::InvalidValue).detail(why).with("field", field);
        let email = match (self.email, self.password) {
            (Some(email), Some(password)) => Some((checked("email", email)?, checked("password", password)?)),
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
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password)]
    current_password: String,
    /// As for a new account.
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password)]
    new_password: String,
    /// Whether tokens, apps and webhooks end, too.
    #[serde(default)]
    pub end_tokens: bool,
}

impl PasswordBody {
    /// The current and the new password.
    pub fn parse(self) -> Result<(Password, Password), Problem> {
        Ok((checked("current_password", self.current_password)?, checked("new_password", self.new_password)?))
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
        checked("email", self.email)
    }
}

/// A new password, set with a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPasswordBody {
    /// The token of the link.
    token: TokenText,
    /// As for a new account.
    #[schema(min_length = 10, max_length = 256, pattern = "^[^\\u0000]*$", format = Password)]
    new_password: String,
    /// Whether tokens, apps and webhooks stay, unless the address was not confirmed.
    #[serde(default)]
    keep_tokens: bool,
}

/// A request for a link that sets a new password.
pub struct PasswordReset {
    pub token: TokenText,
    pub new: Password,
    pub keep_tokens: bool,
}

impl NewPasswordBody {
    pub fn parse(self) -> Result<PasswordReset, Problem> {
        let new = checked("new_password", self.new_password)?;
        Ok(PasswordReset { token: self.token, new, keep_tokens: self.keep_tokens })
    }
}

/// A personal access token to create.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTokenBody {
    /// A name that helps you to tell tokens apart.
    #[schema(
        min_length = 1,
        max_length = 64,
        example = "my bot",
        pattern = "^[^\\u0000-\\u0020\\u007f-\\u00a0][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    name: String,
    /// Each once; `mail` and `webhooks` not with a `game` (`scopes_not_possible`).
    #[schema(value_type = TokenScopes, example = json!(["read", "play"]))]
    scopes: Vec<Scope>,
    /// Days until the token expires; without it, the token does not expire.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 3650)]
    expires_in_days: Option<u16>,
    /// The only game that the token shall be for, one that you are in: `not_found` otherwise. Without it, the token is for all games
    /// and your account.
    game: Option<Uuid>,
}

/// The scopes of a personal token, for the document.
pub enum TokenScopes {}

named_schema!(TokenScopes, "TokenScopes", schema::set_of::<Scope>(1..=Scope::of_tokens().count(), "What the token allows."), with Scope);

impl NewTokenBody {
    pub fn parse(self) -> Result<TokenRequest, Problem> {
        let invalid =
            |field, why: &str| Err(Problem::new(Code::InvalidValue).detail(why).with("field", field));
        if self.name.starts_with(is_blank) {
            return invalid("name", "begin with a character that shows");
        }
        if (1..self.scopes.len()).any(|index| self.scopes[..index].contains(&self.scopes[index])) {
            return invalid("scopes", "each at most once");
        }
        Ok(TokenRequest {
            name: self.name,
            scopes: self.scopes,
            expires_in_days: self.expires_in_days,
            game_id: self.game,
        })
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
    /// Whether a program plays on this account.
    bot: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Only in the answer of `GET /me`.
    #[serde(skip_serializing_if = "Option::is_none")]
    quotas: Option<Quotas>,
}

impl MeAnswer {
    /// The account with what its games take.
    pub fn with_quotas(self, quotas: Quotas) -> Self {
        Self { quotas: Some(quotas), ..self }
    }
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
            mail_enabled: player.mail_enabled && !player.bot,
            bot: player.bot,
            created_at: Timestamp::new(player.created_at),
            quotas: None,
        }
    }
}

/// The tokens of a session, and its player.
#[derive(Serialize, ToSchema)]
pub struct SessionAnswer {
    /// For the header `Authorization: Bearer …`.
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
    /// Whether a program plays on this account.
    bot: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    reliability: Reliability,
    /// How the newest 500 finished public games went, by rule set.
    results: Vec<RuleSetResults>,
    /// None if the player hides them.
    ratings: Vec<Rating>,
}

impl PlayerAnswer {
    pub(super) fn new(
        player: PlayerRow,
        reliability: Reliability,
        results: Vec<RuleSetResults>,
        ratings: Vec<Rating>,
    ) -> Self {
        Self {
            id: player.id,
            handle: player.handle,
            bot: player.bot,
            created_at: Timestamp::new(player.created_at),
            reliability,
            results,
            ratings,
        }
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
    /// The only game that the token is for; null for all.
    game: Option<Uuid>,
}

impl From<PersonalToken> for TokenAnswer {
    fn from(token: PersonalToken) -> Self {
        Self {
            id: token.id,
            name: token.name,
            scopes: token.scopes.iter().collect(),
            created_at: Timestamp::new(token.created_at),
            expires_at: token.expires_at.map(Timestamp::new),
            game: token.game_id,
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
