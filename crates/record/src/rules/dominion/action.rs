//! A player's actions, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::cell::Cell;
use super::field::{FULL, MAX_DEPLOYED};
use crate::rules::schema::{self, Schema};

/// An action of Dominion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = DominionAction)]
pub enum Action {
    /// Turn the card that rules this turn (DM4).
    Turn {},
    /// Add the army of a red king (DM5).
    Reinforce { cell: Cell },
    /// Remove the army that a black king demands (DM6).
    Withdraw { cell: Cell },
    /// Attack a cell in reach (DM8).
    Attack { from: Cell, to: Cell },
    /// Move into the conquered cell, or stay with 0 (DM9).
    Occupy {
        #[schema(schema_with = armies_or_none)]
        armies: u8,
    },
    /// Move armies to a neighbouring own cell (DM10).
    Advance {
        from: Cell,
        to: Cell,
        #[schema(schema_with = armies)]
        armies: u8,
    },
    /// Put new armies on a cell (DM11).
    Deploy {
        cell: Cell,
        #[schema(schema_with = new_armies)]
        armies: u8,
    },
    /// End the stage (DM3).
    Pass {},
}

/// The most armies that can leave a cell: the strongest move empties a cell onto an ace, or an ace onto its neighbour.
const MAX_MOVED: u8 = FULL - 1;

fn armies_or_none() -> Schema {
    schema::number(0..=MAX_MOVED.into(), "How many armies move in; 0 stays.")
}

fn armies() -> Schema {
    schema::number(1..=MAX_MOVED.into(), "How many armies move.")
}

fn new_armies() -> Schema {
    schema::number(1..=MAX_DEPLOYED.into(), "How many armies are new.")
}

/// JSON Schema of [`Action`].
pub fn schema() -> Value {
    let most = MAX_MOVED;
    let cell = json!({"type": "string", "pattern": "^[a-e][1-5]$"});
    let armies = |least: u8, most: u8| json!({"type": "integer", "minimum": least, "maximum": most});
    json!({"oneOf": [
        object("turn", "Turn the card that rules this turn", json!({})),
        object("reinforce", "Add one army, because a red king was turned", json!({"cell": cell})),
        object("withdraw", "Take one army away, because a black king was turned", json!({"cell": cell})),
        object("attack", "Attack a cell", json!({"from": cell, "to": cell})),
        object("occupy", "Move armies into the conquered cell; 0 stays", json!({"armies": armies(0, most)})),
        object("advance", "Move armies to a neighbouring own cell",
            json!({"from": cell, "to": cell, "armies": armies(1, most)})),
        object("deploy", "Put new armies on a cell", json!({"cell": cell, "armies": armies(1, MAX_DEPLOYED)})),
        object("pass", "End the stage", json!({}))
    ]})
}

/// The schema of one action: every member is required, and others are refused.
fn object(name: &str, title: &str, members: Value) -> Value {
    let mut required = vec![Value::from("type")];
    let mut properties = members;
    let known = properties.as_object_mut().expect("members are an object");
    required.extend(known.keys().map(|member| Value::from(member.as_str())));
    known.insert("type".to_owned(), json!({"const": name}));
    json!({"type": "object", "title": title, "properties": properties,
        "required": required, "additionalProperties": false})
}
