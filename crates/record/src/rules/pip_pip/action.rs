//! A player's actions, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::board::Cell;
use super::die::Face;

/// An action of Pip•Pip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = PipPipAction)]
pub enum Action {
    /// Roll a die.
    Roll {},
    /// Put the rolled die into the store and roll the next (PP4).
    Store {},
    /// Place the rolled die.
    Place { cell: Cell, north: Face },
    /// Take a die from the store and place it.
    Pull { die: Face, cell: Cell, north: Face },
}

/// JSON Schema of [`Action`].
pub fn schema() -> Value {
    let face = json!({"type": "integer", "minimum": 1, "maximum": 6});
    let cell = json!({"type": "string", "pattern": "^[c-f][3-6]$"});
    let alone = |name: &str, title: &str| {
        json!({"type": "object", "title": title, "properties": {"type": {"const": name}},
            "required": ["type"], "additionalProperties": false})
    };
    json!({"oneOf": [
        alone("roll", "Roll a die"),
        alone("store", "Put the rolled die into the store and roll the next"),
        {"type": "object", "title": "Place the rolled die",
            "properties": {"type": {"const": "place"}, "cell": cell, "north": face},
            "required": ["type", "cell", "north"], "additionalProperties": false},
        {"type": "object", "title": "Place a die from the store",
            "properties": {"type": {"const": "pull"}, "die": face, "cell": cell, "north": face},
            "required": ["type", "die", "cell", "north"], "additionalProperties": false}
    ]})
}
