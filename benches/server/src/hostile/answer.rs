//! Answers as an attacker reads them: fast, keeping only the beginning of the body.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::request::Request;

/// The size of one read.
const PIECE_BYTES: usize = 64 * 1024;

/// The largest head of an answer.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The most headers of an answer.
const MAX_HEADERS: usize = 32;

/// The number of bytes of a body that are kept.
const KEPT_BYTES: usize = 300;

/// How long to wait, after a failed write, for what the server sent before it closed the connection.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_millis(200);

/// A server's answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Whether it has `Retry-After`.
    pub says_when: bool,
    /// The beginning of the body.
    pub beginning: Vec<u8>,
}

/// Sends a request and reads the whole answer; `None` if there is none.
pub async fn ask(connection: &mut TcpStream, request: &Request) -> Option<Answer> {
    let is_sent = connection.write_all(&request.whole_head()).await.is_ok()
        && connection.write_all(&request.body).await.is_ok();
    if is_sent {
        return take(connection).await;
    }
    // The server may have answered before it read everything.
    tokio::time::timeout(LAST_WORDS, take(connection)).await.ok().flatten()
}

async fn take(connection: &mut TcpStream) -> Option<Answer> {
    let mut bytes = Vec::with_capacity(1024);
    loop {
        let read = connection.read_buf(&mut bytes).await.ok().filter(|read| *read > 0);
        read?;
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Response::new(&mut headers);
        if let httparse::Status::Complete(head) = parsed.parse(&bytes).ok()? {
            let status = parsed.code?;
            let named = |name: &str| {
                parsed
                    .headers
                    .iter()
                    .find(|header| header.name.eq_ignore_ascii_case(name))
                    .map(|header| header.value)
            };
            let says_when = named("retry-after").is_some();
            let length =
                named("content-length").and_then(|length| std::str::from_utf8(length).ok()?.parse().ok());
            let in_chunks = named("transfer-encoding").is_some();
            let mut beginning = bytes.split_off(head);
            drain(connection, &mut beginning, length, in_chunks).await;
            beginning.truncate(KEPT_BYTES);
            return Some(Answer { status, says_when, beginning });
        }
        if bytes.len() > MAX_HEAD_BYTES {
            return None;
        }
    }
}

/// Reads a body, which starts with `beginning`, to its end.
async fn drain(
    connection: &mut TcpStream,
    beginning: &mut Vec<u8>,
    length: Option<usize>,
    in_chunks: bool,
) -> Option<()> {
    let mut come = beginning.len();
    let mut tail = beginning.clone();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        // An attacker does not parse chunks: it looks for the last one at the end of a read.
        let is_whole =
            if in_chunks { tail.ends_with(b"0\r\n\r\n") } else { come >= length.unwrap_or_default() };
        if is_whole {
            return Some(());
        }
        let read = connection.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        come += read;
        let kept = tail.len().saturating_sub(5);
        tail.drain(..kept);
        tail.extend_from_slice(&piece[read.saturating_sub(5)..read]);
        if beginning.len() < KEPT_BYTES {
            beginning.extend_from_slice(&piece[..read.min(KEPT_BYTES)]);
        }
    }
}

/// The status in an answer's first line.
#[must_use]
pub fn status(bytes: &[u8]) -> Option<u16> {
    std::str::from_utf8(bytes.get(9..12)?).ok()?.parse().ok()
}
