//! The stones on the board, their groups, and winning groups (PZ5).

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cell::Cell;
use super::cells::Cells;
use super::groups::{Adjacency, Groups, Sides};
use super::options::Size;

/// The colour of a stone: Pip plays black, Zip white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PippinzipColour)]
pub enum Colour {
    Black,
    White,
}

impl Colour {
    /// `black` or `white`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }

    fn adjacency(self) -> Adjacency {
        match self {
            Self::Black => Adjacency::Orthogonal,
            Self::White => Adjacency::OrthogonalAndDiagonal,
        }
    }

    /// Whether a group of this colour that touches `sides` wins (PZ5).
    fn wins_with(self, sides: Sides) -> bool {
        match self {
            Self::Black => sides.hold_opposites(),
            Self::White => sides.are_all(),
        }
    }
}

/// A board with its stones. The groups are derived from the stones and updated with every stone.
#[derive(Clone)]
pub struct Board {
    size: Size,
    empty: Cells,
    black: Cells,
    white: Cells,
    groups: Groups,
}

impl Board {
    /// A board without stones.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let (black, white) = (Cells::default(), Cells::default());
        Self { size, empty: Cells::of_board(size.length()), black, white, groups: Groups::new() }
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The cells without a stone.
    #[must_use]
    pub fn empty(&self) -> &Cells {
        &self.empty
    }

    /// Whether the cell belongs to a board of this size.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.column() < self.size.length() && cell.row() < self.size.length()
    }

    /// The cells with a stone of that colour.
    #[must_use]
    pub fn stones(&self, colour: Colour) -> &Cells {
        match colour {
            Colour::Black => &self.black,
            Colour::White => &self.white,
        }
    }

    /// Places a stone on an empty cell; true if its group wins (PZ5).
    pub fn place(&mut self, cell: Cell, colour: Colour) -> bool {
        self.empty.remove(cell);
        let own = match colour {
            Colour::Black => &mut self.black,
            Colour::White => &mut self.white,
        };
        own.insert(cell);
        let sides = Sides::of(cell, self.size.length());
        colour.wins_with(self.groups.add(cell, sides, own, colour.adjacency()))
    }

    /// The stones of that colour's winning group, in order; of several groups, the one with the first cell. Empty if none wins.
    #[must_use]
    pub fn winning_group(&self, colour: Colour) -> Vec<Cell> {
        let stones = self.stones(colour);
        let first = stones.iter().find(|cell| colour.wins_with(self.groups.sides(*cell)));
        first.map_or_else(Vec::new, |first| {
            stones.iter().filter(|cell| self.groups.together(first, *cell)).collect()
        })
    }

    /// All groups of that colour, the largest first, each in order.
    #[must_use]
    pub fn groups(&self, colour: Colour) -> Vec<Vec<Cell>> {
        let mut groups: Vec<Vec<Cell>> = Vec::new();
        for cell in self.stones(colour).iter() {
            match groups.iter_mut().find(|group| self.groups.together(group[0], cell)) {
                Some(group) => group.push(cell),
                None => groups.push(vec![cell]),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }

    /// The rows from north to south: `.` empty, `b` black, `w` white.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let length = self.size.length();
        let letter = |cell: Cell| match cell {
            cell if self.black.has(cell) => 'b',
            cell if self.white.has(cell) => 'w',
            _ => '.',
        };
        (0..length)
            .rev()
            .map(|row| (0..length).map(|column| letter(Cell::at(column, row))).collect())
            .collect()
    }

    /// The board with those [`Board::rows`]; `None` if they do not fit the size.
    #[must_use]
    pub fn from_rows(size: Size, rows: &[String]) -> Option<Self> {
        let length = size.length();
        if rows.len() != usize::from(length) || rows.iter().any(|row| row.len() != usize::from(length)) {
            return None;
        }
        let mut board = Self::new(size);
        for (row, letters) in (0..length).rev().zip(rows) {
            for (column, letter) in (0..length).zip(letters.bytes()) {
                let cell = Cell::at(column, row);
                match letter {
                    b'b' => _ = board.place(cell, Colour::Black),
                    b'w' => _ = board.place(cell, Colour::White),
                    b'.' => {}
                    _ => return None,
                }
            }
        }
        Some(board)
    }
}

/// Equal boards have equal stones; their groups may be linked differently.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        (self.size, self.black, self.white) == (other.size, other.black, other.white)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.rows()).finish()
    }
}
