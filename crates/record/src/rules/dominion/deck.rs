//! The second deck: the stock from which cards are turned, and the discard pile (DM4).

use crate::rules::cards::{Card, DECK};
use crate::rules::{NoChance, Outcome, Step};

/// A set of all 52 cards.
const ALL_CARDS: u64 = (1 << DECK) - 1;

/// Stock and discard pile, which together are always the 52 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deck {
    /// One bit per card, by [`Card::index`]: the stock has no order until a card is drawn.
    stock: u64,
    /// In the order turned; the unused part holds [`Card::FIRST`], so that equal piles compare equal.
    pile: [Card; DECK],
    discarded: u8,
}

impl Default for Deck {
    /// All 52 cards in the stock.
    fn default() -> Self {
        Self { stock: ALL_CARDS, pile: [Card::FIRST; DECK], discarded: 0 }
    }
}

impl Deck {
    /// The deck with these cards on the discard pile; `None` if a card is repeated.
    #[must_use]
    pub fn with_discards(cards: &[Card]) -> Option<Self> {
        let mut deck = Self::default();
        for card in cards {
            if deck.stock & (1 << card.index()) == 0 {
                return None;
            }
            deck.discard(*card);
        }
        Some(deck)
    }

    /// The number of cards in the stock.
    #[must_use]
    pub fn stock(&self) -> u8 {
        u8::try_from(self.stock.count_ones()).expect("52 cards at most")
    }

    /// The discard pile in the order turned.
    #[must_use]
    pub fn discards(&self) -> &[Card] {
        &self.pile[..usize::from(self.discarded)]
    }

    /// Turns a card onto the discard pile; says whether the pile had to become the stock first (DM4).
    ///
    /// # Errors
    /// [`NoChance`] if `step` cannot draw.
    pub fn turn(&mut self, step: &mut Step<'_>) -> Result<(Card, bool), NoChance> {
        let reshuffled = self.stock == 0;
        if reshuffled {
            *self = Self::default();
        }
        let index = step.one_of(self.stock.count_ones(), |index| Outcome::of_card(self.card_at(index)))?;
        let card = self.card_at(index);
        self.discard(card);
        Ok((card, reshuffled))
    }

    /// The card at that index in the stock, in canonical order, as `draw()` counts.
    fn card_at(&self, index: u32) -> Card {
        let mut rest = self.stock;
        for _ in 0..index {
            rest &= rest - 1;
        }
        Card::from_index(rest.trailing_zeros() as usize).expect("the stock holds cards only")
    }

    fn discard(&mut self, card: Card) {
        self.stock &= !(1 << card.index());
        self.pile[usize::from(self.discarded)] = card;
        self.discarded += 1;
    }
}
