//! A player's actions, as JSON.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::card_set::CardSet;
use crate::rules::cards::Card;
use crate::rules::schema::{self, named_schema};

/// An action of Serpent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = SerpentAction)]
pub enum Action {
    /// The director gives three hidden cards to the defender, face up.
    Give { cards: Three },
    /// The director turns three of the remaining hidden cards face up.
    Show { cards: Three },
    /// Play a card to the next position.
    Play { card: Card },
}

/// Cards that are given, or shown, at once.
const CARDS_OF_THREE: usize = 3;

/// Three different cards. JSON may list them in any order; they are written in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Three(CardSet);

impl Three {
    /// `None` unless the set has three cards.
    #[must_use]
    pub fn new(cards: CardSet) -> Option<Self> {
        (usize::from(cards.len()) == CARDS_OF_THREE).then_some(Self(cards))
    }

    #[must_use]
    pub fn set(self) -> CardSet {
        self.0
    }
}

impl<'de> Deserialize<'de> for Three {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = CardSet::deserialize(deserializer)?;
        Self::new(cards).ok_or_else(|| serde::de::Error::custom("name three different cards"))
    }
}

named_schema!(
    Three,
    "SerpentThree",
    schema::set_of::<Card>(CARDS_OF_THREE..=CARDS_OF_THREE, "Three different cards. They are read in any order."),
    with Card
);

/// JSON Schema of [`Action`].
pub fn schema() -> Value {
    let card = json!({"type": "string", "pattern": "^[A2-9TJQK][cdhs]$"});
    let three = |name: &str, title: &str| {
        json!({"type": "object", "title": title, "properties": {"type": {"const": name}, "cards": {
            "type": "array", "minItems": 3, "maxItems": 3, "uniqueItems": true, "items": card,
            "description": "In any order"}},
            "required": ["type", "cards"], "additionalProperties": false})
    };
    json!({"oneOf": [
        three("give", "Give three cards to the defender, face up"),
        three("show", "Turn three of your cards face up"),
        {"type": "object", "title": "Play a card", "properties": {"type": {"const": "play"}, "card": card},
            "required": ["type", "card"], "additionalProperties": false}
    ]})
}
