//! An event's effects, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cell::Cell;
use crate::rules::Seat;
use crate::rules::cards::Card;

/// An effect of Dominion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = DominionEffect)]
pub enum Effect {
    /// The field, in dealing order.
    Dealt { field: Vec<Card> },
    /// The card of the turn (DM4); `reshuffled` when the discard pile became the stock first.
    Turned { card: Card, reshuffled: bool },
    /// An attack (DM8); `losses` are the armies actually lost, attacker's then defender's.
    Battle {
        from: Cell,
        to: Cell,
        attacker: Seat,
        defender: Seat,
        advantage: i8,
        #[schema(min_items = 2, max_items = 2)]
        attacker_dice: [u8; 2],
        #[schema(min_items = 2, max_items = 2)]
        defender_dice: [u8; 2],
        #[schema(min_items = 2, max_items = 2)]
        losses: [u8; 2],
    },
    /// A cell has lost all its armies to `winner`, who decides whether to move in (DM9).
    Conquered { cell: Cell, winner: Seat },
    /// The armies now on a cell; no owner if there are none.
    Armies { cell: Cell, owner: Option<Seat>, armies: u8 },
    /// A deploy roll (DM11), in the order rolled.
    Dice {
        seat: Seat,
        #[schema(min_items = 2, max_items = 2)]
        dice: [u8; 2],
        max_rank: u8,
        max_armies: u8,
    },
    /// The seat gets its first choice in a stage of its turn (DM3).
    Stage { seat: Seat, stage: Stage },
}

/// The stages of a turn, in order (DM3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DominionStage)]
pub enum Stage {
    Attack,
    Advance,
    Deploy,
}
