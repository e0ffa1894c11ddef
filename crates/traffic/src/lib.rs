//! Limits on what clients hold, in all and for each peer: connections, slow requests, unread answers, and costly work.
#![forbid(unsafe_code)]

pub mod endpoint;
mod answer;
mod background;
mod connection;
mod gate;
mod head_lines;
mod network;
mod payload;

use std::sync::Arc;
use std::time::Duration;

pub use answer::{Held, Tracked};
pub use background::{Work, compute, yield_to_requests};
pub use connection::{ConnectionState, GuardedStream, UnderWay};
pub use gate::{Full, Gate, Quantity, Share, TrafficPermit, Unit};
pub use network::{Counted, KnownBefore, KnownNetworks, Network, network, networks};
pub use payload::{BodyStopped, PacedPayload};

/// How long a client may take for a request's head, counted from its first byte.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an idle connection is kept open.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(75);

/// The longest pause in a request's body. After that time the body must have come at [`LEAST_BODY_RATE`] on average.
pub const BODY_IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the body of a move may wait where others hold all places for incomplete bodies.
pub const MOVE_BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// The time limit for a whole body.
pub const BODY_TIMEOUT: Duration = Duration::from_mins(1);

/// The least average rate of a body, in bytes a second.
pub const LEAST_BODY_RATE: u64 = 1024;

/// A client that reads more slowly than it is answered must read [`LEAST_READ_BYTES`] in every period of this length.
pub const READ_PERIOD: Duration = Duration::from_secs(30);

/// What a client must read in a [`READ_PERIOD`] while more data waits, in bytes.
pub const LEAST_READ_BYTES: usize = 16 * 1024;

/// The most connections at once.
pub const MAX_CONNECTIONS: u32 = 2048;

/// The most connections at once of one peer, unless set otherwise.
pub const MAX_CONNECTIONS_OF_A_PEER: u32 = 256;

/// The most requests with one token in a minute, unless set otherwise. Moves are never counted.
pub const REQUESTS_OF_A_TOKEN: u32 = 3_000;

/// The most requests of one peer in a minute, with all its tokens and without any, unless set otherwise.
pub const REQUESTS_OF_A_PEER: u32 = 12_000;

/// The largest head of a request, in bytes.
pub const MAX_HEAD_BYTES: usize = 32 * 1024;

/// The most requests with incomplete bodies. Bodies that arrive in one piece with their heads are not counted.
pub const BODIES: Share = Share { in_all: 256, of_peer: 32 };

/// The most bytes of unread answers larger than [`SMALL_ANSWER_BYTES`].
pub const ANSWER_BYTES: Share = Share { in_all: 16 << 20, of_peer: 4 << 20 };

/// The weight of an answer that is produced while it is sent, in bytes: a page of 500 events, once as read and once as waiting to
/// be sent.
pub const STREAMED_ANSWER_BYTES: u64 = 512 * 1024;

/// Answers up to this size are not counted: a connection has one at most.
pub const SMALL_ANSWER_BYTES: u64 = 32 * 1024;

/// The most records received or verified at once.
pub const VERIFICATIONS: Share = Share { in_all: 6, of_peer: 2 };

/// The most bytes of those records.
pub const RECORD_BYTES: Share = Share { in_all: 24 << 20, of_peer: 8 << 20 };

/// The most archives sent at once.
pub const ARCHIVES: Share = Share { in_all: 32, of_peer: 2 };

/// The most boards drawn or waiting to be drawn.
pub const DRAWINGS: Share = Share { in_all: 256, of_peer: 64 };

/// The most requests that hash a password at once.
pub const PASSWORDS: Share = Share { in_all: 132, of_peer: 16 };

/// The most requests that replay a game at once.
pub const REPLAYS: Share = Share { in_all: 256, of_peer: 64 };

/// The part of the connections that may wait for news in feeds: one in so many, of one peer and in all.
const CONNECTIONS_PER_FEED: u64 = 2;

/// The most feeds that are read at once, by the limits on connections.
#[must_use]
pub const fn feeds(connections: Share) -> Share {
    Share {
        in_all: connections.in_all / CONNECTIONS_PER_FEED,
        of_peer: connections.of_peer / CONNECTIONS_PER_FEED,
    }
}

/// The most animated pictures made at once.
pub const FILMS: Share = Share { in_all: 4, of_peer: 1 };

/// Time limits for clients, and limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For a request's head, from its first byte.
    pub head: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// The longest pause in a body.
    pub body_pause: Duration,
    /// For a whole body.
    pub body: Duration,
    /// The period in which [`LEAST_READ_BYTES`] of an answer must be read.
    pub read_period: Duration,
    pub connections: Share,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: HEAD_TIMEOUT,
            idle: IDLE_TIMEOUT,
            body_pause: BODY_IDLE_TIMEOUT,
            body: BODY_TIMEOUT,
            read_period: READ_PERIOD,
            connections: Share { in_all: MAX_CONNECTIONS.into(), of_peer: MAX_CONNECTIONS_OF_A_PEER.into() },
        }
    }
}

/// The limits of a process and what is held now. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Traffic(Arc<Gates>);

/// One gate for each limited quantity.
#[derive(Debug)]
pub struct Gates {
    pub limits: Limits,
    pub connections: Arc<Gate>,
    /// Requests with incomplete bodies.
    pub bodies: Arc<Gate>,
    /// Bytes of unread answers.
    pub answers: Arc<Gate>,
    pub verifications: Arc<Gate>,
    /// Bytes of records that are received or verified.
    pub record_bytes: Arc<Gate>,
    pub archives: Arc<Gate>,
    pub drawings: Arc<Gate>,
    pub passwords: Arc<Gate>,
    pub replays: Arc<Gate>,
    /// Requests that wait for news.
    pub feeds: Arc<Gate>,
    pub films: Arc<Gate>,
}

impl std::ops::Deref for Traffic {
    type Target = Gates;

    fn deref(&self) -> &Gates {
        &self.0
    }
}

impl Traffic {
    /// The gates, which keep places for `known` networks.
    #[must_use]
    pub fn new(limits: Limits, known: &KnownNetworks) -> Self {
        let requests = |name, share| Gate::new(Quantity::requests(name), share, known);
        let bytes = |name, share| Gate::new(Quantity::bytes(name), share, known);
        Self(Arc::new(Gates {
            limits,
            connections: requests("connections", limits.connections),
            bodies: requests("unread-bodies", BODIES),
            answers: bytes("unread-answers", ANSWER_BYTES),
            verifications: requests("verifications", VERIFICATIONS),
            record_bytes: bytes("record-bytes", RECORD_BYTES),
            archives: requests("archives", ARCHIVES),
            drawings: requests("drawings", DRAWINGS),
            passwords: requests("passwords", PASSWORDS),
            replays: requests("replays", REPLAYS),
            feeds: requests("feeds", feeds(limits.connections)),
            films: requests("films", FILMS),
        }))
    }
}

impl Default for Traffic {
    fn default() -> Self {
        Self::new(Limits::default(), &KnownNetworks::default())
    }
}
