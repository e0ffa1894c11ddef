//! What a player of any game needs of the API's answers. Members that these types do not have are in `rest`, so that nothing is lost
//! and new members break nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A game to create. What is `None` is as the server has it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NewGame {
    pub rules: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<u8>,
    /// `random` or `joined`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seating: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_hours: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<bool>,
}

impl NewGame {
    /// A game of those rules, all else as the server has it.
    #[must_use]
    pub fn of(rules: &str) -> Self {
        Self { rules: rules.to_owned(), ..Self::default() }
    }
}

/// A game, as one player sees it or as a list has it.
#[derive(Clone, Debug, Deserialize)]
pub struct Game {
    pub id: Uuid,
    pub rules: String,
    /// `open`, `starting`, `running`, `finished` or `cancelled`.
    pub status: String,
    pub players: Vec<Player>,
    /// The number of its newest event; `None` before the start.
    pub seq: Option<u64>,
    /// The seat whose choice it is.
    pub to_act: Option<u8>,
    pub my_seat: Option<u8>,
    pub my_turn: bool,
    pub result: Option<GameResult>,
    /// All other members, such as `view`, `options` and `deadline_at`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A player of a game.
#[derive(Clone, Debug, Deserialize)]
pub struct Player {
    pub handle: String,
    /// `None` before the start.
    pub seat: Option<u8>,
    pub bot: bool,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct GameResult {
    /// `play`, `resignation`, `timeout`, `round_limit` or `abort`.
    pub reason: String,
    /// By seat, 1 for the winners.
    pub places: Option<Vec<u32>>,
    /// By seat, in games with points.
    pub scores: Option<Vec<i64>>,
}

/// What the player to act may do.
#[derive(Clone, Debug, Deserialize)]
pub struct Legal {
    pub my_turn: bool,
    pub seq: u64,
    /// Actions, and entries with `choose` that stand for many: [`crate::any_action`] makes an action of each.
    pub actions: Vec<Value>,
}

/// The answer to a move.
#[derive(Clone, Debug, Deserialize)]
pub struct Moved {
    pub events: Vec<Event>,
    /// For each event what the server signed about it. Keep them.
    pub receipts: Vec<String>,
    pub game: Game,
}

/// An event, as it stands in the record.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Event {
    pub seq: u64,
    pub at: String,
    /// Who acted; `None` for the server.
    pub seat: Option<u8>,
    pub action: Value,
    pub effects: Vec<Value>,
    /// The seat whose choice it is after the event; `None` when the game is over.
    pub to_act: Option<u8>,
    pub hash: String,
}
