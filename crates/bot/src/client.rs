//! A client of the public HTTP API: it logs in, waits when it is told to, and repeats requests safely.

use std::fmt;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, ETAG, HeaderMap, IF_NONE_MATCH, RETRY_AFTER};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

/// The longest time for one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest wait that a server can ask for; a later request asks again.
const MAX_WAIT: Duration = Duration::from_hours(1);

/// The largest answer that is read, in bytes.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// Who plays.
#[derive(Clone)]
pub enum Identity {
    /// A personal access token with the scopes `read`, `play` and, to offer games, `manage`.
    Token(String),
    /// An account; made as a bot's account if its handle is free.
    Account { handle: String, password: String },
}

impl fmt::Debug for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(_) => out.write_str("a token"),
            Self::Account { handle, .. } => write!(out, "the account {handle}"),
        }
    }
}

/// Why a request was not answered as hoped.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The server said no, with a code of the API.
    #[error("{status} {code}: {detail}")]
    Refused { status: StatusCode, code: String, detail: String, retry_after: Option<Duration> },
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    #[error("the server's answer is not the API's: {0}")]
    Unexpected(String),
}

impl ApiError {
    /// How long the server wants to be left alone.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether a later attempt can succeed without anything else being changed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Refused { status, .. } => {
                *status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
            }
            Self::Unreachable(_) => true,
            Self::Unexpected(_) => false,
        }
    }

    fn is_unauthenticated(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == StatusCode::UNAUTHORIZED)
    }

    /// Handle or password is wrong.
    fn is_log_in(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == StatusCode::FORBIDDEN)
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

/// The client of one account.
pub struct Client {
    http: reqwest::Client,
    /// The server's URL with `/api/v1`.
    base: String,
    identity: Identity,
    access_token: Option<String>,
    refresh_token: Option<String>,
}

/// What is sent.
struct Request<'a> {
    method: Method,
    path: &'a str,
    body: Option<&'a Value>,
    /// The entity tag of an answer that is known, and the key of a request that must count once.
    tag: Option<&'a str>,
    key: Option<Uuid>,
}

/// What came back, if it was no refusal.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Value,
}

impl Client {
    /// A client of the server at `url`.
    ///
    /// # Errors
    /// The HTTP client cannot be made.
    pub fn new(url: &str, identity: Identity) -> Result<Self, ApiError> {
        let agent = concat!("pippost-bot/", env!("CARGO_PKG_VERSION"));
        let builder = reqwest::Client::builder().timeout(REQUEST_TIMEOUT).user_agent(agent);
        let roots = webpki_roots::TLS_SERVER_ROOTS.to_vec();
        let tls =
            rustls::ClientConfig::builder_with_provider(rustls::crypto::aws_lc_rs::default_provider().into())
                .with_safe_default_protocol_versions()
                .map_err(|error| ApiError::Unexpected(error.to_string()))?
                .with_root_certificates(rustls::RootCertStore { roots })
                .with_no_client_auth();
        let http = builder
            .use_preconfigured_tls(tls)
            .build()
            .map_err(|error| ApiError::Unexpected(error.to_string()))?;
        let access_token = match &identity {
            Identity::Token(token) => Some(token.clone()),
            Identity::Account { .. } => None,
        };
        let base = format!("{}/api/v1", url.trim_end_matches('/'));
        Ok(Self { http, base, identity, access_token, refresh_token: None })
    }

