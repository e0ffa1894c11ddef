//! A small HTTP/1.1 client with one keep-alive connection and prepared requests, to cost as little as possible.

use std::net::{IpAddr, SocketAddr};

use anyhow::{Context, bail};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream, UnixStream};

use pippost::endpoint::Endpoint;

/// The largest head of an answer, in bytes.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The most headers of an answer.
const MAX_HEADERS: usize = 32;

/// A byte stream in both directions, over TCP or a Unix socket.
trait Stream: AsyncRead + AsyncWrite + Unpin {}

impl<S: AsyncRead + AsyncWrite + Unpin> Stream for S {}

/// A connection to the server.
pub struct Connection {
    stream: Box<dyn Stream>,
    /// The last answer, from the start of its head.
    buffer: Vec<u8>,
    /// The offset of its body.
    body: usize,
    /// Sent and received.
    pub bytes: u64,
    /// The last `ETag`, for conditional requests.
    pub tag: Option<String>,
    /// Whether the server closes the connection after the last answer.
    pub closes: bool,
}

/// A server's answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub status: u16,
    pub body_bytes: usize,
}

/// The length of a body.
enum Length {
    Bytes(usize),
    /// Given by its chunks.
    Chunks,
}

impl Connection {
    /// Connects, over TCP with Nagle's algorithm off.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn open(endpoint: impl Into<Endpoint>) -> anyhow::Result<Self> {
        let endpoint = endpoint.into();
        let stream = connect(&endpoint).await.with_context(|| format!("nobody listens on {endpoint}"))?;
        Ok(Self::over(stream))
    }

    /// Connects from one of this machine's addresses, as in `127.0.0.2`.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn open_from(from: impl Into<IpAddr>, server: SocketAddr) -> anyhow::Result<Self> {
        let stream = connect_from(from.into(), server).await;
        Ok(Self::over(Box::new(stream.with_context(|| format!("nobody listens on {server}"))?)))
    }

    fn over(stream: Box<dyn Stream>) -> Self {
        Self {
            stream,
            buffer: Vec::with_capacity(MAX_HEAD_BYTES),
            body: 0,
            bytes: 0,
            tag: None,
            closes: false,
        }
    }

    /// Sends a prepared request and waits for the whole answer, whose body is [`Connection::text`] until the next request.
    ///
    /// # Errors
    /// The connection broke, or the answer is not HTTP.
    pub async fn send(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let (status, length) = self.head().await?;
        let body_bytes = match length {
            Length::Bytes(length) => {
                self.fill(self.body + length).await?;
                length
            }
            Length::Chunks => self.chunks(self.body).await?,
        };
        self.bytes += (request.len() + self.buffer.len()) as u64;
        Ok(Answer { status, body_bytes })
    }

    /// Sends a request and requires an answer with 2xx or 304.
    ///
    /// # Errors
    /// As [`Connection::send`], or the answer has another status.
    pub async fn expect(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        let answer = self.send(request).await?;
        if !matches!(answer.status, 200..300 | 304) {
            let asked = String::from_utf8_lossy(request);
            bail!(
                "status {} for {}: {}",
                answer.status,
                asked.lines().next().unwrap_or_default(),
                self.text()
            );
        }
        Ok(answer)
    }

    /// The body of the last answer, including chunk headers if it was chunked.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.buffer[self.body..]).into_owned()
    }

    /// The values of a header of the last answer.
    pub fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let head = std::str::from_utf8(&self.buffer[..self.body]).unwrap_or_default();
        let fields = head.lines().filter_map(|line| line.split_once(':'));
        fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// Reads the whole head; returns the status and the length of the body.
    async fn head(&mut self) -> anyhow::Result<(u16, Length)> {
        loop {
            self.read().await?;
            let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
            let mut answer = httparse::Response::new(&mut headers);
            if let httparse::Status::Complete(head) = answer.parse(&self.buffer)? {
                self.body = head;
                let mut length = Length::Bytes(0);
                for header in answer.headers {
                    // Most names already differ in length.
                    if header.name.eq_ignore_ascii_case("content-length") {
                        length = Length::Bytes(std::str::from_utf8(header.value)?.parse()?);
                    } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
                        length = Length::Chunks;
                    } else if header.name.eq_ignore_ascii_case("etag") {
                        self.tag = Some(std::str::from_utf8(header.value)?.to_owned());
                    } else if header.name.eq_ignore_ascii_case("connection") {
                        self.closes = header.value.eq_ignore_ascii_case(b"close");
                    }
                }
                return Ok((answer.code.context("no status")?, length));
            }
            if self.buffer.len() > MAX_HEAD_BYTES {
                bail!("a head without an end");
            }
        }
    }

    async fn fill(&mut self, length: usize) -> anyhow::Result<()> {
        while self.buffer.len() < length {
            self.read().await?;
        }
        Ok(())
    }

    async fn read(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }

    /// Reads chunks from `start` to the last; returns the number of bytes in the body.
    async fn chunks(&mut self, start: usize) -> anyhow::Result<usize> {
        let (mut at, mut body) = (start, 0);
        loop {
            let end = loop {
                if let Some(end) = find(&self.buffer, at, b"\r\n") {
                    break end;
                }
                self.read().await?;
            };
            let size = std::str::from_utf8(&self.buffer[at..end])?;
            let size = usize::from_str_radix(size.trim(), 16).context("a chunk without its size")?;
            at = end + 2 + size + 2;
            self.fill(at).await?;
            if size == 0 {
                return Ok(body);
            }
            body += size;
        }
    }
}

async fn connect(endpoint: &Endpoint) -> std::io::Result<Box<dyn Stream>> {
    match endpoint {
        Endpoint::Tcp(address) => {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream))
        }
        Endpoint::Unix(path) => Ok(Box::new(UnixStream::connect(path).await?)),
    }
}

/// Connects to `server` from an address of this machine, with Nagle's algorithm off.
///
/// # Errors
/// Nobody listens, or the address does not exist.
pub async fn connect_from(from: IpAddr, server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = if server.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.bind((from, 0).into())?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn find(buffer: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    buffer[from..].windows(what.len()).position(|window| window == what).map(|at| from + at)
}

/// A GET, as bytes.
#[must_use]
pub fn get(path: &str, token: Option<&str>) -> Vec<u8> {
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}\r\n").into_bytes()
}

/// A GET that is answered with 304 while `tag` is current.
#[must_use]
pub fn get_if_changed(path: &str, tag: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n").into_bytes()
}

/// A POST of JSON with an idempotency key, as bytes.
#[must_use]
pub fn post(path: &str, token: &str, key: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Idempotency-Key: {key}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
