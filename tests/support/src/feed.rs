//! A reader of a feed, as others would write one: it keeps the connection open and takes one line after another.

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::Value;

use super::Client;

/// The media type of NDJSON.
pub const NDJSON: &str = "application/x-ndjson";

/// The media type of server-sent events.
pub const SSE: &str = "text/event-stream";

/// An open stream.
pub struct FeedReader {
    response: reqwest::Response,
    /// What has arrived and was not taken.
    buffer: Vec<u8>,
    is_sse: bool,
}

/// What a stream says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A line, with the id of its server-sent event, if it has one.
    Line(Option<String>, Value),
    Heartbeat,
    /// The stream has ended, or was cut.
    Nothing,
}

impl FeedReader {
    /// Opens a stream of server-sent events, or of NDJSON, which must succeed.
    pub async fn open(client: &Client, path: &str, accept: &str, last_event_id: Option<&str>) -> Self {
        Self::try_open(client, path, accept, last_event_id).await.expect("a stream")
    }

    /// The same, but the server may be gone.
    pub async fn try_open(
        client: &Client,
        path: &str,
        accept: &str,
        last_event_id: Option<&str>,
    ) -> reqwest::Result<Self> {
        let mut request = client.request(reqwest::Method::GET, path).header(ACCEPT, accept);
        if let Some(id) = last_event_id {
            request = request.header("Last-Event-ID", id);
        }
        let response = request.send().await?.error_for_status()?;
        // A game that is over has no more: 204.
        if response.status() == StatusCode::OK {
            assert_eq!(response.headers()[CONTENT_TYPE], accept);
        }
        Ok(Self { response, buffer: Vec::new(), is_sse: accept == SSE })
    }

    /// Whether the game is over and has no more events, so that no stream came (204).
    pub fn has_no_more(&self) -> bool {
        self.response.status() == StatusCode::NO_CONTENT
    }

    /// The next line or heartbeat.
    pub async fn next(&mut self) -> Said {
        loop {
            let end: &[u8] = if self.is_sse { b"\n\n" } else { b"\n" };
            if let Some(at) = self.buffer.windows(end.len()).position(|window| window == end) {
                let block: Vec<u8> = self.buffer.drain(..at + end.len()).collect();
                match said(std::str::from_utf8(&block).expect("UTF-8"), self.is_sse) {
                    Some(said) => return said,
                    None => continue,
                }
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.buffer.extend_from_slice(&bytes),
                Ok(None) | Err(_) => return Said::Nothing,
            }
        }
    }

    /// The next line, which must come.
    pub async fn line(&mut self) -> (Option<String>, Value) {
        loop {
            match self.next().await {
                Said::Line(id, line) => return (id, line),
                Said::Heartbeat => {}
                Said::Nothing => panic!("the stream has ended"),
            }
        }
    }

    /// All lines to the end of the stream.
    pub async fn rest(&mut self) -> Vec<Value> {
        let mut lines = Vec::new();
        loop {
            match self.next().await {
                Said::Line(_, line) => lines.push(line),
                Said::Heartbeat => {}
                Said::Nothing => return lines,
            }
        }
    }
}

/// What a line of NDJSON or a block of server-sent events says; `None` for a block that says nothing to a program.
fn said(block: &str, is_sse: bool) -> Option<Said> {
    if !is_sse {
        return Some(match block.trim_end() {
            "" => Said::Heartbeat,
            line => Said::Line(None, serde_json::from_str(line).expect("JSON")),
        });
    }
    let (mut id, mut data) = (None, None);
    for line in block.lines().filter(|line| !line.is_empty()) {
        match line.split_once(':') {
            Some(("", _)) => return Some(Said::Heartbeat),
            Some(("id", value)) => id = Some(value.trim_start().to_owned()),
            Some(("data", value)) => data = Some(serde_json::from_str(value.trim_start()).expect("JSON")),
            Some(("retry", value)) => assert!(value.trim().parse::<u32>().is_ok(), "{line}"),
            _ => panic!("an unknown line: {line}"),
        }
    }
    data.map(|data| Said::Line(id, data))
}
