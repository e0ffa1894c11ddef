//! The cells of the largest board, by name.

use std::fmt;
use std::str::FromStr;

use crate::rules::as_text::serialise_as_text;

/// The number of columns and rows of the largest board.
pub const LARGEST: u8 = 19;

/// The difference in [`Cell::index`] between a cell and its eastern neighbour. A column has one index more than it has rows:
/// the index between two columns belongs to no board, so a step over the north or south edge meets no cell.
pub const COLUMN_STEP: u16 = LARGEST as u16 + 1;

/// The upper bound of every cell's [`Cell::index`]; the lower bound is [`COLUMN_STEP`].
pub const INDEX_LIMIT: u16 = (LARGEST as u16 + 1) * COLUMN_STEP;

/// A cell, `a1` (south-west) to `s19`, ordered by column, then row as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    column: u8,
    row: u8,
}

impl Cell {
    /// The cell in that column and row, both counted from 0 in the south-west.
    ///
    /// # Panics
    /// If either is not below [`LARGEST`].
    #[must_use]
    pub fn at(column: u8, row: u8) -> Self {
        assert!(column < LARGEST && row < LARGEST, "a cell of the largest board");
        Self { column, row }
    }

    /// The cell with that [`Cell::index`], which must be valid.
    pub(super) fn from_index(index: u16) -> Self {
        let part = |number: u16| u8::try_from(number - 1).expect("columns and rows are few");
        Self::at(part(index / COLUMN_STEP), part(index % COLUMN_STEP))
    }

    /// An index that rises with the order of cells, for sets and tables of them.
    #[must_use]
    pub fn index(self) -> u16 {
        (u16::from(self.column) + 1) * COLUMN_STEP + u16::from(self.row) + 1
    }

    /// The column, from 0 in the west.
    #[must_use]
    pub fn column(self) -> u8 {
        self.column
    }

    /// The row, from 0 in the south.
    #[must_use]
    pub fn row(self) -> u8 {
        self.row
    }

    /// Whether the two are orthogonal neighbours.
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        self.column.abs_diff(other.column) + self.row.abs_diff(other.row) == 1
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The text names no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell is a1 to s19: a column a to s and a row 1 to 19")]
pub struct NoSuchCell;

impl FromStr for Cell {
    type Err = NoSuchCell;

    fn from_str(text: &str) -> Result<Self, NoSuchCell> {
        let (column, row) = match *text.as_bytes() {
            [column, ones @ b'1'..=b'9'] => (column, ones - b'0'),
            [column, b'1', ones @ b'0'..=b'9'] => (column, 10 + ones - b'0'),
            _ => return Err(NoSuchCell),
        };
        let column = column.wrapping_sub(b'a');
        if column < LARGEST { Ok(Self::at(column, row - 1)) } else { Err(NoSuchCell) }
    }
}

serialise_as_text!(Cell, "PippinzipCell", "^[a-s]([1-9]|1[0-9])$", "A cell of the board: column, then row.");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_reads_as_it_is_written_and_others_are_refused() {
        for (column, row) in (0..LARGEST).flat_map(|column| (0..LARGEST).map(move |row| (column, row))) {
            let cell = Cell::at(column, row);
            assert_eq!((cell.column(), cell.row()), (column, row));
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(Cell::from_index(cell.index()), cell);
            assert!(cell.index() < INDEX_LIMIT);
        }
        for text in ["", "a", "a0", "a01", "a20", "t1", "A1", "a1 ", "1a", "a111", "é1", "a-1"] {
            assert_eq!(text.parse::<Cell>(), Err(NoSuchCell), "{text}");
        }
    }

    #[test]
    fn cells_are_ordered_by_column_then_row_as_a_number() {
        let cell = |name: &str| name.parse::<Cell>().expect("a cell");
        assert!(cell("a2") < cell("a10") && cell("a19") < cell("b1"));
    }

    #[test]
    fn orthogonal_neighbours_share_a_side_and_edges_do_not_wrap() {
        let touch = |one: &str, other: &str| {
            let [one, other]: [Cell; 2] = [one, other].map(|name| name.parse().expect("a cell"));
            assert_eq!(one.touches(other), other.touches(one));
            one.touches(other)
        };
        assert!(touch("b2", "b3") && touch("b2", "c2"));
        assert!(!touch("b2", "b2") && !touch("b2", "c3") && !touch("b2", "b4"));
        assert!(!touch("a19", "b1"));
    }
}
