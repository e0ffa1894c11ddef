//! Sends requests, again where that is safe and the server or the network asks for it.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, IF_NONE_MATCH};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use uuid::Uuid;

use super::{ApiError, Retries};

/// The largest answer that is read, in bytes.
const MAX_ANSWER_BYTES: usize = 64 << 20;

/// What is sent.
pub struct Request<'a> {
    pub method: Method,
    pub path: &'a str,
    pub body: Option<&'a Value>,
    /// The entity tag of an answer that is known, and the key of a request that must count once.
    pub tag: Option<&'a str>,
    pub key: Option<Uuid>,
    /// Whether it lies below `/api/v1`.
    pub is_resource: bool,
}

impl<'a> Request<'a> {
    pub fn new(method: Method, path: &'a str) -> Self {
        Self { method, path, body: None, tag: None, key: None, is_resource: true }
    }

    /// Whether it may arrive twice: a `POST` needs a key for that.
    fn is_repeatable(&self) -> bool {
        self.method != Method::POST || self.key.is_some()
    }
}

/// What came back, if it was no refusal.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it is empty.
    pub fn json(&self) -> Result<Value, ApiError> {
        if self.body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.body).map_err(|error| ApiError::Unexpected(error.to_string()))
    }
}

/// The connection to one server.
pub struct Sender {
    http: reqwest::Client,
    url: String,
    timeout: Duration,
    pub retries: Retries,
}

impl Sender {
    pub fn new(url: &str, timeout: Duration) -> Result<Self, ApiError> {
        let agent = concat!("pippost-client/", env!("CARGO_PKG_VERSION"));
        let roots = webpki_roots::TLS_SERVER_ROOTS.to_vec();
        let tls =
            rustls::ClientConfig::builder_with_provider(rustls::crypto::aws_lc_rs::default_provider().into())
                .with_safe_default_protocol_versions()
                .map_err(|error| ApiError::Unexpected(error.to_string()))?
                .with_root_certificates(rustls::RootCertStore { roots })
                .with_no_client_auth();
        // A token goes to the server that it is for, and nowhere else.
        let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let builder = builder.connect_timeout(timeout).user_agent(agent).use_preconfigured_tls(tls);
        let http = builder.build().map_err(|error| ApiError::Unexpected(error.to_string()))?;
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self { http, url, timeout, retries: Retries::default() })
    }

    /// Sends a request until there is an answer that is worth something, or the bounds are reached.
    pub async fn send(&self, request: &Request<'_>, token: Option<&str>) -> Result<Answer, ApiError> {
        let mut attempt = 1;
        loop {
            let error = match self.send_once(request, token).await {
                Err(error) => error,
                answered => return answered,
            };
            let is_safe = request.is_repeatable() || !matches!(error, ApiError::Unreachable(_));
            match self.retries.wait_after(&error, attempt).filter(|_| is_safe) {
                // As long as the server said, or longer each time, so that one that is down is spared.
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(error),
            }
            attempt += 1;
        }
    }

    pub async fn send_once(&self, request: &Request<'_>, token: Option<&str>) -> Result<Answer, ApiError> {
        let below = if request.is_resource { "/api/v1" } else { "" };
        let mut sent =
            self.http.request(request.method.clone(), format!("{}{below}{}", self.url, request.path));
        if let Some(token) = token {
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
        let response = sent.timeout(self.timeout).send().await.map_err(ApiError::unreachable)?;
        read(response).await
    }

    /// The answer of a feed, whose body is still to be read.
    pub async fn stream(&self, path: &str, token: &str) -> Result<Response, ApiError> {
        let url = format!("{}/api/v1{path}", self.url);
        let sent = self.http.get(url).header(AUTHORIZATION, format!("Bearer {token}"));
        let sent = sent.header(ACCEPT, "application/x-ndjson").send();
        let late = |_| ApiError::Unreachable("no answer in time".to_owned());
        let response = tokio::time::timeout(self.timeout, sent).await.map_err(late)?;
        let response = response.map_err(ApiError::unreachable)?;
        if response.status().is_success() {
            return Ok(response);
        }
        match read(response).await {
            Ok(_) => Err(ApiError::Unexpected("no stream".to_owned())),
            Err(error) => Err(error),
        }
    }
}

/// The whole answer, or the refusal that it is.
async fn read(mut response: Response) -> Result<Answer, ApiError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(ApiError::unreachable)? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(ApiError::Unexpected("the answer is too long".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    if status.is_success() || status == StatusCode::NOT_MODIFIED {
        return Ok(Answer { status, headers, body });
    }
    Err(ApiError::refused(status, &headers, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}
