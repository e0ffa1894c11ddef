//! Legal actions as they are listed: one by one, or as a choice among cells where the list would be too long.

use serde::{Deserialize, Serialize};

/// One entry of the list of legal actions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Offer<A> {
    /// This very action is legal.
    Action(A),
    /// Every action that picks as told is legal.
    Choose(Choose),
}

/// The compact form: the action has the given `type` and a list member `cells`, filled by picking from `from`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choose {
    #[serde(rename = "type")]
    pub kind: String,
    pub choose: Pick,
}

/// How many different entries to pick from a list, and which must not meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    /// The member of the action that takes the picked entries.
    pub member: String,
    /// The fewest entries to pick.
    pub least: usize,
    /// The most entries to pick.
    pub most: usize,
    /// What to pick from, in canonical order.
    pub from: Vec<String>,
    /// True when no two picked cells may be orthogonal neighbours. If fewer than `least` can be picked so, after a first
    /// cell that leaves no legal second, that one cell alone is the action.
    pub apart: bool,
}
