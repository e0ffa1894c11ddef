//! An event's effects, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Cell;
use super::die::Face;
use crate::rules::Seat;

/// An effect of Pip•Pip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = PipPipEffect)]
pub enum Effect {
    /// A seat rolled a die.
    Rolled { seat: Seat, die: Face },
    /// The rolled die went into the store.
    Stored { seat: Seat, die: Face },
    /// A die was taken from the store, to be placed.
    Pulled { seat: Seat, die: Face },
    /// A die was placed.
    Placed { seat: Seat, cell: Cell, top: Face, north: Face },
    /// Dice that changed their owner.
    Converted { cells: Vec<Cell> },
}
