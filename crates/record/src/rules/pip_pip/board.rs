//! The sixteen cells in the middle of a chessboard, and the dice on them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::die::{Die, Face};
use crate::rules::Seat;
use crate::rules::as_text::serialise_as_text;

/// The number of columns and rows of the board.
pub const SIDE: u8 = 4;
const FIRST_COLUMN: u8 = b'c';
const FIRST_ROW: u8 = 3;

/// A cell, `c3` to `f6`, ordered by column, then row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// All cells by column, then row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SIDE * SIDE).map(Self)
    }

    /// The column, from 0 in the west.
    #[must_use]
    pub fn column(self) -> u8 {
        self.0 / SIDE
    }

    /// The row, from 0 in the south.
    #[must_use]
    pub fn row(self) -> u8 {
        self.0 % SIDE
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The colour of the cell: seat 0 is light, seat 1 dark. `a1` is dark, and so is every cell whose column number plus row
    /// number is even.
    #[must_use]
    pub fn colour(self) -> Seat {
        let column_number = FIRST_COLUMN - b'a' + 1 + self.column();
        let row_number = FIRST_ROW + self.row();
        Seat(u8::from((column_number + row_number).is_multiple_of(2)))
    }

    /// The existing neighbours, each with the face of a die here that points at it and the face of a die there that points
    /// back.
    fn neighbours(self) -> impl Iterator<Item = (Self, FaceOf, FaceOf)> {
        let (column, row) = (self.column(), self.row());
        let north =
            (row + 1 < SIDE).then(|| (Self(self.0 + 1), Die::north_face as FaceOf, Die::south as FaceOf));
        let south = (row > 0).then(|| (Self(self.0 - 1), Die::south as FaceOf, Die::north_face as FaceOf));
        let east =
            (column + 1 < SIDE).then(|| (Self(self.0 + SIDE), Die::east as FaceOf, Die::west as FaceOf));
        let west = (column > 0).then(|| (Self(self.0 - SIDE), Die::west as FaceOf, Die::east as FaceOf));
        [west, south, north, east].into_iter().flatten()
    }
}

type FaceOf = fn(Die) -> Face;

impl Die {
    fn north_face(self) -> Face {
        self.north
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", char::from(FIRST_COLUMN + self.column()), FIRST_ROW + self.row())
    }
}

/// The text names no cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell is c3 to f6: a column c to f and a row 3 to 6")]
pub struct NoSuchCell;

impl FromStr for Cell {
    type Err = NoSuchCell;

    fn from_str(text: &str) -> Result<Self, NoSuchCell> {
        let [column, row] = text.as_bytes() else { return Err(NoSuchCell) };
        let column = column.wrapping_sub(FIRST_COLUMN);
        let row = row.wrapping_sub(b'0' + FIRST_ROW);
        if column < SIDE && row < SIDE { Ok(Self(column * SIDE + row)) } else { Err(NoSuchCell) }
    }
}

serialise_as_text!(Cell, "PipPipCell", "^[c-f][3-6]$", "A cell of the board: column, then row.");

/// A die on the board and the colour that it shows now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stone {
    pub owner: Seat,
    #[serde(flatten)]
    pub die: Die,
}

/// The die on each cell, by [`Cell`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Board([Option<Stone>; (SIDE * SIDE) as usize]);

impl Board {
    /// The board with these dice; the last one of a cell counts.
    #[must_use]
    pub fn of(stones: impl IntoIterator<Item = (Cell, Stone)>) -> Self {
        let mut board = Self::default();
        for (cell, stone) in stones {
            board.0[cell.index()] = Some(stone);
        }
        board
    }

    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Stone> {
        self.0[cell.index()]
    }

    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> {
        Cell::all().filter(|cell| self.at(*cell).is_none())
    }

    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// Puts a die on an empty cell and returns the cells whose dice it converts, by column, then row (PP3).
    pub fn place(&mut self, cell: Cell, owner: Seat, die: Die) -> Vec<Cell> {
        let mut converted = Vec::new();
        for (neighbour, ours, theirs) in cell.neighbours() {
            if let Some(stone) = &mut self.0[neighbour.index()]
                && stone.owner != owner
                && ours(die) > theirs(stone.die)
            {
                stone.owner = owner;
                converted.push(neighbour);
            }
        }
        self.0[cell.index()] = Some(Stone { owner, die });
        converted.sort_unstable();
        converted
    }

    /// For each seat, the sum of the tops of its dice on cells of its own colour (PP6).
    #[must_use]
    pub fn scores(&self) -> [i64; 2] {
        let mut scores = [0; 2];
        for cell in Cell::all() {
            if let Some(stone) = self.at(cell)
                && stone.owner == cell.colour()
            {
                scores[stone.owner.index()] += i64::from(stone.die.top.number());
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str) -> Cell {
        name.parse().expect("a cell")
    }

    #[test]
    fn c3_is_dark_and_d3_is_light() {
        assert_eq!(cell("c3").colour(), Seat(1));
        assert_eq!(cell("d3").colour(), Seat(0));
        assert_eq!(Cell::all().filter(|cell| cell.colour() == Seat(0)).count(), 8);
    }

    #[test]
    fn every_cell_reads_as_it_is_written_and_others_are_refused() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
        }
        for text in ["", "c", "c2", "c7", "b3", "g3", "C3", "c33", "3c", "é"] {
            assert_eq!(text.parse::<Cell>(), Err(NoSuchCell), "{text}");
        }
    }

    #[test]
    fn neighbours_are_orthogonal_and_north_is_towards_row_six() {
        let names = |name: &str| {
            let mut all: Vec<_> = cell(name).neighbours().map(|(cell, ..)| cell.to_string()).collect();
            all.sort();
            all
        };
        assert_eq!(names("c3"), ["c4", "d3"]);
        assert_eq!(names("d4"), ["c4", "d3", "d5", "e4"]);
        assert_eq!(names("f6"), ["e6", "f5"]);
    }
}
