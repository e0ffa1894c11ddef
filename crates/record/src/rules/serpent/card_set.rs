//! Sets of cards, always listed in canonical order.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::cards::{Card, DECK};
use crate::rules::schema::{self, named_schema};

/// A set of cards, one bit each at [`Card::index`].
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct CardSet(u64);

impl CardSet {
    fn bit(card: Card) -> u64 {
        1 << card.index()
    }

    #[must_use]
    pub fn has(self, card: Card) -> bool {
        self.0 & Self::bit(card) != 0
    }

    /// Adds a card; false if it was in the set already.
    pub fn insert(&mut self, card: Card) -> bool {
        let new = !self.has(card);
        self.0 |= Self::bit(card);
        new
    }

    /// Removes a card; false if it was not in the set.
    pub fn remove(&mut self, card: Card) -> bool {
        let there = self.has(card);
        self.0 &= !Self::bit(card);
        there
    }

    /// The union of both sets.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub fn len(self) -> u8 {
        u8::try_from(self.0.count_ones()).expect("a deck has 52 cards")
    }

    /// The cards in canonical order.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        Card::deck().filter(move |card| self.has(*card))
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::default();
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CardSet {
    /// Accepts a list in any order.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = Self::default();
        for card in Vec::<Card>::deserialize(deserializer)? {
            if !set.insert(card) {
                return Err(serde::de::Error::custom(format!("{card} is named twice")));
            }
        }
        Ok(set)
    }
}

named_schema!(
    CardSet,
    "SerpentCardSet",
    schema::set_of::<Card>(0..=DECK, "Different cards in canonical order: by suit (c, d, h, s), then rank from A to K."),
    with Card
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_read_in_any_order_and_written_in_canonical_order() {
        let set: CardSet = serde_json::from_str(r#"["Kd","5h","6c","Ac"]"#).expect("a set");
        assert_eq!(serde_json::to_string(&set).expect("a list"), r#"["Ac","6c","Kd","5h"]"#);
        assert_eq!(set.len(), 4);
        assert!(serde_json::from_str::<CardSet>(r#"["Kd","Kd"]"#).is_err());
    }

    #[test]
    fn a_card_goes_in_once_and_comes_out_once() {
        let card = Card::deck().next_back().expect("the king of spades");
        let mut set = CardSet::default();
        assert!(set.insert(card) && !set.insert(card));
        assert!(set.has(card) && !set.is_empty());
        assert!(set.remove(card) && !set.remove(card));
        assert!(set.is_empty());
        assert_eq!(Card::deck().collect::<CardSet>().len(), 52);
    }
}
