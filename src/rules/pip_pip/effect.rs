//! An event's effects, as JSON.

use serde::{Deserialize, Serialize};

use super::board::Cell;
use super::die::Face;
use crate::rules::Seat;

/// An effect of Pip•Pip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    Rolled { seat: Seat, die: Face },
    Stored { seat: Seat, die: Face },
    Pulled { seat: Seat, die: Face },
    Placed { seat: Seat, cell: Cell, top: Face, north: Face },
    Converted { cells: Vec<Cell> },
}
