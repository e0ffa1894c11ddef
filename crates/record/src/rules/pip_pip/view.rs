//! The view, the same for everybody, because nothing is hidden.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Cell;
use super::die::Face;
use super::position::Position;
use crate::rules::Seat;

/// What everybody sees of a game of Pip•Pip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PipPipView)]
pub struct View {
    pub phase: Phase,
    /// The die that was rolled and is to be placed; null without one.
    pub rolled: Option<Face>,
    /// By seat, the dice in the store.
    #[schema(min_items = 2, max_items = 2)]
    pub stores: [Vec<Face>; 2],
    /// By seat, how many dice are not placed yet.
    #[schema(min_items = 2, max_items = 2)]
    pub remaining: [u8; 2],
    /// The cells with a die; the others are empty.
    pub cells: BTreeMap<Cell, CellView>,
    /// By seat, the points.
    #[schema(min_items = 2, max_items = 2)]
    pub scores: [i64; 2],
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PipPipPhase)]
pub enum Phase {
    /// Before a roll.
    Choose,
    /// With a die rolled.
    Place,
    Finished,
}

/// A die on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PipPipCellView)]
pub struct CellView {
    pub owner: Seat,
    pub top: Face,
    pub north: Face,
    pub east: Face,
}

/// The view of a position.
pub fn of(position: &Position) -> View {
    let phase = match position.rolled {
        _ if position.over => Phase::Finished,
        Some(_) => Phase::Place,
        None => Phase::Choose,
    };
    let filled = Cell::all().filter_map(|cell| {
        let stone = position.board.at(cell)?;
        let die = stone.die;
        Some((cell, CellView { owner: stone.owner, top: die.top, north: die.north, east: die.east() }))
    });
    View {
        phase,
        rolled: position.rolled.filter(|_| !position.over),
        stores: position.stores.clone(),
        remaining: position.remaining,
        cells: filled.collect(),
        scores: position.board.scores(),
    }
}
