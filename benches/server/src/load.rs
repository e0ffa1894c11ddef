//! Sends requests over many connections at once and measures them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

use super::client::Connection;
use super::script::Script;
use pippost::endpoint::Endpoint;

/// The longest time that is distinguished, in microseconds.
const MAX_MICROSECONDS: u64 = 60_000_000;

/// The measurements of one round's requests.
#[derive(Clone)]
pub struct Taken {
    pub requests: u64,
    pub seconds: f64,
    /// In microseconds.
    pub latencies: Histogram<u64>,
    /// Bytes over the wire, in both directions.
    pub bytes: u64,
    /// Bytes of the answers' bodies.
    pub body_bytes: u64,
}

/// A histogram of times in microseconds.
///
/// # Panics
/// Never: the bounds are valid.
#[must_use]
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, MAX_MICROSECONDS, 3).expect("possible bounds")
}

/// A source of requests for all connections.
pub trait Source {
    /// The next requests of one connection, in order, each sent when the one before is answered; `None` at the end.
    fn next(&self) -> Option<Vec<Vec<u8>>>;
}

/// Games, each played over one connection from its first move to its last.
pub struct Unplayed(pub RefCell<VecDeque<Script>>);

impl Source for Unplayed {
    fn next(&self) -> Option<Vec<Vec<u8>>> {
        self.0.borrow_mut().pop_front().map(|script| script.moves)
    }
}

/// Repeats the same requests.
pub struct Repeated {
    pub requests: Vec<Vec<u8>>,
    pub at: Cell<usize>,
}

impl Repeated {
    #[must_use]
    pub fn new(requests: Vec<Vec<u8>>) -> Self {
        Self { requests, at: Cell::new(0) }
    }
}

impl Source for Repeated {
    fn next(&self) -> Option<Vec<Vec<u8>>> {
        let at = self.at.get();
        self.at.set(at + 1);
        Some(vec![self.requests.get(at % self.requests.len().max(1))?.clone()])
    }
}

/// Sends requests from `source` over `connections` connections for `seconds`, or until none is left.
///
/// # Errors
/// A request was not answered with 2xx.
pub async fn send(
    endpoint: impl Into<Endpoint>,
    connections: usize,
    seconds: f64,
    source: Rc<dyn Source>,
) -> anyhow::Result<Taken> {
    let endpoint = endpoint.into();
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Connection::open(endpoint.clone()).await?);
    }
    let started = Instant::now();
    let end = started + Duration::from_secs_f64(seconds);
    let taken = Rc::new(RefCell::new(histogram()));
    let body_bytes = Rc::new(Cell::new(0));
    let clients = open.into_iter().map(|mut connection| {
        let (source, taken, body_bytes) = (Rc::clone(&source), Rc::clone(&taken), Rc::clone(&body_bytes));
        async move {
            while let Some(requests) = source.next() {
                for request in requests {
                    let sent = Instant::now();
                    if sent >= end {
                        return Ok(connection.bytes);
                    }
                    let answer = connection.expect(&request).await?;
                    let microseconds = u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX);
                    taken.borrow_mut().saturating_record(microseconds);
                    body_bytes.set(body_bytes.get() + answer.body_bytes as u64);
                }
            }
            anyhow::Ok(connection.bytes)
        }
    });
    let local = tokio::task::LocalSet::new();
    let tasks: Vec<_> = clients.map(|client| local.spawn_local(client)).collect();
    let bytes = local.run_until(async { anyhow::Ok(sum(tasks).await?) }).await?;
    let latencies = taken.borrow().clone();
    let seconds = started.elapsed().as_secs_f64();
    Ok(Taken { requests: latencies.len(), seconds, latencies, bytes, body_bytes: body_bytes.get() })
}

async fn sum(tasks: Vec<tokio::task::JoinHandle<anyhow::Result<u64>>>) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for task in tasks {
        bytes += task.await??;
    }
    Ok(bytes)
}
