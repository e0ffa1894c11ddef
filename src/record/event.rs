//! Events and the footer of a record.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical;
use super::chance::{Master, Seed};
use super::hash::Hash;
use super::header::present;
use super::moment::Moment;
use crate::rules::Seat;

/// An event, members as in the protocol, declared in canonical order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    pub action: Value,
    pub at: Moment,
    pub effects: Vec<Value>,
    pub hash: Hash,
    pub next: Hash,
    pub prev: Hash,
    /// Who acted; `None` for the server.
    #[serde(deserialize_with = "present")]
    pub seat: Option<Seat>,
    pub seeds: Vec<RevealedSeed>,
    pub seq: u64,
    /// Whose choice it is after the event; `None` when the game is over.
    #[serde(deserialize_with = "present")]
    pub to_act: Option<Seat>,
}

/// A seed that this event publishes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevealedSeed {
    pub seed: Seed,
    pub seq: u64,
}

impl Event {
    /// What `hash` must be.
    #[must_use]
    pub fn computed_hash(&self) -> Hash {
        let (before, after) = self.around_hash();
        Hash::of(&[b"{", &before, &after, b"}"])
    }

    /// The event's line of the record, without the line feed.
    ///
    /// # Panics
    /// Never: canonical JSON is UTF-8.
    #[must_use]
    pub fn line(&self) -> String {
        let (before, after) = self.around_hash();
        let mut line = Vec::with_capacity(before.len() + after.len() + 80);
        line.push(b'{');
        line.extend_from_slice(&before);
        member("hash", &self.hash, &mut line);
        line.push(b',');
        line.extend_from_slice(&after);
        line.push(b'}');
        String::from_utf8(line).expect("JSON is UTF-8")
    }

    /// The members in canonical order: those before `hash` with the comma that follows them, and those after it.
    fn around_hash(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut before, mut after) = (Vec::with_capacity(512), Vec::with_capacity(256));
        before.extend_from_slice(b"\"action\":");
        canonical::write(&self.action, &mut before).expect("integers only");
        before.push(b',');
        member("at", &self.at, &mut before);
        before.extend_from_slice(b",\"effects\":");
        canonical::write_list(&self.effects, &mut before).expect("integers only");
        before.push(b',');
        member("next", &self.next, &mut after);
        after.push(b',');
        member("prev", &self.prev, &mut after);
        after.push(b',');
        member("seat", &self.seat, &mut after);
        after.push(b',');
        // Its members are declared in canonical order.
        member("seeds", &self.seeds, &mut after);
        after.push(b',');
        member("seq", &self.seq, &mut after);
        after.push(b',');
        member("to_act", &self.to_act, &mut after);
        (before, after)
    }
}

/// A member whose JSON is canonical as it is: no numbers but small ones, no objects but ours.
fn member<T: Serialize>(name: &str, value: &T, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    serde_json::to_writer(out, value).expect("a buffer takes all");
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Play,
    Resignation,
    Timeout,
    RoundLimit,
    Abort,
}

/// How a game ended; the members of the `finished` effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    pub reason: Reason,
    /// By seat, 1 for the winners; `None` after an abort.
    #[serde(deserialize_with = "present")]
    pub places: Option<Vec<u8>>,
    /// By seat; `None` in games without points and after an abort.
    #[serde(deserialize_with = "present")]
    pub scores: Option<Vec<i64>>,
}

/// The last line of a finished game's record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    pub master: Master,
    /// The hash of the last event.
    pub head: Hash,
    pub result: GameResult,
}
