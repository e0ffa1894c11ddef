//! Sets of cells as bits.

use super::cell::{COLUMN_STEP, Cell, INDEX_LIMIT};

/// Words for every index of a cell and for steps over the edges, and one that [`Cells::three_around`] may touch.
const WORDS: usize = (INDEX_LIMIT + COLUMN_STEP + 2).div_ceil(64) as usize + 1;

/// The word that holds the bit of an index, and the bit in it.
#[inline]
fn bit_of(index: u16) -> (usize, u64) {
    (usize::from(index / 64), 1 << (index % 64))
}

/// A set of cells, one bit each at [`Cell::index`]. Bits that belong to no cell are never set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells([u64; WORDS]);

impl Cells {
    /// All cells of a board with `length` columns and rows.
    #[must_use]
    pub fn of_board(length: u8) -> Self {
        let mut cells = Self::default();
        for column in 0..length {
            for row in 0..length {
                cells.insert(Cell::at(column, row));
            }
        }
        cells
    }

    #[inline]
    #[must_use]
    pub fn has(&self, cell: Cell) -> bool {
        self.has_index(cell.index())
    }

    /// As [`Cells::has`]; false for an index without a cell.
    #[inline]
    pub(super) fn has_index(&self, index: u16) -> bool {
        let (word, bit) = bit_of(index);
        self.0[word] & bit != 0
    }

    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        let (word, bit) = bit_of(cell.index());
        self.0[word] |= bit;
    }

    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        let (word, bit) = bit_of(cell.index());
        self.0[word] &= !bit;
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cells of the set without `cell` and its orthogonal neighbours.
    #[must_use]
    pub fn apart_from(mut self, cell: Cell) -> Self {
        let index = cell.index();
        for near in [index, index - 1, index + 1, index - COLUMN_STEP, index + COLUMN_STEP] {
            let (word, bit) = bit_of(near);
            self.0[word] &= !bit;
        }
        self
    }

    /// The cells in order: by column, then row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..).step_by(64).zip(self.0).flat_map(|(start, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = u16::try_from(rest.trailing_zeros()).expect("at most 64");
                let cell = (rest != 0).then(|| Cell::from_index(start + bit))?;
                rest &= rest - 1;
                Some(cell)
            })
        })
    }

    /// Whether the set has the cells at the indexes `index − 1`, `index` and `index + 1`, from the lowest bit on.
    #[inline]
    pub(super) fn three_around(&self, index: u16) -> u8 {
        let (word, shift) = (usize::from((index - 1) / 64), (index - 1) % 64);
        // Shifts by 64 − `shift` in two steps, because a single shift by 64 is not allowed.
        let above = (self.0[word + 1] << 1) << (63 - shift);
        u8::try_from(((self.0[word] >> shift) | above) & 0b111).expect("three bits")
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::LARGEST;
    use super::*;

    #[test]
    fn a_board_holds_its_cells_in_order_and_no_others() {
        for length in [5, 11, LARGEST] {
            let board = Cells::of_board(length);
            let cells: Vec<_> = board.iter().collect();
            assert_eq!(cells.len(), usize::from(length).pow(2));
            assert_eq!(board.len(), cells.len());
            assert!(
                cells.is_sorted() && cells.iter().all(|cell| cell.column() < length && cell.row() < length)
            );
        }
    }

    #[test]
    fn apart_takes_out_the_cell_and_its_orthogonal_neighbours_only() {
        let board = Cells::of_board(LARGEST);
        for cell in board.iter() {
            let apart = board.apart_from(cell);
            for other in board.iter() {
                assert_eq!(apart.has(other), other != cell && !other.touches(cell), "{cell} {other}");
            }
        }
    }

    #[test]
    fn three_around_an_index_are_that_cell_and_the_two_beside_it() {
        let mut cells = Cells::default();
        let board: Vec<_> = Cells::of_board(LARGEST).iter().collect();
        for cell in board.iter().step_by(3) {
            cells.insert(*cell);
        }
        for index in 1..INDEX_LIMIT + COLUMN_STEP {
            let bits = [index - 1, index, index + 1].map(|index| cells.has_index(index));
            let expected = bits.iter().rev().fold(0, |number, bit| number << 1 | u8::from(*bit));
            assert_eq!(cells.three_around(index), expected, "{index}");
        }
    }

    #[test]
    fn what_is_put_in_can_be_taken_out() {
        let mut cells = Cells::default();
        assert!(cells.is_empty());
        let cell = Cell::at(LARGEST - 1, LARGEST - 1);
        cells.insert(cell);
        assert!(cells.has(cell) && cells.len() == 1);
        cells.remove(cell);
        assert!(cells.is_empty());
    }
}
