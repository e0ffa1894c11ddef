//! The way to a code: an app's request, the consent page that shows it, and a player's approval.

use std::fmt;
use std::net::IpAddr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use time::Duration;
use url::Url;
use uuid::Uuid;

use super::{App, Destination, OAuthCode, OAuthError, Parameters, RedirectUri, ScopeList};
use crate::secret_token::{CODE_PREFIX, SecretToken};
use crate::{AccountError, Accounts, LogIn, Password, Scopes};
use pippost_store::app_tokens::{self, CodeRow, UNIQUE_REQUEST};
use pippost_store::apps;

/// How long a code is valid.
pub const CODE_LIFETIME: Duration = Duration::seconds(60);

/// How long a consent page can be answered.
pub const CONSENT_LIFETIME: Duration = Duration::minutes(10);

/// The longest `state` of an app, in bytes.
const MAX_STATE_BYTES: usize = 512;

/// The length of a challenge: SHA-256 in base64url.
const CHALLENGE_CHARS: usize = 43;

/// What a checked request asks for. Pages carry it sealed, so nobody can change it on the way.
#[derive(Clone, Serialize, Deserialize)]
struct Request {
    id: Uuid,
    redirect_uri: String,
    state: Option<String>,
    challenge: String,
    scopes: Vec<String>,
    game_id: Option<Uuid>,
    expires_at: i64,
}

/// A request of an app, to be shown to a player.
#[derive(Clone)]
pub struct Consent {
    pub app: App,
    /// The handle of who registered the app.
    pub registered_by: String,
    pub scopes: ScopeList,
    pub destination: Destination,
    request: Request,
}

/// Where to send a player back to.
#[derive(Clone)]
pub struct BackToApp {
    redirect_uri: RedirectUri,
    state: Option<String>,
}

/// What to do about a request whose app and redirect URI are right.
pub enum Authorization {
    Ask(Box<Consent>),
    /// The rest of it is wrong, which is told to the app.
    Wrong(BackToApp, OAuthError),
}

impl BackToApp {
    /// The app's address with the result and the issuer (RFC 9207).
    #[must_use]
    pub fn url(&self, issuer: &str, result: &[(&str, &str)]) -> Url {
        let state = self.state.as_deref().map(|state| ("state", state));
        let all: Vec<_> = result.iter().copied().chain(state).chain([("iss", issuer)]).collect();
        self.redirect_uri.with(&all)
    }

    /// What it leads to.
    #[must_use]
    pub fn destination(&self) -> Destination {
        self.redirect_uri.destination()
    }
}

impl Consent {
    /// Where the player is sent when the request is answered.
    ///
    /// # Errors
    /// Never, because only good redirect URIs are sealed.
    pub fn back(&self) -> Result<BackToApp, OAuthError> {
        let redirect_uri = RedirectUri::read(&self.request.redirect_uri).map_err(OAuthError::request)?;
        Ok(BackToApp { redirect_uri, state: self.request.state.clone() })
    }
}

/// Hides the request, which nobody needs in a log.
impl fmt::Debug for Consent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Consent").field("app", &self.app.id).finish_non_exhaustive()
    }
}

impl Accounts {
    /// Checks an app's request for an authorization code.
    ///
    /// # Errors
    /// The app or the redirect URI is wrong, which must be told to nobody but the player; or a failure.
    pub async fn authorization(&self, parameters: &Parameters) -> Result<Authorization, AccountError> {
        let app_id = parameters.need("client_id", "client_id is missing")?;
        let (app, registered_by) = self.app(app_id).await?;
        let text = parameters.need("redirect_uri", "redirect_uri is missing")?;
        let redirect_uri = RedirectUri::read(text).map_err(OAuthError::request)?;
        if !app.redirect_uris.iter().any(|registered| redirect_uri.is(registered)) {
            return Err(OAuthError::request("the app has not registered this redirect_uri").into());
        }
        // Without a state that could be sent back as it came, the app could not know its own request.
        let state = read_state(parameters)?;
        let destination = redirect_uri.destination();
        let asked = read_request(parameters);
        let (scopes, challenge) = match asked {
            Ok(asked) => asked,
            Err(error) => return Ok(Authorization::Wrong(BackToApp { redirect_uri, state }, error)),
        };
        let request = Request {
            id: Uuid::now_v7(),
            redirect_uri: redirect_uri.as_str().to_owned(),
            state,
            challenge,
            scopes: scopes.scopes.names(),
            game_id: scopes.game_id,
            expires_at: (self.0.clock.now() + CONSENT_LIFETIME).unix_timestamp(),
        };
        Ok(Authorization::Ask(Box::new(Consent { app, registered_by, scopes, destination, request })))
    }

