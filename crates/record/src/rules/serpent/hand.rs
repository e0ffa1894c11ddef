//! The cards of one seat.

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use crate::rules::cards::Card;

/// The cards of one seat that are not played yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// Visible to everybody.
    pub face_up: CardSet,
    pub hidden: Hidden,
}

/// The hidden cards of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Hidden {
    Known(CardSet),
    /// Dealt from a seed that is not published yet (PROTOCOL.md, "Verifying").
    Sealed(Sealed),
}

/// Hidden cards that only their owner and the server know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    pub count: u8,
    /// The leads that the owner did not follow: no card that is still hidden could have followed them (SP1).
    pub not_followed: CardSet,
}

impl Hand {
    /// A hand as dealt: all hidden, and unknown if any card is unknown.
    #[must_use]
    pub fn dealt(cards: &[Option<Card>]) -> Self {
        let known: Option<CardSet> = cards.iter().copied().collect();
        let count = u8::try_from(cards.len()).expect("hands are small");
        let hidden =
            known.map_or(Hidden::Sealed(Sealed { count, not_followed: CardSet::default() }), Hidden::Known);
        Self { face_up: CardSet::default(), hidden }
    }

    #[must_use]
    pub fn hidden_count(&self) -> u8 {
        match self.hidden {
            Hidden::Known(cards) => cards.len(),
            Hidden::Sealed(sealed) => sealed.count,
        }
    }

    /// The hidden cards, if they are known.
    #[must_use]
    pub fn known_hidden(&self) -> Option<CardSet> {
        match self.hidden {
            Hidden::Known(cards) => Some(cards),
            Hidden::Sealed(_) => None,
        }
    }

    /// All known cards of this hand.
    #[must_use]
    pub fn known(&self) -> CardSet {
        self.face_up.with(self.known_hidden().unwrap_or_default())
    }

    /// Whether `card` can be one of the hidden cards. `seen` has all cards that lie face up or on the table.
    #[must_use]
    pub fn may_hide(&self, card: Card, seen: CardSet) -> bool {
        match self.hidden {
            Hidden::Known(cards) => cards.has(card),
            Hidden::Sealed(Sealed { count, not_followed }) => {
                count > 0 && !seen.has(card) && !not_followed.iter().any(|lead| follows(card, lead))
            }
        }
    }

    /// The leads that the owner of sealed cards did not follow.
    #[must_use]
    pub fn not_followed(&self) -> CardSet {
        match self.hidden {
            Hidden::Known(_) => CardSet::default(),
            Hidden::Sealed(sealed) => sealed.not_followed,
        }
    }

    /// Removes a hidden card, which [`Hand::may_hide`] allows.
    pub fn take_hidden(&mut self, card: Card) {
        match &mut self.hidden {
            Hidden::Known(cards) => _ = cards.remove(card),
            Hidden::Sealed(sealed) => sealed.count -= 1,
        }
    }

    /// Removes a card that the owner plays, face up or hidden.
    pub fn play(&mut self, card: Card) {
        if !self.face_up.remove(card) {
            self.take_hidden(card);
        }
    }

    /// Records that the owner did not follow `lead`, after the played card was removed.
    pub fn did_not_follow(&mut self, lead: Card) {
        if let Hidden::Sealed(sealed) = &mut self.hidden {
            sealed.not_followed.insert(lead);
        }
    }
}

/// Whether a reply has the suit or the rank of the lead (SP1).
#[must_use]
pub fn follows(reply: Card, lead: Card) -> bool {
    reply.suit() == lead.suit() || reply.rank() == lead.rank()
}
