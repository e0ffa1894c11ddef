//! Random actions for fast random games, without lists and without allocation.

use super::action::{Action, Placement};
use super::cell::Cell;
use super::position::Position;
use crate::rules::Words;
use crate::rules::offer::below;

/// The number of random cells tried before the fitting cells are counted.
const BLIND_TRIES: u32 = 16;

impl Position {
    /// A legal action of the seat in turn, any of which is possible; `None` when the game is over.
    ///
    /// In the auction `take` and placements of one, two and three stones are equally likely, as far as the board has room; a
    /// cell is as likely as any other that is legal after the cells before it. The words are mapped by multiplication, not by
    /// the protocol's rejection.
    #[must_use]
    pub fn random_action(&self, words: &mut impl Words) -> Option<Action> {
        if self.over {
            return None;
        }
        let (least, most) = self.stones();
        let mut stones = most;
        if self.in_auction() {
            stones = below(words, most + 1);
            if stones == 0 {
                return Some(Action::Take {});
            }
        }
        let first = self.random_cell(words, |_| true)?;
        let apart = self.keeps_apart();
        let mut cells = Placement::one(first);
        for _ in 1..stones {
            let fits = |cell: Cell| !(cells.as_slice().contains(&cell) || apart && first.touches(cell));
            let Some(next) = self.random_cell(words, fits) else { break };
            cells = cells.and(next).ok()?;
        }
        debug_assert!(cells.as_slice().len() >= least || self.seconds(first).is_empty());
        Some(Action::Place { cells })
    }

    /// A random empty cell that fits, all equally likely; `None` if there is none.
    #[inline]
    fn random_cell(&self, words: &mut impl Words, fits: impl Fn(Cell) -> bool) -> Option<Cell> {
        let length = u32::from(self.board.size().length());
        let scaled = |half: u32| u8::try_from((half * length) >> 16).expect("below the length of the board");
        for _ in 0..BLIND_TRIES {
            let word = words.next_word();
            let cell = Cell::at(scaled(word >> 16), scaled(word & 0xffff));
            if self.board.empty().has(cell) && fits(cell) {
                return Some(cell);
            }
        }
        let fitting = || self.board.empty().iter().filter(|cell| fits(*cell));
        match fitting().count() {
            0 => None,
            count => fitting().nth(below(words, count)),
        }
    }
}
