//! Groups of connected stones and the sides of the board that each touches: a union-find over the cells.

use super::cell::{COLUMN_STEP, Cell, INDEX_LIMIT};
use super::cells::Cells;

/// A set of sides of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides(u16);

impl Sides {
    pub const WEST: Self = Self(1);
    pub const EAST: Self = Self(2);
    pub const SOUTH: Self = Self(4);
    pub const NORTH: Self = Self(8);

    const ALL: u16 = 15;

    /// The sides that a cell touches on a board of that length; a corner touches two (PZ5).
    #[must_use]
    pub fn of(cell: Cell, length: u8) -> Self {
        let (column, row) = (cell.column(), cell.row());
        let when = |touches: bool, sides: Self| if touches { sides.0 } else { 0 };
        Self(
            when(column == 0, Self::WEST)
                | when(column + 1 == length, Self::EAST)
                | when(row == 0, Self::SOUTH)
                | when(row + 1 == length, Self::NORTH),
        )
    }

    /// All four sides.
    #[must_use]
    pub fn are_all(self) -> bool {
        self.0 == Self::ALL
    }

    /// Whether the set has west and east, or south and north.
    #[must_use]
    pub fn hold_opposites(self) -> bool {
        let both = |one: Self, other: Self| self.0 & (one.0 | other.0) == one.0 | other.0;
        both(Self::WEST, Self::EAST) || both(Self::SOUTH, Self::NORTH)
    }
}

/// Which neighbours of a stone belong to its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjacency {
    Orthogonal,
    OrthogonalAndDiagonal,
}

/// The differences in [`Cell::index`] to the eight neighbours, in the order of the bits of a [`ring`]: once around from the
/// south-west through the west. Consecutive neighbours in the ring are orthogonal neighbours of each other.
const STEPS: [i16; 8] = {
    let (north, east) = (1, COLUMN_STEP.cast_signed());
    [-east - north, -east, -east + north, north, east + north, east, east - north, -north]
};

/// The neighbours of a cell that belong to a set, with a bit for each of [`STEPS`].
#[inline]
fn ring(cell: Cell, own: &Cells) -> u8 {
    let here = cell.index();
    let west = own.three_around(here - COLUMN_STEP);
    let middle = own.three_around(here);
    let east = own.three_around(here + COLUMN_STEP);
    // The ring passes the east from north to south.
    let east = (east & 1) << 2 | east & 2 | east >> 2;
    west | (middle >> 2) << 3 | east << 4 | (middle & 1) << 7
}

/// The bits of a [`ring`] for the orthogonal neighbours of the cell in its middle.
const ORTHOGONAL: u8 = 0b1010_1010;

/// For each possible [`ring`], the neighbours that a new stone must be joined with: one of each group that is already connected
/// around the stone.
const JOINS: [[u8; 256]; 2] = [joins(Adjacency::Orthogonal), joins(Adjacency::OrthogonalAndDiagonal)];

const fn joins(adjacency: Adjacency) -> [u8; 256] {
    let touching = if matches!(adjacency, Adjacency::Orthogonal) { ORTHOGONAL } else { u8::MAX };
    let mut table = [0; 256];
    let mut ring: u8 = 0;
    loop {
        let mut rest = ring & touching;
        while rest != 0 {
            let one = rest & rest.wrapping_neg();
            table[ring as usize] |= one;
            rest &= !hanging_together(one, ring, adjacency);
        }
        if ring == u8::MAX {
            return table;
        }
        ring += 1;
    }
}

/// The part of the ring that is connected with one of its bits without the cell in the middle.
const fn hanging_together(one: u8, ring: u8, adjacency: Adjacency) -> u8 {
    let mut group = one;
    loop {
        let mut larger = group | group.rotate_left(1) | group.rotate_right(1);
        if matches!(adjacency, Adjacency::OrthogonalAndDiagonal) {
            let orthogonal = group & ORTHOGONAL;
            larger |= orthogonal.rotate_left(2) | orthogonal.rotate_right(2);
        }
        larger &= ring;
        if larger == group {
            return group;
        }
        group = larger;
    }
}

/// Marks the entry of a group's root, which holds the group's sides (four bits) and, above them, its number of stones. Every
/// other entry is the index of a cell nearer to the root.
const ROOT: u16 = 1 << 15;
const SIDES: u16 = 15;
const ONE_STONE: u16 = 16;

/// The groups of all stones on the board.
#[derive(Clone, Copy)]
pub struct Groups([u16; INDEX_LIMIT as usize]);

impl Groups {
    /// Groups without stones.
    #[must_use]
    pub fn new() -> Self {
        Self([0; INDEX_LIMIT as usize])
    }

    #[inline]
    fn entry(&self, index: u16) -> u16 {
        self.0[usize::from(index)]
    }

    #[inline]
    fn set(&mut self, index: u16, entry: u16) {
        self.0[usize::from(index)] = entry;
    }

    /// Adds a stone that touches `sides` to the groups of its neighbours in `own`, the stones of its colour. Returns the sides
    /// that its group touches now.
    pub fn add(&mut self, cell: Cell, sides: Sides, own: &Cells, adjacency: Adjacency) -> Sides {
        let here = cell.index();
        self.set(here, ROOT | ONE_STONE | sides.0);
        let mut root = here;
        let mut joins = JOINS[adjacency as usize][usize::from(ring(cell, own))];
        while joins != 0 {
            let step = STEPS[joins.trailing_zeros() as usize];
            root = self.join(root, here.wrapping_add_signed(step));
            joins &= joins - 1;
        }
        Sides(self.entry(root) & SIDES)
    }

    /// Joins that root's group with a stone's group, and returns the common root.
    fn join(&mut self, root: u16, stone: u16) -> u16 {
        let other = self.shorten(stone);
        if other == root {
            return root;
        }
        let (one, two) = (self.entry(root), self.entry(other));
        let (large, small) = if one / ONE_STONE >= two / ONE_STONE { (root, other) } else { (other, root) };
        self.set(large, ((one & !SIDES) + (two & !SIDES & !ROOT)) | ((one | two) & SIDES));
        self.set(small, large);
        large
    }

    /// The root of a stone's group; halves the path to it.
    fn shorten(&mut self, mut stone: u16) -> u16 {
        loop {
            let parent = self.entry(stone);
            if parent & ROOT != 0 {
                return stone;
            }
            let above = self.entry(parent);
            if above & ROOT != 0 {
                return parent;
            }
            self.set(stone, above);
            stone = above;
        }
    }

    fn root(&self, stone: Cell) -> u16 {
        let mut index = stone.index();
        while self.entry(index) & ROOT == 0 {
            index = self.entry(index);
        }
        index
    }

    /// The sides that a stone's group touches.
    #[must_use]
    pub fn sides(&self, stone: Cell) -> Sides {
        Sides(self.entry(self.root(stone)) & SIDES)
    }

    /// Whether two stones belong to one group.
    #[must_use]
    pub fn together(&self, one: Cell, other: Cell) -> bool {
        self.root(one) == self.root(other)
    }
}
