//! An API client as others would write one, and its answers.

use std::path::Path;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{ClientBuilder, Method, StatusCode};
use serde_json::Value;

use super::contract;

/// A client of the API, with or without a token.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    pub token: Option<String>,
    /// Whether answers are checked against the OpenAPI document.
    checked: bool,
}

/// An answer, checked against the OpenAPI document unless the client is [`Client::unchecked`].
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Client {
    pub fn new(url: &str, token: Option<String>) -> Self {
        Self::with(url, token, |builder| builder)
    }

    /// A client that connects through the server's Unix socket.
    pub fn by_socket(path: &Path) -> Self {
        Self::with("http://localhost", None, |builder| builder.unix_socket(path))
    }

    fn with(url: &str, token: Option<String>, further: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Self {
        // reqwest is built with TLS and needs a provider even where TLS is not used; only the first call has an effect.
        let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let builder = further(reqwest::Client::builder().timeout(Duration::from_mins(1)));
        let http = builder.build().expect("a client");
        Self { http, url: url.to_owned(), token, checked: true }
    }

    /// The same client without checks against the OpenAPI document, for tests with so many requests that checks take too long.
    pub fn unchecked(&self) -> Self {
        Self { checked: false, ..self.clone() }
    }

    /// The same account at another server, for a client that hangs up when nothing comes for so long, and keeps no connection.
    /// Its answers are not checked against the OpenAPI document.
    pub fn with_timeout(&self, url: &str, read_timeout: Duration) -> Self {
        let further = |builder: ClientBuilder| builder.read_timeout(read_timeout).pool_max_idle_per_host(0);
        Self::with(url, self.token.clone(), further).unchecked()
    }

    /// The same account at another server.
    pub fn at(&self, url: &str) -> Self {
        Self::new(url, self.token.clone())
    }

    /// A request with the client's token, for answers that are read while they come.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string()), &[]).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, Some(body.to_string()), &[]).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, Some(body.to_string()), &[]).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None, &[]).await
    }

    /// Sends a request; `body` is sent as JSON unless `headers` say otherwise.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        headers: &[(&str, &str)],
    ) -> Answer {
        self.send_bytes(method, path, body.map(String::into_bytes), headers).await
    }

    /// Sends a request whose body need not be text.
    pub async fn send_bytes(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let answer = self.try_send_bytes(method.clone(), path, body, headers).await;
        answer.unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// The same, but the server may be gone.
    pub async fn try_send_bytes(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
        headers: &[(&str, &str)],
    ) -> reqwest::Result<Answer> {
        let mut all = HeaderMap::new();
        if body.is_some() {
            all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        for (name, value) in headers {
            let name: HeaderName = name.parse().expect("a header's name");
            all.insert(name, value.parse().expect("a header's value"));
        }
        let mut request = self.request(method.clone(), path).headers(all);
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await?.to_vec();
        let answer = Answer { status, headers, body };
        if self.checked {
            contract::check(&method, path, &answer);
        }
        Ok(answer)
    }
}

impl Answer {
    #[track_caller]
    pub fn expect_status(&self, status: u16) -> &Self {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// The body of a successful answer.
    #[track_caller]
    pub fn ok(&self) -> Value {
        self.expect_status(200).json()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Checks that this is a problem with that status and code, and returns it.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        self.expect_status(status);
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(self.headers[CONTENT_TYPE], "application/problem+json");
        problem
    }
}
