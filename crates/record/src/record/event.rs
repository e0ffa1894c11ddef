//! Events and the footer of a record.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::canonical;
use super::chance::{Master, Seed};
use super::common::{EventAction, EventEffect};
use super::hash::Hash;
use super::header::present;
use super::timestamp::Timestamp;
use crate::rules::Seat;

/// The capacity for the JSON of most events, in bytes.
const USUAL_BYTES: usize = 1024;

/// The capacity for the member `hash` and its comma, in bytes.
const HASH_BYTES: usize = 80;

/// An event as it stands in the record: an action and what it did, bound to the event before it by its hash. Its JSON is canonical.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    #[schema(value_type = EventAction)]
    pub action: Value,
    /// When it was accepted.
    pub at: Timestamp,
    #[schema(value_type = Vec<EventEffect>)]
    pub effects: Vec<Value>,
    /// SHA-256 of the event's canonical JSON without this member.
    pub hash: Hash,
    /// The hash of the seed of the event after it.
    pub next: Hash,
    /// The `hash` of the event before it; of event 0, the hash of the header.
    pub prev: Hash,
    /// The acting seat; `None` for the server.
    #[serde(deserialize_with = "present")]
    pub seat: Option<Seat>,
    /// The seeds that this event publishes, so that the chance of earlier events can be checked.
    pub seeds: Vec<RevealedSeed>,
    pub seq: u64,
    /// The seat to act after the event; `None` when the game is over.
    #[serde(deserialize_with = "present")]
    pub to_act: Option<Seat>,
}

/// A seed that this event publishes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevealedSeed {
    pub seed: Seed,
    pub seq: u64,
}

/// An event with its hash, and its line of the record without the line feed.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub event: Event,
    pub line: String,
    /// The seat whose turn it is after the event; not part of the record, because the rules say it.
    pub in_turn: Option<Seat>,
}

impl Event {
    /// The correct value of `hash`.
    #[must_use]
    pub fn computed_hash(&self) -> Hash {
        Hash::of(&[&self.without_hash().0])
    }

    /// Replaces the event's hash by the correct one and writes its line, from the same bytes.
    ///
    /// # Panics
    /// Never: canonical JSON is UTF-8.
    #[must_use]
    pub fn sealed(mut self, in_turn: Option<Seat>) -> Recorded {
        let (mut line, place) = self.without_hash();
        self.hash = Hash::of(&[&line]);
        let mut hash = Vec::with_capacity(HASH_BYTES);
        member("hash", &self.hash, &mut hash);
        line.splice(place..place, hash);
        Recorded { event: self, line: String::from_utf8(line).expect("JSON is UTF-8"), in_turn }
    }

    /// Canonical JSON without the member `hash`, and the offset at which that is inserted.
    fn without_hash(&self) -> (Vec<u8>, usize) {
        let mut out = Vec::with_capacity(USUAL_BYTES);
        out.extend_from_slice(b"{\"action\":");
        canonical::write(&self.action, &mut out).expect("integers only");
        member("at", &self.at, &mut out);
        out.extend_from_slice(b",\"effects\":");
        canonical::write_list(&self.effects, &mut out).expect("integers only");
        let place = out.len();
        member("next", &self.next, &mut out);
        member("prev", &self.prev, &mut out);
        member("seat", &self.seat, &mut out);
        // Its members are declared in canonical order.
        member("seeds", &self.seeds, &mut out);
        member("seq", &self.seq, &mut out);
        member("to_act", &self.to_act, &mut out);
        out.push(b'}');
        (out, place)
    }
}

/// Appends a member after a comma. Its JSON is canonical already: it has only small numbers and our own objects.
fn member<T: Serialize>(name: &str, value: &T, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    serde_json::to_writer(out, value).expect("a buffer takes all");
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EndReason)]
pub enum Reason {
    Play,
    Resignation,
    Timeout,
    RoundLimit,
    Abort,
}

/// How a game ended; the members of the `finished` effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    pub reason: Reason,
    /// By seat, 1 for the winners; null after an abort.
    #[serde(deserialize_with = "present")]
    pub places: Option<Vec<u8>>,
    /// By seat; null in games without points and after an abort.
    #[serde(deserialize_with = "present")]
    pub scores: Option<Vec<i64>>,
}

/// The last line of a finished game's record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordFooter)]
pub struct Footer {
    pub master: Master,
    /// The hash of the last event.
    pub head: Hash,
    pub result: GameResult,
}
