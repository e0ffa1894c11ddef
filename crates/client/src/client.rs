//! The client of one account: who it is, its tokens, and what it asks.

use std::fmt;
use std::time::Duration;

use reqwest::header::ETAG;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::sending::{Answer, Request, Sender};
use super::{ApiError, Retries};

/// The longest time for one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Who plays.
#[derive(Clone)]
pub enum Identity {
    /// A personal access token with the scopes `read`, `play` and, to offer games, `manage`.
    Token(String),
    /// An account, by its handle or confirmed address.
    Account { login: String, password: String },
    /// An account for a program; it is made if its handle is free.
    Bot { handle: String, password: String },
}

impl fmt::Debug for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(_) => out.write_str("a token"),
            Self::Account { login: handle, .. } | Self::Bot { handle, .. } => {
                write!(out, "the account {handle}")
            }
        }
    }
}

/// The last answer to a question that is asked again and again.
#[derive(Clone, Debug, Default)]
pub struct Known {
    tag: Option<String>,
}

impl Known {
    /// Asks anew next time.
    pub fn forget(&mut self) {
        self.tag = None;
    }
}

/// The tokens of a session.
#[derive(Default)]
struct Tokens {
    access: Option<String>,
    refresh: Option<String>,
}

impl Tokens {
    fn take(&mut self, session: &Value) -> Result<String, ApiError> {
        let text = |member: &str| session[member].as_str().map(str::to_owned);
        (self.access, self.refresh) = (text("access_token"), text("refresh_token"));
        self.access.clone().ok_or_else(|| ApiError::Unexpected("no token".to_owned()))
    }
}

/// The client of one account.
pub struct Client {
    pub(crate) sender: Sender,
    identity: Identity,
    /// Locked while they are renewed: a refresh token is valid once.
    tokens: Mutex<Tokens>,
}

impl Client {
    /// A client of the server at `url`, which sends every request again as far as [`Retries::default`] goes.
    ///
    /// # Errors
    /// The HTTP client cannot be made.
    pub fn new(url: &str, identity: Identity) -> Result<Self, ApiError> {
        let access = match &identity {
            Identity::Token(token) => Some(token.clone()),
            Identity::Account { .. } | Identity::Bot { .. } => None,
        };
        let tokens = Mutex::new(Tokens { access, refresh: None });
        Ok(Self { sender: Sender::new(url, REQUEST_TIMEOUT)?, identity, tokens })
    }

