//! The field: its cards, their orientation, and the armies on them (DM1, DM2).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cell::{CELLS, Cell, CellSet};
use super::options::Size;
use crate::rules::Seat;
use crate::rules::cards::{Card, JACK};
use crate::rules::seat::MAX_SEATS;

/// The base strength at which a cell is full (DM1).
pub const FULL: u8 = 13;

/// The most armies of one deployment: 7 minus a die of 1 (DM11).
pub const MAX_DEPLOYED: u8 = 6;

/// The base strength that only a red king can cause (DM5).
pub const MAX_STRENGTH: u8 = FULL + 1;

/// The orientation of a card, which decides the direction of attacks (DM2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DominionOrientation)]
pub enum Orientation {
    /// Attacks north and south.
    Vertical,
    /// Attacks east and west.
    Horizontal,
}

/// The field's cards and the armies on them. Small and without pointers, so it is cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    cells: CellSet,
    /// The cells whose cards lie north to south: the north-west one, and every other one from there.
    vertical: CellSet,
    /// By [`Cell::index`], as are the next two; [`Card::FIRST`] outside the field.
    cards: [Card; CELLS],
    owners: [Option<Seat>; CELLS],
    armies: [u8; CELLS],
    /// The cells of each seat.
    owned: [CellSet; MAX_SEATS as usize],
    /// The cells of base strength [`FULL`] or more.
    full: CellSet,
}

/// Whether the card may lie on the field: not a king or queen.
pub fn may_lie_on_the_field(card: Card) -> bool {
    card.rank() <= JACK
}

impl Field {
    /// The field with these cards in dealing order, unoccupied; `None` unless there is one card per cell.
    #[must_use]
    pub fn new(size: Size, cards: &[Card]) -> Option<Self> {
        let cells = CellSet::field(size);
        if cards.len() != cells.len() as usize {
            return None;
        }
        let mut field = Self {
            cells,
            vertical: CellSet::EMPTY,
            cards: [Card::FIRST; CELLS],
            owners: [None; CELLS],
            armies: [0; CELLS],
            owned: [CellSet::EMPTY; MAX_SEATS as usize],
            full: CellSet::EMPTY,
        };
        let north = size.side() - 1;
        for (cell, card) in cells.into_iter().zip(cards) {
            field.cards[cell.index()] = *card;
            if (cell.column() + north - cell.row()).is_multiple_of(2) {
                field.vertical.insert(cell);
            }
        }
        Some(field)
    }

    /// All cells of the field.
    #[must_use]
    pub fn cells(&self) -> CellSet {
        self.cells
    }

    #[must_use]
    pub fn card(&self, cell: Cell) -> Card {
        self.cards[cell.index()]
    }

    #[must_use]
    pub fn orientation(&self, cell: Cell) -> Orientation {
        if self.vertical.contains(cell) { Orientation::Vertical } else { Orientation::Horizontal }
    }

    /// `None` exactly if the cell has no armies.
    #[must_use]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        self.owners[cell.index()]
    }

    #[must_use]
    pub fn armies(&self, cell: Cell) -> u8 {
        self.armies[cell.index()]
    }

    /// Rank plus armies, without the turned card (DM1).
    #[must_use]
    pub fn base_strength(&self, cell: Cell) -> u8 {
        self.card(cell).rank() + self.armies(cell)
    }

    /// How many more armies the cell can hold, up to base strength 13 (DM1).
    #[must_use]
    pub fn room(&self, cell: Cell) -> u8 {
        FULL.saturating_sub(self.base_strength(cell))
    }

    /// The cells of a seat.
    #[must_use]
    pub fn owned_by(&self, seat: Seat) -> CellSet {
        self.owned[seat.index()]
    }

    #[must_use]
    pub fn unoccupied(&self) -> CellSet {
        self.owned.iter().fold(self.cells, |rest, owned| rest - *owned)
    }

    /// The armies of a seat on all its cells.
    #[must_use]
    pub fn armies_of(&self, seat: Seat) -> u32 {
        self.owned_by(seat).into_iter().map(|cell| u32::from(self.armies(cell))).sum()
    }

    /// Sets the armies on a cell to that many of `owner`; 0 makes it unoccupied.
    pub fn put(&mut self, cell: Cell, owner: Seat, armies: u8) {
        self.clear(cell);
        if armies == 0 {
            return;
        }
        self.owners[cell.index()] = Some(owner);
        self.armies[cell.index()] = armies;
        self.owned[owner.index()].insert(cell);
        if self.room(cell) == 0 {
            self.full.insert(cell);
        }
    }

    /// Makes a cell unoccupied.
    pub fn clear(&mut self, cell: Cell) {
        if let Some(owner) = self.owners[cell.index()].take() {
            self.owned[owner.index()].remove(cell);
            self.full.remove(cell);
            self.armies[cell.index()] = 0;
        }
    }

    /// Every cell that a cell of `cells` attacks by its card's orientation, whoever owns either (DM2).
    fn reach(&self, cells: CellSet) -> CellSet {
        (cells & self.vertical).north_and_south() | (cells - self.vertical).east_and_west()
    }

    /// The cells of other players.
    fn foes(&self, seat: Seat) -> CellSet {
        self.cells - self.unoccupied() - self.owned_by(seat)
    }

    /// The cells that armies of `seat` on `from` can attack (DM2).
    #[must_use]
    pub fn targets(&self, seat: Seat, from: Cell) -> CellSet {
        self.reach(from.into()) & self.foes(seat)
    }

    /// Whether `seat` can attack anything at all.
    #[must_use]
    pub fn can_attack(&self, seat: Seat) -> bool {
        !(self.reach(self.owned_by(seat)) & self.foes(seat)).is_empty()
    }

    /// The seat's cells next to `from` that can hold at least one more army (DM10).
    #[must_use]
    pub fn advances(&self, seat: Seat, from: Cell) -> CellSet {
        CellSet::from(from).neighbours() & (self.owned_by(seat) - self.full)
    }

    /// Whether `seat` can advance at all.
    #[must_use]
    pub fn can_advance(&self, seat: Seat) -> bool {
        let own = self.owned_by(seat);
        !(own.neighbours() & (own - self.full)).is_empty()
    }

    /// The cells below base strength 13 that are unoccupied or the seat's own (DM11).
    #[must_use]
    pub fn deployable(&self, seat: Seat) -> CellSet {
        (self.unoccupied() | self.owned_by(seat)) - self.full
    }

    /// Whether `seat` owns every cell (DM13).
    #[must_use]
    pub fn is_all_of(&self, seat: Seat) -> bool {
        self.owned_by(seat) == self.cells
    }
}
