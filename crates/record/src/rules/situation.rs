//! What a player knows of a running game besides the view of its position.

use super::seat::Seat;

/// What a view leaves out, because the game around the rules knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    pub seats: u8,
    pub to_act: Seat,
    /// The seats that have left.
    pub left: Vec<Seat>,
}

/// No position has this view in this situation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no position looks like this: {0}")]
pub struct NoSuchPosition(pub String);

impl NoSuchPosition {
    /// The error with this reason.
    pub fn new(why: impl ToString) -> Self {
        Self(why.to_string())
    }
}
