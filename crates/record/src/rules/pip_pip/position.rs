//! The position: everything the rules remember of a game.

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::die::Face;
use crate::rules::Seat;

/// The number of dice that each seat places (PP4).
pub const DICE_EACH: u8 = 8;

/// The capacity of a store, in dice (PP4).
pub const STORE_LIMIT: usize = 3;

/// A position of Pip•Pip. Nothing in it is hidden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub turn: Seat,
    /// The die rolled this turn, unless it is placed or stored.
    pub rolled: Option<Face>,
    /// By seat, ascending.
    pub stores: [Vec<Face>; 2],
    /// The placements each seat still has to make, including this turn's: `r` of PP4.
    pub remaining: [u8; 2],
    pub board: Board,
    pub over: bool,
}

impl Position {
    /// An empty board without a rolled die.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            turn: Seat(0),
            rolled: None,
            stores: [Vec::new(), Vec::new()],
            remaining: [DICE_EACH; 2],
            board: Board::default(),
            over: false,
        }
    }

    /// The store of the seat in turn.
    #[must_use]
    pub fn store(&self) -> &[Face] {
        &self.stores[self.turn.index()]
    }

    /// `r − s` of PP4: placements for which no die is stored.
    fn free_placements(&self) -> usize {
        usize::from(self.remaining[self.turn.index()]).saturating_sub(self.store().len())
    }

    /// `roll` is legal when nothing is rolled and `s < r` (PP4).
    #[must_use]
    pub fn may_roll(&self) -> bool {
        self.rolled.is_none() && self.free_placements() > 0
    }

    /// `store` is legal when a die is rolled, `s < 3` and `s + 1 < r` (PP4).
    #[must_use]
    pub fn may_store(&self) -> bool {
        self.rolled.is_some() && self.store().len() < STORE_LIMIT && self.free_placements() > 1
    }
}
