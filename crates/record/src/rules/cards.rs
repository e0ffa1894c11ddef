//! Playing cards as in the protocol: rank, then suit, as in `Th`.

use std::fmt;
use std::str::FromStr;

use super::as_text::serialise_as_text;

/// Cards in a deck.
pub const DECK: usize = 52;

/// Cards in a suit.
const RANKS: u8 = 13;

/// The letters of the ranks, the ace first.
const RANK_LETTERS: &[u8; RANKS as usize] = b"A23456789TJQK";

/// The rank of an ace.
pub const ACE: u8 = 1;
/// The rank of a jack.
pub const JACK: u8 = 11;
/// The rank of a queen.
pub const QUEEN: u8 = 12;
/// The rank of a king.
pub const KING: u8 = 13;

/// A suit, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// The four suits in canonical order.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The letter of the suit: `c`, `d`, `h` or `s`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Clubs => 'c',
            Self::Diamonds => 'd',
            Self::Hearts => 'h',
            Self::Spades => 's',
        }
    }

    /// The suit as a word, in the plural.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clubs => "clubs",
            Self::Diamonds => "diamonds",
            Self::Hearts => "hearts",
            Self::Spades => "spades",
        }
    }

    /// Whether the suit is hearts or diamonds.
    #[must_use]
    pub fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }
}

/// A card. `Ord` is the canonical order: by suit (c, d, h, s), then rank from A to K.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The ace of clubs, first in canonical order.
    pub const FIRST: Self = Self(0);

    /// The card of that rank, 1 (ace) to 13 (king); `None` for any other rank.
    #[must_use]
    pub fn new(rank: u8, suit: Suit) -> Option<Self> {
        (ACE..=KING).contains(&rank).then(|| Self(suit as u8 * RANKS + rank - 1))
    }

    /// The card with these two letters in any case, as people type them: rank, then suit.
    #[must_use]
    pub fn from_letters(rank: char, suit: char) -> Option<Self> {
        let rank = u8::try_from(rank.to_ascii_uppercase()).ok()?;
        let rank = RANK_LETTERS.iter().zip(ACE..).find(|(letter, _)| **letter == rank)?.1;
        let suit = Suit::ALL.into_iter().find(|known| known.letter() == suit.to_ascii_lowercase())?;
        Self::new(rank, suit)
    }

    /// The card at that index in canonical order, from 0; `None` from 52 on.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|index| *index < RANKS * 4).map(Self)
    }

    /// All 52 cards in canonical order.
    pub fn deck() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..RANKS * 4).map(Self)
    }

    /// 1 for an ace to 13 for a king.
    #[must_use]
    pub fn rank(self) -> u8 {
        self.0 % RANKS + 1
    }

    #[must_use]
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 / RANKS)]
    }

    /// Whether the card's suit is hearts or diamonds.
    #[must_use]
    pub fn is_red(self) -> bool {
        self.suit().is_red()
    }

    /// The index in canonical order, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The card in words, as in `ten of hearts`.
    #[must_use]
    pub fn name(self) -> String {
        let rank = match self.rank() {
            1 => "ace",
            2 => "two",
            3 => "three",
            4 => "four",
            5 => "five",
            6 => "six",
            7 => "seven",
            8 => "eight",
            9 => "nine",
            10 => "ten",
            JACK => "jack",
            QUEEN => "queen",
            _ => "king",
        };
        format!("{rank} of {}", self.suit().name())
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = char::from(RANK_LETTERS[usize::from(self.rank() - 1)]);
        write!(out, "{rank}{}", self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The text names no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card is a rank A 2 3 4 5 6 7 8 9 T J Q K and a suit c d h s, as in Th")]
pub struct NoSuchCard;

impl FromStr for Card {
    type Err = NoSuchCard;

    /// Parses the canonical form only; [`Card::from_letters`] accepts any case.
    fn from_str(text: &str) -> Result<Self, NoSuchCard> {
        let &[rank, suit] = text.as_bytes() else { return Err(NoSuchCard) };
        if rank.is_ascii_lowercase() || suit.is_ascii_uppercase() {
            return Err(NoSuchCard);
        }
        Self::from_letters(rank.into(), suit.into()).ok_or(NoSuchCard)
    }
}

serialise_as_text!(Card, "Card", "^[A2-9TJQK][cdhs]$", "A playing card: rank, then suit.");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_is_in_canonical_order_by_suit_then_rank() {
        let deck: Vec<_> = Card::deck().collect();
        assert_eq!(deck.len(), DECK);
        assert!(deck.is_sorted());
        for (index, card) in deck.iter().enumerate() {
            assert_eq!((card.index(), Card::from_index(index)), (index, Some(*card)));
        }
        assert_eq!((deck[0], Card::from_index(DECK)), (Card::FIRST, None));
        let names: Vec<_> = deck.iter().map(ToString::to_string).collect();
        assert_eq!(names[..14].join(" "), "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ad");
        assert_eq!(names[25..27].join(" "), "Kd Ah");
        assert_eq!(names[51], "Ks");
    }

    #[test]
    fn every_card_reads_as_it_is_written_and_is_made_of_its_rank_and_suit() {
        for card in Card::deck() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), Some(card));
        }
        assert_eq!(Card::new(0, Suit::Clubs), None);
        assert_eq!(Card::new(14, Suit::Spades), None);
    }

    #[test]
    fn only_the_canonical_form_is_a_card_but_letters_may_have_any_case() {
        for text in ["", "T", "th", "TH", "10h", "Thh", "1h", "hT", "Tx", "é"] {
            assert_eq!(text.parse::<Card>(), Err(NoSuchCard), "{text}");
        }
        assert_eq!(Card::from_letters('t', 'H').map(|card| card.to_string()).as_deref(), Some("Th"));
        assert_eq!(Card::from_letters('ä', 'h'), None);
    }

    #[test]
    fn hearts_and_diamonds_are_red() {
        let red: String = Suit::ALL.iter().filter(|suit| suit.is_red()).map(|suit| suit.letter()).collect();
        assert_eq!(red, "dh");
        assert!(Card::deck().all(|card| card.is_red() == card.suit().is_red()));
    }

    #[test]
    fn cards_are_strings_in_json() {
        let card: Card = serde_json::from_str("\"Th\"").expect("a card");
        assert_eq!(serde_json::to_string(&card).expect("a string"), "\"Th\"");
        assert_eq!(card.name(), "ten of hearts");
        assert!(serde_json::from_str::<Card>("\"th\"").is_err());
    }
}