    /// A request as its page carries it.
    ///
    /// # Panics
    /// Never: a request is plain data.
    #[must_use]
    pub fn sealed_consent(&self, consent: &Consent) -> String {
        let request = serde_json::to_vec(&consent.request).expect("plain data");
        URL_SAFE_NO_PAD.encode(self.0.secret.seal(consent.app.id, &request))
    }

    /// The request that a page of this server carried for an app.
    ///
    /// # Errors
    /// It is none, has expired, or the app is gone; or a failure.
    pub async fn opened_consent(&self, app_id: &str, sealed: &str) -> Result<Consent, AccountError> {
        let (app, registered_by) = self.app(app_id).await?;
        let opened = URL_SAFE_NO_PAD.decode(sealed).ok();
        let opened = opened.and_then(|sealed| self.0.secret.open(app.id, &sealed));
        let request = opened.and_then(|request| serde_json::from_slice::<Request>(&request).ok());
        let request = request.ok_or(OAuthError::request("this is no page of this server"))?;
        if self.0.clock.now().unix_timestamp() >= request.expires_at {
            return Err(OAuthError::request("the page has expired").into());
        }
        let redirect_uri = RedirectUri::read(&request.redirect_uri).map_err(OAuthError::request)?;
        let destination = redirect_uri.destination();
        let scopes = ScopeList {
            scopes: Scopes::from_names(request.scopes.iter().map(String::as_str)),
            game_id: request.game_id,
        };
        Ok(Consent { app, registered_by, scopes, destination, request })
    }

    /// Allows what an app asks for, in the name of the player whom name and password identify; the code for the app. Each page
    /// can be approved once. The tries of passwords count like those of logging in.
    ///
    /// # Errors
    /// Those of [`Accounts::log_in`]; [`AccountError::NoSuchGame`] if the player is not in the only game that it is for; or the page
    /// was approved before.
    pub async fn approve(
        &self,
        consent: &Consent,
        by: &LogIn,
        password: &Password,
        peer: IpAddr,
    ) -> Result<String, AccountError> {
        let player = self.recognise_player(by, password, peer).await?;
        if let Some(game_id) = consent.scopes.game_id {
            self.expect_member(game_id, player.id).await?;
        }
        let code = SecretToken::draw(CODE_PREFIX)?;
        let Request { id, redirect_uri, challenge, scopes, game_id, .. } = consent.request.clone();
        let row = CodeRow {
            request_id: id,
            code_hash: code.hash().to_vec(),
            app_id: consent.app.id,
            player_id: player.id,
            redirect_uri,
            challenge,
            scopes,
            game_id,
            expires_at: self.0.clock.now() + CODE_LIFETIME,
        };
        match app_tokens::insert_code(&self.0.database, &row).await {
            Ok(()) => {
                tracing::info!(player_id = %player.id, app_id = %consent.app.id, "app allowed");
                Ok(code.reveal())
            }
            Err(error) if error.violated_unique() == Some(UNIQUE_REQUEST) => {
                Err(OAuthError::request("the page was answered before").into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// An app by its `client_id`, with the handle of who registered it.
    pub(super) async fn app(&self, id: &str) -> Result<(App, String), AccountError> {
        let unknown = OAuthError::new(OAuthCode::InvalidClient, "there is no such app");
        let id = Uuid::try_parse(id).map_err(|_| unknown)?;
        let (row, handle) = apps::find(&self.0.database, id).await?.ok_or(unknown)?;
        Ok((row.into(), handle))
    }
}

/// The state, in the characters that RFC 6749 gives it.
fn read_state(parameters: &Parameters) -> Result<Option<String>, OAuthError> {
    let Some(state) = parameters.get("state") else { return Ok(None) };
    if state.len() > MAX_STATE_BYTES || !state.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(OAuthError::request("state has at most 512 visible ASCII characters"));
    }
    Ok(Some(state.to_owned()))
}

/// What a request asks for, and its challenge.
fn read_request(parameters: &Parameters) -> Result<(ScopeList, String), OAuthError> {
    match parameters.need("response_type", "response_type is missing")? {
        "code" => {}
        _ => return Err(OAuthError::new(OAuthCode::UnsupportedResponseType, "response_type must be code")),
    }
    if parameters.get("code_challenge_method") != Some("S256") {
        return Err(OAuthError::request("code_challenge_method must be S256"));
    }
    let challenge = parameters.need("code_challenge", "code_challenge is missing")?;
    let is_digest = URL_SAFE_NO_PAD.decode(challenge).is_ok_and(|bytes| bytes.len() == 32);
    if challenge.len() != CHALLENGE_CHARS || !is_digest {
        return Err(OAuthError::request("code_challenge must be a SHA-256 in base64url"));
    }
    let scopes = ScopeList::read(parameters.get("scope").unwrap_or_default())?;
    Ok((scopes, challenge.to_owned()))
}
