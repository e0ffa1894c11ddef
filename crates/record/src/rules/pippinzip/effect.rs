//! An event's effects, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::action::Placement;
use super::board::Colour;
use super::cell::Cell;
use crate::rules::Seat;

/// An effect of Pippinzip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = PippinzipEffect)]
pub enum Effect {
    /// The cells in the action's order.
    Placed {
        seat: Seat,
        colour: Colour,
        cells: Placement,
    },
    Roles {
        pip: Seat,
        zip: Seat,
    },
    /// All stones of the winning group, by column, then row.
    Connected {
        colour: Colour,
        cells: Vec<Cell>,
    },
}
