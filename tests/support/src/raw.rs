//! HTTP/1.1 as bytes, for requests that no client library would send.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::client::Answer;

/// Longer than any answer takes; only a hanging request reaches it.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The most headers of an answer.
const MAX_HEADERS: usize = 32;

/// A client with one connection, which is reopened when the server has closed it.
pub struct RawClient {
    server: SocketAddr,
    /// The local address: one of this machine.
    from: Ipv4Addr,
    connection: Option<TcpStream>,
}

impl RawClient {
    pub fn new(server: SocketAddr) -> Self {
        Self::from(server, Ipv4Addr::LOCALHOST)
    }

    /// A client at another address of this machine, as in `127.0.0.2`.
    pub fn from(server: SocketAddr, from: Ipv4Addr) -> Self {
        Self { server, from, connection: None }
    }

    /// A new connection. Not for asynchronous tasks, because it blocks.
    pub fn connect(&self) -> io::Result<TcpStream> {
        // The standard library cannot choose the local address.
        let connecting = async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind((self.from, 0).into())?;
            socket.connect(self.server).await?.into_std()
        };
        let connection =
            tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(connecting)?;
        connection.set_nonblocking(false)?;
        connection.set_read_timeout(Some(TIMEOUT))?;
        connection.set_write_timeout(Some(TIMEOUT))?;
        connection.set_nodelay(true)?;
        Ok(connection)
    }

    /// Sends a request and reads its answer; `None` if the server closes the connection without one.
    pub fn send(&mut self, request: &[u8]) -> Option<Answer> {
        // A kept connection may have been closed meanwhile: then a new one is opened.
        let kept = self.connection.take();
        let is_new = kept.is_none();
        let answer = self.send_over(kept, request);
        if answer.is_some() || is_new { answer } else { self.send_over(None, request) }
    }

    fn send_over(&mut self, connection: Option<TcpStream>, request: &[u8]) -> Option<Answer> {
        let mut connection = match connection {
            Some(connection) => connection,
            None => self.connect().expect("the server listens"),
        };
        // A server that refuses a long request does not read all of it.
        let _ = connection.write_all(request);
        let (answer, stays_open) = read_answer(&mut connection)?;
        if stays_open {
            self.connection = Some(connection);
        }
        Some(answer)
    }
}

/// The next answer, and whether the connection stays open.
pub fn read_answer(connection: &mut TcpStream) -> Option<(Answer, bool)> {
    let mut bytes = Vec::new();
    loop {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Response::new(&mut headers);
        if let httparse::Status::Complete(length) = head.parse(&bytes).expect("an answer in HTTP") {
            let status = StatusCode::from_u16(head.code.expect("a status")).expect("a status");
            let mut all = HeaderMap::new();
            for header in head.headers {
                let name: HeaderName = header.name.parse().expect("a header's name");
                all.append(name, HeaderValue::from_bytes(header.value).expect("a header's value"));
            }
            let body = read_body(connection, bytes.split_off(length), status, &all)?;
            let closes =
                all.get("connection").is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"close"));
            return Some((Answer { status, headers: all, body }, !closes));
        }
        read_some(connection, &mut bytes)?;
    }
}

fn read_some(connection: &mut TcpStream, into: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 16 * 1024];
    let read = connection.read(&mut piece).ok().filter(|read| *read > 0)?;
    into.extend_from_slice(&piece[..read]);
    Some(())
}

fn read_body(
    connection: &mut TcpStream,
    mut bytes: Vec<u8>,
    status: StatusCode,
    headers: &HeaderMap,
) -> Option<Vec<u8>> {
    if headers.contains_key("transfer-encoding") {
        return read_chunks(connection, bytes);
    }
    let length =
        headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0);
    let length: usize = if matches!(status.as_u16(), 204 | 304) { 0 } else { length };
    while bytes.len() < length {
        read_some(connection, &mut bytes)?;
    }
    Some(bytes)
}

fn read_chunks(connection: &mut TcpStream, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let (start, size) = loop {
            match httparse::parse_chunk_size(&bytes).expect("a chunk") {
                httparse::Status::Complete((start, size)) => {
                    break (start, usize::try_from(size).expect("a size"));
                }
                httparse::Status::Partial => read_some(connection, &mut bytes)?,
            }
        };
        while bytes.len() < start + size + 2 {
            read_some(connection, &mut bytes)?;
        }
        body.extend_from_slice(&bytes[start..start + size]);
        bytes.drain(..start + size + 2);
        if size == 0 {
            return Some(body);
        }
    }
}

/// A request as bytes, without any validation.
pub fn request(method: &str, target: &[u8], headers: &[(&str, &[u8])], body: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = [method.as_bytes(), b" ", target, b" HTTP/1.1\r\nHost: localhost\r\n"].concat();
    for (name, value) in headers {
        bytes.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    if let Some(body) = body {
        bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body.unwrap_or_default());
    bytes
}
