//! The view, the same for everybody, because nothing is hidden.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::board::Cell;
use super::die::Face;
use super::position::Position;
use crate::rules::Seat;

/// The view, as in rules/pip-pip.md.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub phase: Phase,
    pub rolled: Option<Face>,
    pub stores: [Vec<Face>; 2],
    pub remaining: [u8; 2],
    pub cells: BTreeMap<Cell, CellView>,
    pub scores: [i64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before a roll.
    Choose,
    /// With a die rolled.
    Place,
    Finished,
}

/// A die on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
