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

/// An event before it is hashed; the same members in the same order.
#[derive(Serialize)]
struct Unhashed<'a> {
    action: &'a Value,
    at: Moment,
    effects: &'a [Value],
    next: Hash,
    prev: Hash,
    seat: Option<Seat>,
    seeds: &'a [RevealedSeed],
    seq: u64,
    to_act: Option<Seat>,
}

impl Event {
    /// What `hash` must be.
    #[must_use]
    pub fn computed_hash(&self) -> Hash {
        let unhashed = Unhashed {
            action: &self.action,
            at: self.at,
            effects: &self.effects,
            next: self.next,
            prev: self.prev,
            seat: self.seat,
            seeds: &self.seeds,
            seq: self.seq,
            to_act: self.to_act,
        };
        Hash::of(&[&canonical::of(&unhashed)])
    }

    /// The event's line of the record, without the line feed.
    ///
    /// # Panics
    /// Never: canonical JSON is UTF-8.
    #[must_use]
    pub fn line(&self) -> String {
        String::from_utf8(canonical::of(self)).expect("JSON is UTF-8")
    }
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
