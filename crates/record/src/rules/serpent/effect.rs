//! An event's effects, as JSON; only public data.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::action::Three;
use crate::rules::Seat;
use crate::rules::cards::Card;

/// An effect of Serpent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = SerpentEffect)]
pub enum Effect {
    /// The number of hidden cards that each seat got.
    Dealt {
        hand: u32,
        director: Seat,
        #[schema(min_items = 2, max_items = 2)]
        counts: [u8; 2],
    },
    Given {
        cards: Three,
    },
    Shown {
        cards: Three,
    },
    Played {
        seat: Seat,
        position: u8,
        card: Card,
    },
    /// Positions ascending inside a group, groups ascending.
    Scored {
        hand: u32,
        director: Seat,
        pairs: Vec<[u8; 2]>,
        runs: Vec<Vec<u8>>,
        points: u32,
    },
}
