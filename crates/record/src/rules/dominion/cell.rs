//! Cells and sets of cells. One layout of five by five serves every size, so a cell has the same number in all of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};
use std::str::FromStr;

use super::options::Size;
use crate::rules::as_text::serialise_as_text;

/// The number of columns and rows of the layout: those of the largest field.
const SIDE: u8 = 5;

/// The number of cells of the layout.
pub const CELLS: usize = (SIDE as usize) * (SIDE as usize);

/// A cell, `a1` to `e5`. `Ord` is dealing order: row by row from the north, each from the west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The column, 0 to 4 from the west.
    #[must_use]
    pub fn column(self) -> u8 {
        self.0 % SIDE
    }

    /// The row, 0 to 4 from the south.
    #[must_use]
    pub fn row(self) -> u8 {
        SIDE - 1 - self.0 / SIDE
    }

    /// The index in the layout, below [`CELLS`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The cell in that column and row, both from 0; `None` outside the largest field.
    #[must_use]
    pub fn at(column: u8, row: u8) -> Option<Self> {
        (column < SIDE && row < SIDE).then(|| Self((SIDE - 1 - row) * SIDE + column))
    }

    fn bit(self) -> u32 {
        1 << self.0
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

/// The text names no cell of any field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell is a column a to e and a row 1 to 5, as in b2")]
pub struct NoSuchCell;

impl FromStr for Cell {
    type Err = NoSuchCell;

    fn from_str(text: &str) -> Result<Self, NoSuchCell> {
        let &[column, row] = text.as_bytes() else { return Err(NoSuchCell) };
        Self::at(column.wrapping_sub(b'a'), row.wrapping_sub(b'1')).ok_or(NoSuchCell)
    }
}

serialise_as_text!(Cell, "DominionCell", "^[a-e][1-5]$", "A cell of the field: column, then row.");

/// A set of cells, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSet(u32);

impl CellSet {
    pub const EMPTY: Self = Self(0);
    /// The layout's west and east columns, beyond which a step must not wrap.
    const WEST: Self = Self(0b00001_00001_00001_00001_00001);
    const EAST: Self = Self(0b10000_10000_10000_10000_10000);
    const LAYOUT: Self = Self((1 << CELLS) - 1);

    /// The cells of a field of that size: its south-west corner is `a1`.
    #[must_use]
    pub fn field(size: Size) -> Self {
        let cells = (0..size.side()).flat_map(|row| (0..size.side()).map(move |column| (column, row)));
        let cells = cells.map(|(column, row)| Cell::at(column, row).expect("no field exceeds the layout"));
        cells.fold(Self::EMPTY, |set, cell| set | cell.into())
    }

    #[must_use]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 & cell.bit() != 0
    }

    pub fn insert(&mut self, cell: Cell) {
        self.0 |= cell.bit();
    }

    pub fn remove(&mut self, cell: Cell) {
        self.0 &= !cell.bit();
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Every cell of the set, one step north and one step south.
    #[must_use]
    pub fn north_and_south(self) -> Self {
        Self((self.0 >> SIDE) | (self.0 << SIDE)) & Self::LAYOUT
    }

    /// Every cell of the set, one step east and one step west.
    #[must_use]
    pub fn east_and_west(self) -> Self {
        Self(((self - Self::EAST).0 << 1) | ((self - Self::WEST).0 >> 1))
    }

    /// All orthogonal neighbours of the cells of the set.
    #[must_use]
    pub fn neighbours(self) -> Self {
        self.north_and_south() | self.east_and_west()
    }
}

impl From<Cell> for CellSet {
    fn from(cell: Cell) -> Self {
        Self(cell.bit())
    }
}

impl BitAnd for CellSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for CellSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for CellSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// In dealing order.
impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;

    fn into_iter(self) -> Cells {
        Cells(self.0)
    }
}

/// The cells of a set, in dealing order.
#[derive(Clone, Debug)]
pub struct Cells(u32);

impl Iterator for Cells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(Cell(u8::try_from(lowest).expect("below 32")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: CellSet) -> String {
        set.into_iter().map(|cell| cell.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn set(name: &str) -> CellSet {
        name.parse::<Cell>().expect("a cell").into()
    }

    #[test]
    fn every_field_is_in_dealing_order_from_its_north_west_corner() {
        assert_eq!(names(CellSet::field(Size::Three)), "a3 b3 c3 a2 b2 c2 a1 b1 c1");
        assert!(names(CellSet::field(Size::Four)).starts_with("a4 b4 c4 d4 a3"));
        assert_eq!(CellSet::field(Size::Five), CellSet::LAYOUT);
        assert!(names(CellSet::LAYOUT).ends_with("a1 b1 c1 d1 e1"));
    }

    #[test]
    fn every_cell_reads_as_it_is_written_and_others_are_refused() {
        for cell in CellSet::LAYOUT {
            assert_eq!(cell.to_string().parse(), Ok(cell));
        }
        for text in ["", "a", "a0", "a6", "f1", "A1", "a11", "1a", "é"] {
            assert_eq!(text.parse::<Cell>(), Err(NoSuchCell), "{text}");
        }
    }

    #[test]
    fn steps_do_not_leave_the_layout_nor_wrap_around_it() {
        assert_eq!(names(set("a3").east_and_west()), "b3");
        assert_eq!(names(set("e3").east_and_west()), "d3");
        assert_eq!(names(set("c5").north_and_south()), "c4");
        assert_eq!(names(set("c1").north_and_south()), "c2");
        assert_eq!(names(set("b2").neighbours()), "b3 a2 c2 b1");
        assert_eq!(names(set("e1").neighbours()), "e2 d1");
    }
}
