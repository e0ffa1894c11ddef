//! Lines of the clock log: canonical JSON, hashed and chained.

use serde::{Deserialize, Serialize};

use super::change::{Change, Value};
use crate::offsets::Offset;
use pippost_record::record::{Hash, Timestamp, canonical};
use pippost_record::rules::Seat;

/// What is hashed before a salt and a value.
const COMMITMENT: &[u8] = b"pippost/clock/1";

/// A line of the clock log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub at: Timestamp,
    pub change: Change,
    pub hash: Hash,
    /// The hash of event `seq`, so that the log belongs to one record.
    pub head: Hash,
    /// From 0 on without gaps.
    pub number: u32,
    /// The hash of the line before; of the first line, that of event 0.
    pub prev: Hash,
    /// The last event before the line.
    pub seq: u64,
}

/// A line without its hash.
#[derive(Serialize)]
struct Unhashed<'a> {
    at: Timestamp,
    change: &'a Change,
    head: Hash,
    number: u32,
    prev: Hash,
    seq: u64,
}

impl Line {
    /// A line with its hash.
    #[must_use]
    pub fn sealed(at: Timestamp, change: Change, head: Hash, number: u32, prev: Hash, seq: u64) -> Self {
        let mut line = Self { at, change, hash: prev, head, number, prev, seq };
        line.hash = line.computed_hash();
        line
    }

    /// The correct value of `hash`.
    #[must_use]
    pub fn computed_hash(&self) -> Hash {
        let Self { at, change, head, number, prev, seq, .. } = self;
        let unhashed = Unhashed { at: *at, change, head: *head, number: *number, prev: *prev, seq: *seq };
        Hash::of(&[&canonical::of(&unhashed)])
    }

    /// The line as text, without the line feed.
    ///
    /// # Panics
    /// Never: canonical JSON is UTF-8.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8(canonical::of(self)).expect("JSON is UTF-8")
    }
}

/// The value of a commitment and what proves it, shown once the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The line that holds the commitment.
    pub number: u32,
    /// For a calendar of an old form, which does not bind them: the offsets of its zone as the server knew them when it exported the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offsets: Option<Vec<Offset>>,
    pub salt: Hash,
    pub seat: Seat,
    pub value: Value,
}

/// The last line of a finished game's clock log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// The hash of the last line.
    pub head: Hash,
    /// Ascending by line and seat.
    pub openings: Vec<Opening>,
}

/// The commitment to a value: it shows nothing of it to whoever does not know the salt.
#[must_use]
pub fn commitment(salt: &Hash, value: &Value) -> Hash {
    Hash::of(&[COMMITMENT, salt.as_bytes(), &canonical::of(value)])
}
