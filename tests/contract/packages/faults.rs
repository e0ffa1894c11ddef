//! A proxy for HTTP that loses answers, cuts streams and turns requests away, each at a place that is planned.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The longest head or body of a request.
const MAX_REQUEST_BYTES: usize = 1 << 20;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The proxy answers itself.
    Answer(&'static str),
    /// The server carries it out, and nobody hears of it.
    Lose,
    /// Of the answer so many bytes pass.
    Cut(usize),
}

/// A request whose method, path without query (its end) and number are these, from 1 on, meets the fault.
pub type Plan = &'static [(&'static str, &'static str, usize, Fault)];

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    /// With its query.
    pub path: String,
    pub key: Option<String>,
    pub body: Vec<u8>,
    pub at: Instant,
    pub fault: Option<Fault>,
}

impl Seen {
    /// Whether it is of that method and path, without the query.
    pub fn is(&self, method: &str, end: &str) -> bool {
        self.method == method && self.path.split('?').next().is_some_and(|path| path.ends_with(end))
    }
}

struct Shared {
    server: SocketAddr,
    plan: Plan,
    seen: Mutex<Vec<Seen>>,
}

/// The proxy, stopped on drop.
pub struct Faults {
    pub url: String,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

impl Faults {
    pub async fn before(server: &str, plan: Plan) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let server = server.parse().expect("an address");
        let shared = Arc::new(Shared { server, plan, seen: Mutex::default() });
        let serving = Arc::clone(&shared);
        let listening = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                // Either side may hang up at any time.
                tokio::spawn(async move { drop(carry(client, &shared).await) });
            }
        });
        Self { url, shared, listening }
    }

    /// All requests so far, in order.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().expect("no panic").clone()
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Shared {
    /// Counts the request, and says what happens to it.
    fn count(&self, mut request: Seen) -> Option<Fault> {
        let mut seen = self.seen.lock().expect("no panic");
        let planned = self.plan.iter().find(|(method, end, number, _)| {
            request.is(method, end) && seen.iter().filter(|seen| seen.is(method, end)).count() + 1 == *number
        });
        request.fault = planned.map(|(.., fault)| *fault);
        let fault = request.fault;
        seen.push(request);
        fault
    }
}

/// One request, the only one of its connection.
async fn carry(mut client: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            break at + 4;
        }
        if bytes.len() > MAX_REQUEST_BYTES || client.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut body = bytes.split_off(end);
    let length = header(&head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    while body.len() < length && body.len() < MAX_REQUEST_BYTES {
        if client.read_buf(&mut body).await? == 0 {
            return Ok(());
        }
    }
    let mut words = head.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let key = header(&head, "idempotency-key").map(str::to_owned);
    let fault = shared.count(Seen { method, path, key, body: body.clone(), at: Instant::now(), fault: None });
    if let Some(Fault::Answer(answer)) = fault {
        return client.write_all(answer.as_bytes()).await;
    }
    let mut server = TcpStream::connect(shared.server).await?;
    server.write_all(closing(&head).as_bytes()).await?;
    server.write_all(&body).await?;
    let passes = match fault {
        Some(Fault::Lose) => 0,
        Some(Fault::Cut(bytes)) => bytes,
        _ => usize::MAX,
    };
    pass(&mut server, &mut client, passes, fault != Some(Fault::Lose)).await
}

/// Passes so many bytes of an answer; then the connection ends, at once or when the server has said all.
async fn pass(
    server: &mut TcpStream,
    client: &mut TcpStream,
    mut left: usize,
    at_once: bool,
) -> std::io::Result<()> {
    let mut piece = vec![0; 1 << 14];
    loop {
        let read = server.read(&mut piece).await?;
        if read == 0 || (left == 0 && at_once) {
            return Ok(());
        }
        let said = &piece[..read.min(left)];
        client.write_all(said).await?;
        left -= said.len();
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// The head of a request after whose answer the server closes the connection.
fn closing(head: &str) -> String {
    let kept = head.trim_end().lines();
    let kept = kept.filter(|line| !line.to_ascii_lowercase().starts_with("connection:"));
    kept.chain(["Connection: close", "", ""]).collect::<Vec<_>>().join("\r\n")
}
