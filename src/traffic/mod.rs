//! What strangers may hold: connections, requests that arrive slowly, answers that are not read, and places at costly work; in all,
//! and of that one peer's part.

mod answer;
mod background;
mod connection;
mod gate;
mod payload;

use std::sync::Arc;
use std::time::Duration;

pub use answer::{Held, Tracked};
pub use background::{compute, yield_to_requests};
pub use connection::{Conversation, GuardedStream, UnderWay};
pub use gate::{Full, Gate, Pass, Share, network};
pub use payload::{BodyStopped, PacedPayload};

/// How long a client may take for a request's head, counted from its first byte.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an idle connection is kept.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(75);

/// The longest pause in a request's body. After that time the body must have come at [`LEAST_BODY_RATE`] on average.
pub const BODY_IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a whole body may take.
pub const BODY_TIMEOUT: Duration = Duration::from_mins(1);

/// The least rate of a body on average, in bytes a second.
pub const LEAST_BODY_RATE: u64 = 1024;

/// While a client does not read as fast as it is answered, it must take [`LEAST_READ_BYTES`] in every period of this length.
pub const READ_PERIOD: Duration = Duration::from_secs(30);

/// What a client takes at least in a [`READ_PERIOD`] while more waits for it, in bytes.
pub const LEAST_READ_BYTES: usize = 16 * 1024;

/// The most connections at once.
pub const MAX_CONNECTIONS: u32 = 2048;

/// The most connections at once of one peer, unless set otherwise.
pub const MAX_CONNECTIONS_OF_A_PEER: u32 = 256;

/// The largest head of a request, in bytes.
pub const MAX_HEAD_BYTES: usize = 32 * 1024;

/// The most requests at once whose bodies have not come whole; those that come in one piece with their heads are not counted.
const BODIES: Share = Share { in_all: 256, of_peer: 32 };

/// The most bytes of answers that are larger than [`SMALL_ANSWER_BYTES`] and have not been taken by their clients.
const ANSWER_BYTES: Share = Share { in_all: 16 << 20, of_peer: 4 << 20 };

/// What an answer counts for that is made while it is sent, in bytes: a page of 500 events, as it is read and as it waits to be sent.
pub const STREAMED_ANSWER_BYTES: u64 = 512 * 1024;

/// Answers up to this size are not counted: a connection holds one at most.
pub const SMALL_ANSWER_BYTES: u64 = 32 * 1024;

/// Records that are received or verified at once.
const VERIFICATIONS: Share = Share { in_all: 6, of_peer: 2 };

/// The bytes of those records that have come.
const RECORD_BYTES: Share = Share { in_all: 24 << 20, of_peer: 8 << 20 };

/// Archives that are sent at once.
const ARCHIVES: Share = Share { in_all: 32, of_peer: 2 };

/// Boards that are drawn at once or wait for it.
const DRAWINGS: Share = Share { in_all: 256, of_peer: 64 };

/// Requests that check or set a password at once.
const PASSWORDS: Share = Share { in_all: 132, of_peer: 16 };

/// Requests at once that play a game again.
const REPLAYS: Share = Share { in_all: 256, of_peer: 64 };

/// How long a client may take, and how many connections there may be.
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
    /// In which [`LEAST_READ_BYTES`] of an answer are taken.
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

/// The limits of a process, and what is held now. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Traffic(Arc<Gates>);

/// A gate for each thing that is bounded.
#[derive(Debug)]
pub struct Gates {
    pub limits: Limits,
    pub connections: Arc<Gate>,
    /// Requests whose bodies have not come whole.
    pub bodies: Arc<Gate>,
    /// Bytes of answers that have not been taken.
    pub answers: Arc<Gate>,
    pub verifications: Arc<Gate>,
    /// Bytes of the records that are received or verified.
    pub record_bytes: Arc<Gate>,
    pub archives: Arc<Gate>,
    pub drawings: Arc<Gate>,
    pub passwords: Arc<Gate>,
    pub replays: Arc<Gate>,
}

impl std::ops::Deref for Traffic {
    type Target = Gates;

    fn deref(&self) -> &Gates {
        &self.0
    }
}

impl Traffic {
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Gates {
            limits,
            connections: Gate::new(limits.connections),
            bodies: Gate::new(BODIES),
            answers: Gate::new(ANSWER_BYTES),
            verifications: Gate::new(VERIFICATIONS),
            record_bytes: Gate::new(RECORD_BYTES),
            archives: Gate::new(ARCHIVES),
            drawings: Gate::new(DRAWINGS),
            passwords: Gate::new(PASSWORDS),
            replays: Gate::new(REPLAYS),
        }))
    }
}

impl Default for Traffic {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}