    /// Fetches a resource.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn get(&mut self, path: &str) -> Result<Value, ApiError> {
        Ok(self.ask(&Request { method: Method::GET, path, body: None, tag: None, key: None }).await?.body)
    }

    /// Fetches a resource unless it is as it was last time.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn get_if_new(&mut self, path: &str, known: &mut Known) -> Result<Option<Value>, ApiError> {
        let tag = known.tag.clone();
        let request = Request { method: Method::GET, path, body: None, tag: tag.as_deref(), key: None };
        let answer = self.ask(&request).await?;
        if answer.status == StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        known.tag = answer.headers.get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        Ok(Some(answer.body))
    }

    /// Sends something that must count once: a repeated request with the same key is the same request.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn post(&mut self, path: &str, body: &Value, key: Uuid) -> Result<Value, ApiError> {
        let request = Request { method: Method::POST, path, body: Some(body), tag: None, key: Some(key) };
        Ok(self.ask(&request).await?.body)
    }

    /// Asks with a token, and once more with a new one if that was too old.
    async fn ask(&mut self, request: &Request<'_>) -> Result<Answer, ApiError> {
        if self.access_token.is_none() {
            self.log_in().await?;
        }
        match self.send(request, true).await {
            Err(error) if error.is_unauthenticated() && self.has_password() => {
                self.access_token = None;
                self.log_in().await?;
                self.send(request, true).await
            }
            answered => answered,
        }
    }

    fn has_password(&self) -> bool {
        matches!(self.identity, Identity::Account { .. })
    }

    /// Gets an access token: with the refresh token, by registering, or by logging in.
    async fn log_in(&mut self) -> Result<(), ApiError> {
        let Identity::Account { handle, password } = self.identity.clone() else { return Ok(()) };
        if let Some(refresh_token) = self.refresh_token.take() {
            let body = json!({"refresh_token": refresh_token});
            match self.post_openly("/sessions/refresh", &body).await {
                Ok(session) => return self.take_session(&session),
                Err(error) if error.is_temporary() => {
                    // The token may still be good.
                    self.refresh_token = Some(refresh_token);
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        let email = format!("{handle}@bots.invalid");
        let account = json!({"handle": handle, "email": email, "password": password, "bot": true});
        let session =
            match self.post_openly("/sessions", &json!({"login": handle, "password": password})).await {
                Err(error) if error.is_log_in() => self.post_openly("/accounts", &account).await?,
                answered => answered?,
            };
        self.take_session(&session)
    }

    async fn post_openly(&self, path: &str, body: &Value) -> Result<Value, ApiError> {
        let request = Request { method: Method::POST, path, body: Some(body), tag: None, key: None };
        Ok(self.send(&request, false).await?.body)
    }

    fn take_session(&mut self, session: &Value) -> Result<(), ApiError> {
        let text = |member: &str| session[member].as_str().map(str::to_owned);
        self.access_token = text("access_token");
        self.refresh_token = text("refresh_token");
        self.access_token.is_some().then_some(()).ok_or_else(|| ApiError::Unexpected("no token".to_owned()))
    }

    async fn send(&self, request: &Request<'_>, with_token: bool) -> Result<Answer, ApiError> {
        let mut sent = self.http.request(request.method.clone(), format!("{}{}", self.base, request.path));
        if let Some(token) = self.access_token.as_ref().filter(|_| with_token) {
            sent = sent.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(tag) = request.tag {
            sent = sent.header(IF_NONE_MATCH, tag);
        }
        if let Some(key) = request.key {
            sent = sent.header("Idempotency-Key", key.to_string());
        }
        if let Some(body) = request.body {
            sent = sent.json(body);
        }
        let unreachable = |error: reqwest::Error| ApiError::Unreachable(error.without_url().to_string());
        let mut response = sent.send().await.map_err(unreachable)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if bytes.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(ApiError::Unexpected("the answer is too long".to_owned()));
            }
            bytes.extend_from_slice(&chunk);
        }
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if status.is_success() || status == StatusCode::NOT_MODIFIED {
            return Ok(Answer { status, headers, body });
        }
        Err(refused(status, &headers, &body))
    }
}

/// The error of a problem (RFC 9457).
fn refused(status: StatusCode, headers: &HeaderMap, body: &Value) -> ApiError {
    let text = |member: &str| body[member].as_str().unwrap_or_default().to_owned();
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let retry_after = seconds.map(|seconds| Duration::from_secs(seconds).min(MAX_WAIT));
    ApiError::Refused { status, code: text("code"), detail: text("detail"), retry_after }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_that_a_server_asks_for_is_read_and_bounded() {
        let asked = |value: &str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, value.parse().expect("a header"))]);
            refused(StatusCode::TOO_MANY_REQUESTS, &headers, &json!({"code": "too_many"})).retry_after()
        };
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("999999999"), Some(MAX_WAIT));
        assert_eq!(asked("soon"), None);
    }

    #[test]
    fn a_client_shows_no_secret_of_its_account() {
        let account = Identity::Account { handle: "ann".into(), password: "correct horse".into() };
        let shown = format!("{account:?} {:?}", Identity::Token("ppt_secret".into()));
        assert!(shown.contains("ann") && !shown.contains("horse") && !shown.contains("ppt_"), "{shown}");
    }

    #[test]
    fn only_what_may_pass_by_itself_is_tried_again() {
        let refused = |status| refused(status, &HeaderMap::new(), &Value::Null).is_temporary();
        assert!(refused(StatusCode::TOO_MANY_REQUESTS) && refused(StatusCode::SERVICE_UNAVAILABLE));
        assert!(!refused(StatusCode::CONFLICT) && !refused(StatusCode::FORBIDDEN));
        assert!(ApiError::Unreachable("refused".into()).is_temporary());
    }
}
