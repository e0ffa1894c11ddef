//! The position: everything the rules remember of a game.

use serde::{Deserialize, Serialize};

use super::action::MOST_STONES;
use super::board::{Board, Colour};
use super::cell::Cell;
use super::cells::Cells;
use super::options::{Options, Size, Surface, Variant};
use crate::rules::Seat;

/// A position of Pippinzip. Nothing in it is hidden.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Snapshot", into = "Snapshot")]
pub struct Position {
    pub variant: Variant,
    pub turn: Seat,
    /// The seat that plays black; the other seat is Zip. `None` during the auction.
    pub pip: Option<Seat>,
    pub board: Board,
    /// The seat that completed a winning group, in play or in the auction (PZ5, PZ6).
    pub winner: Option<Seat>,
    pub over: bool,
    /// Used only for pictures.
    pub surface: Surface,
}

impl Position {
    /// An empty board; seat 0 begins the auction.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let Options { variant, size, surface } = options;
        let board = Board::new(size);
        Self { variant, turn: Seat(0), pip: None, board, winner: None, over: false, surface }
    }

    #[must_use]
    pub fn in_auction(&self) -> bool {
        self.pip.is_none()
    }

    /// The colour of the stones that the seat in turn places (PZ1, PZ3).
    #[must_use]
    pub fn colour(&self) -> Colour {
        let black = match self.pip {
            Some(pip) => pip == self.turn,
            None => self.variant == Variant::Pipline,
        };
        if black { Colour::Black } else { Colour::White }
    }

    /// The fewest and the most stones in an action of the seat in turn, if the board has room (PZ1, PZ3).
    #[must_use]
    pub fn stones(&self) -> (usize, usize) {
        match (self.in_auction(), self.colour(), self.variant) {
            (true, ..) => (1, MOST_STONES),
            (false, Colour::Black, Variant::Zipline | Variant::Freestyle) => (2, 2),
            (false, ..) => (1, 1),
        }
    }

    /// Whether the stones of an action may not be orthogonal neighbours (PZ4; the auction has no such rule, PZ6).
    #[must_use]
    pub fn keeps_apart(&self) -> bool {
        self.variant == Variant::Zipline && !self.in_auction()
    }

    /// The legal cells for a second stone after a first one on `first`, an empty cell (PZ4).
    #[must_use]
    pub fn seconds(&self, first: Cell) -> Cells {
        if self.keeps_apart() {
            return self.board.empty().apart_from(first);
        }
        let mut others = *self.board.empty();
        others.remove(first);
        others
    }
}

/// The stored form of a position.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    variant: Variant,
    size: Size,
    turn: Seat,
    pip: Option<Seat>,
    winner: Option<Seat>,
    over: bool,
    /// As [`Board::rows`], joined by `/`.
    rows: String,
    #[serde(default)]
    surface: Surface,
}

impl From<Position> for Snapshot {
    fn from(position: Position) -> Self {
        let Position { variant, turn, pip, board, winner, over, surface } = position;
        let rows = board.rows().join("/");
        Self { variant, size: board.size(), turn, pip, winner, over, rows, surface }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum NoPosition {
    #[error("the rows are no board of this size")]
    Board,
    #[error("the game has seats 0 and 1 only")]
    Seat,
}

impl TryFrom<Snapshot> for Position {
    type Error = NoPosition;

    fn try_from(snapshot: Snapshot) -> Result<Self, NoPosition> {
        let Snapshot { variant, size, turn, pip, winner, over, rows, surface } = snapshot;
        if [Some(turn), pip, winner].into_iter().flatten().any(|seat| seat.index() > 1) {
            return Err(NoPosition::Seat);
        }
        let rows: Vec<String> = rows.split('/').map(str::to_owned).collect();
        let board = Board::from_rows(size, &rows).ok_or(NoPosition::Board)?;
        Ok(Self { variant, turn, pip, board, winner, over, surface })
    }
}
