//! Feeds: every event once and in order, however often the stream is cut.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::types::Event;
use super::{ApiError, Client};

/// The server says every 16 seconds that it is there.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest line: an event has a few kilobytes.
const MAX_LINE_BYTES: usize = 4 << 20;

/// An event and its id. Who keeps the id of the last one goes on after it.
#[derive(Clone, Debug, Deserialize)]
pub struct FeedEvent {
    pub id: String,
    pub event: Event,
}

/// The events of a feed, from [`Client::follow`].
pub struct Feed<'a> {
    client: &'a Client,
    path: String,
    after: Option<String>,
    stream: Option<Lines>,
    failures: u32,
    is_over: bool,
}

impl<'a> Feed<'a> {
    pub(crate) fn new(client: &'a Client, path: String, after: Option<String>) -> Self {
        Self { client, path, after, stream: None, failures: 0, is_over: false }
    }

    /// The next event, or `None` once there is nothing more. Whatever happens to the connection, it asks again after the last event.
    /// If this is dropped before it is done, no event is lost.
    ///
    /// # Errors
    /// The server refuses it, or [`ApiError::NotAllowed`].
    pub async fn next(&mut self) -> Result<Option<FeedEvent>, ApiError> {
        loop {
            if self.is_over {
                return Ok(None);
            }
            let wait = match self.line().await {
                Ok(Some(line)) => match self.take(line)? {
                    Some(event) => return Ok(Some(event)),
                    None if self.stream.is_some() || self.is_over => continue,
                    None => None,
                },
                Ok(None) => None,
                Err(error) if error.is_temporary() => error.retry_after(),
                Err(error) => return Err(error),
            };
            self.stream = None;
            self.failures = self.failures.saturating_add(1);
            // The server said how long, or is to be spared.
            sleep(wait.unwrap_or_else(|| self.client.sender.retries.back_off(self.failures))).await;
        }
    }

    /// The next line of the stream, which is opened if there is none; `None` if it ends.
    async fn line(&mut self) -> Result<Option<Value>, ApiError> {
        if self.stream.is_none() {
            let Some(response) = self.open().await? else {
                self.is_over = true;
                return Ok(Some(Value::Null));
            };
            self.stream = Some(Lines { response, begun: Vec::new() });
        }
        match &mut self.stream {
            Some(lines) => lines.next().await,
            None => Ok(None),
        }
    }

    /// A new stream; `None` if the game is over and all of it is known.
    async fn open(&self) -> Result<Option<Response>, ApiError> {
        let query = self.after.as_ref().map(|after| format!("?after={after}")).unwrap_or_default();
        let path = format!("{}{query}", self.path);
        let token = self.client.token(None).await?;
        let response = match self.client.sender.stream(&path, &token).await {
            Err(error) if error.is_unauthenticated() && self.client.can_renew() => {
                let token = self.client.token(Some(&token)).await?;
                self.client.sender.stream(&path, &token).await?
            }
            answered => answered?,
        };
        Ok((response.status() != StatusCode::NO_CONTENT).then_some(response))
    }

    /// Takes a line: an event is given, an end ends the stream or the feed, what is not known is skipped.
    fn take(&mut self, line: Value) -> Result<Option<FeedEvent>, ApiError> {
        self.failures = 0;
        match (line["type"].as_str(), line["reason"].as_str()) {
            (Some("event"), _) => {
                let event: FeedEvent =
                    serde_json::from_value(line).map_err(|error| ApiError::Unexpected(error.to_string()))?;
                self.after = Some(event.id.clone());
                return Ok(Some(event));
            }
            (Some("end"), Some("not_allowed")) => return Err(ApiError::NotAllowed),
            (Some("end"), Some("game_over")) => self.is_over = true,
            (Some("end"), _) => self.stream = None,
            _ => {}
        }
        Ok(None)
    }
}

/// The lines of a stream.
struct Lines {
    response: Response,
    begun: Vec<u8>,
}

impl Lines {
    /// The next line that is not empty; `None` at the end, also if that comes within a line.
    async fn next(&mut self) -> Result<Option<Value>, ApiError> {
        loop {
            if let Some(end) = self.begun.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.begun.drain(..=end).collect();
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let unreadable = |error: serde_json::Error| ApiError::Unreachable(error.to_string());
                return serde_json::from_slice(&line).map(Some).map_err(unreadable);
            }
            if self.begun.len() > MAX_LINE_BYTES {
                return Err(ApiError::Unexpected("a line without an end".to_owned()));
            }
            let silent = |_| ApiError::Unreachable("the server is silent".to_owned());
            let chunk = timeout(IDLE_TIMEOUT, self.response.chunk()).await.map_err(silent)?;
            match chunk.map_err(ApiError::unreachable)? {
                Some(bytes) => self.begun.extend_from_slice(&bytes),
                None => return Ok(None),
            }
        }
    }
}