    /// Makes an account, and a client for it.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn register(url: &str, handle: &str, email: &str, password: &str) -> Result<Self, ApiError> {
        Self::register_with(url, handle, email, password, Retries::default()).await
    }

    /// The same with other bounds of waiting.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn register_with(
        url: &str,
        handle: &str,
        email: &str,
        password: &str,
        retries: Retries,
    ) -> Result<Self, ApiError> {
        let identity = Identity::Account { login: handle.to_owned(), password: password.to_owned() };
        let client = Self::new(url, identity)?.with_retries(retries);
        let body = json!({"handle": handle, "email": email, "password": password});
        let session = client.post_openly("/accounts", &body).await?;
        client.tokens.lock().await.take(&session)?;
        Ok(client)
    }

    /// The same client with other bounds of waiting.
    #[must_use]
    pub fn with_retries(mut self, retries: Retries) -> Self {
        self.sender.retries = retries;
        self
    }

    /// Fetches a resource; `path` is without `/api/v1`.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn get(&self, path: &str) -> Result<Value, ApiError> {
        self.ask(&Request::new(Method::GET, path)).await?.json()
    }

    /// Fetches a resource as the bytes that it is.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn get_bytes(&self, path: &str) -> Result<Vec<u8>, ApiError> {
        Ok(self.ask(&Request::new(Method::GET, path)).await?.body)
    }

    /// Fetches a resource unless it is as it was last time.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn get_if_new(&self, path: &str, known: &mut Known) -> Result<Option<Value>, ApiError> {
        let tag = known.tag.clone();
        let answer = self.ask(&Request { tag: tag.as_deref(), ..Request::new(Method::GET, path) }).await?;
        if answer.status == StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        known.tag = answer.headers.get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        answer.json().map(Some)
    }

    /// Sends something that must count once: a repeated request with the same key is the same request.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn post(&self, path: &str, body: &Value, key: Uuid) -> Result<Value, ApiError> {
        let request = Request { body: Some(body), key: Some(key), ..Request::new(Method::POST, path) };
        self.ask(&request).await?.json()
    }

    /// Sends a request of any other method.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, ApiError> {
        self.ask(&Request { body, ..Request::new(method, path) }).await?.json()
    }

    /// The keys that sign receipts.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn keys(&self) -> Result<Value, ApiError> {
        let request = Request { is_resource: false, ..Request::new(Method::GET, "/.well-known/jwks.json") };
        self.sender.send(&request, None).await?.json()
    }

    /// Asks with a token, and once more with a new one if that was too old.
    async fn ask(&self, request: &Request<'_>) -> Result<Answer, ApiError> {
        let token = self.token(None).await?;
        match self.sender.send(request, Some(&token)).await {
            Err(error) if error.is_unauthenticated() && self.can_renew() => {
                let token = self.token(Some(&token)).await?;
                self.sender.send(request, Some(&token)).await
            }
            answered => answered,
        }
    }

    pub(crate) fn can_renew(&self) -> bool {
        !matches!(self.identity, Identity::Token(_))
    }

    /// The access token; a new one if it is still the one that was refused.
    pub(crate) async fn token(&self, refused: Option<&str>) -> Result<String, ApiError> {
        let mut tokens = self.tokens.lock().await;
        match &tokens.access {
            Some(token) if refused != Some(token) || !self.can_renew() => Ok(token.clone()),
            _ => self.log_in(&mut tokens).await,
        }
    }

    /// Gets an access token: with the refresh token, by registering, or by logging in.
    async fn log_in(&self, tokens: &mut Tokens) -> Result<String, ApiError> {
        tokens.access = None;
        if let Some(refresh_token) = tokens.refresh.take() {
            match self.refresh(&refresh_token).await {
                Ok(session) => return tokens.take(&session),
                // A refusal that passes has not used the token.
                Err(error @ ApiError::Refused { .. }) if error.is_temporary() => {
                    tokens.refresh = Some(refresh_token);
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        let session = match &self.identity {
            Identity::Token(token) => return Ok(token.clone()),
            Identity::Account { login, password } => self.open_session(login, password).await?,
            Identity::Bot { handle, password } => match self.open_session(handle, password).await {
                Err(error) if error.is_log_in() => {
                    let email = format!("{handle}@bots.invalid");
                    let account =
                        json!({"handle": handle, "email": email, "password": password, "bot": true});
                    self.post_openly("/accounts", &account).await?
                }
                answered => answered?,
            },
        };
        tokens.take(&session)
    }

    /// Sent once: if the answer is lost, nobody knows whether the token was used, and a second use ends the session.
    async fn refresh(&self, refresh_token: &str) -> Result<Value, ApiError> {
        let body = json!({"refresh_token": refresh_token});
        let request = Request { body: Some(&body), ..Request::new(Method::POST, "/sessions/refresh") };
        self.sender.send_once(&request, None).await?.json()
    }

    async fn open_session(&self, login: &str, password: &str) -> Result<Value, ApiError> {
        self.post_openly("/sessions", &json!({"login": login, "password": password})).await
    }

    async fn post_openly(&self, path: &str, body: &Value) -> Result<Value, ApiError> {
        let key = Some(Uuid::now_v7());
        let request = Request { body: Some(body), key, ..Request::new(Method::POST, path) };
        self.sender.send(&request, None).await?.json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_shows_no_secret_of_its_account() {
        let account = Identity::Account { login: "ann".into(), password: "correct horse".into() };
        let bot = Identity::Bot { handle: "bot".into(), password: "correct horse".into() };
        let shown = format!("{account:?} {bot:?} {:?}", Identity::Token("ppt_secret".into()));
        assert!(shown.contains("ann") && !shown.contains("horse") && !shown.contains("ppt_"), "{shown}");
    }
}
