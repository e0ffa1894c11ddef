//! A client that asks two servers through wires that fail, and keeps asking until it has an answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use support::{INBOUND_SECRET, PASSWORD};

use super::chance::Dice;
use super::notes::Notes;
use super::world::SERVERS;

/// How long a client waits for one answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(4);

pub fn http(timeout: Duration) -> reqwest::Client {
    // Only the first call has an effect.
    let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
    reqwest::Client::builder().timeout(timeout).build().expect("a client")
}

/// What came back.
#[derive(Debug)]
pub enum Said {
    Answer(u16, Value),
    /// Nothing, or that the server cannot answer now.
    Nothing,
}

/// One request, which may be sent many times.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    pub path: String,
    pub body: Option<String>,
    pub headers: Vec<(&'static str, String)>,
}

impl Request {
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: None, headers: Vec::new() }
    }

    /// A request that must count once.
    pub fn post(path: impl Into<String>, body: &Value) -> Self {
        let key = uuid::Uuid::new_v4().to_string();
        let headers = vec![("Content-Type", "application/json".to_owned()), ("Idempotency-Key", key)];
        Self { method: Method::POST, path: path.into(), body: Some(body.to_string()), headers }
    }

    /// A mail as a mail server delivers it.
    pub fn mail(raw: String) -> Self {
        let headers = vec![
            ("Content-Type", "message/rfc822".to_owned()),
            ("X-Inbound-Secret", INBOUND_SECRET.to_owned()),
        ];
        let path = "/api/v1/inbound/mail".to_owned();
        Self { method: Method::POST, path, body: Some(raw), headers }
    }
}

#[derive(Clone)]
pub struct Caller {
    http: reqwest::Client,
    urls: [String; SERVERS],
    pub token: Option<String>,
    pub handle: String,
    /// As which the servers count its requests.
    address: String,
    pub notes: Arc<Notes>,
}

impl Caller {
    /// Somebody without an account.
    pub fn stranger(urls: [String; SERVERS], notes: Arc<Notes>) -> Self {
        let (handle, address) = ("nobody".to_owned(), "10.0.0.1".to_owned());
        Self { http: http(REQUEST_TIMEOUT), urls, token: None, handle, address, notes }
    }

    /// A new player whose address is confirmed by the link in the mail.
    pub async fn register(
        urls: [String; SERVERS],
        notes: Arc<Notes>,
        number: usize,
        dice: &mut Dice,
    ) -> Self {
        let handle = format!("player-{number}");
        let address = format!("10.1.{}.{}", number / 200, number % 200 + 1);
        let mut caller = Self { handle: handle.clone(), address, ..Self::stranger(urls, notes) };
        let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
        let registered = caller.insist(dice, &Request::post("/api/v1/accounts", &body)).await;
        caller.token = registered.1["access_token"].as_str().map(str::to_owned);
        let body = json!({"name": "torture", "scopes": ["read", "play", "manage", "webhooks"]});
        let made = caller.insist(dice, &Request::post("/api/v1/me/tokens", &body)).await;
        caller.token = Some(made.1["token"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_owned());
        caller
    }

    /// Asks one server once.
    pub async fn ask(&self, server: usize, request: &Request) -> Said {
        let url = format!("{}{}", self.urls[server], request.path);
        let mut sent =
            self.http.request(request.method.clone(), url).header("X-Forwarded-For", &self.address);
        for (name, value) in &request.headers {
            sent = sent.header(*name, value);
        }
        if let Some(token) = &self.token {
            sent = sent.bearer_auth(token);
        }
        if let Some(body) = &request.body {
            sent = sent.body(body.clone());
        }
        let answered = async {
            let response = sent.send().await?;
            let (status, waits) =
                (response.status().as_u16(), response.headers().contains_key("retry-after"));
            Ok::<_, reqwest::Error>((status, waits, response.bytes().await?))
        };
        let Ok((status, waits, body)) = answered.await else {
            self.notes.in_vain.fetch_add(1, Ordering::Relaxed);
            return Said::Nothing;
        };
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        match status {
            503 | 429 if waits => {
                self.notes.in_vain.fetch_add(1, Ordering::Relaxed);
                Said::Nothing
            }
            500.. => {
                self.notes.wrong(format!("{} {}: {status} {body}", request.method, request.path));
                Said::Nothing
            }
            _ => Said::Answer(status, body),
        }
    }

    /// Asks whichever server until one answers.
    pub async fn insist(&self, dice: &mut Dice, request: &Request) -> (u16, Value) {
        loop {
            if let Said::Answer(status, body) = self.ask(dice.below(SERVERS), request).await {
                return (status, body);
            }
            // So that a server that is down is not asked without end.
            tokio::time::sleep(dice.milliseconds(40, 250)).await;
        }
    }

    /// What one server serves, as the bytes that it is.
    pub async fn bytes(&self, server: usize, path: &str) -> Vec<u8> {
        let url = format!("{}{path}", self.urls[server]);
        loop {
            let asked = async { self.http.get(&url).send().await?.error_for_status()?.bytes().await };
            if let Ok(bytes) = asked.await {
                return bytes.to_vec();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Opens a feed at one server.
    pub async fn follow(&self, server: usize, path: &str) -> reqwest::Result<reqwest::Response> {
        let url = format!("{}{path}", self.urls[server]);
        let mut sent = http(Duration::from_mins(20)).get(url).header("X-Forwarded-For", &self.address);
        if let Some(token) = &self.token {
            sent = sent.bearer_auth(token);
        }
        sent.header("Accept", "application/x-ndjson").send().await?.error_for_status()
    }
}
