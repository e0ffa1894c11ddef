//! The view, the same for everybody, because nothing is hidden.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cell::Cell;
use super::field::Orientation;
use super::position::{self, Position};
use crate::rules::Seat;
use crate::rules::cards::Card;

/// What everybody sees of a game of Dominion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = DominionView)]
pub struct View {
    pub phase: Phase,
    /// The seat in turn, even while the defender decides; null when finished.
    pub current: Option<Seat>,
    /// Counted from 1; when finished, the last round played.
    pub round: u32,
    /// In dealing order.
    pub field: Vec<CellView>,
    /// The turned card of this turn.
    pub turned: Option<Card>,
    /// The number of attacks in this turn.
    pub attacks: u32,
    /// Only in phase `occupy`.
    pub pending: Option<Pending>,
    /// The number of cards in the stock.
    pub stock: u8,
    /// In the order turned.
    pub discards: Vec<Card>,
    /// Only in phase `deploy`, in the order rolled.
    #[schema(min_items = 2, max_items = 2)]
    pub dice: Option<[u8; 2]>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DominionPhase)]
pub enum Phase {
    Attack,
    Reinforce,
    Withdraw,
    Occupy,
    Advance,
    Deploy,
    Finished,
}

/// A cell: its card, owner and armies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = DominionCellView)]
pub struct CellView {
    pub cell: Cell,
    pub card: Card,
    pub orientation: Orientation,
    pub owner: Option<Seat>,
    pub armies: u8,
}

/// A conquest that waits for the winner's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = DominionPending)]
pub struct Pending {
    /// The cell that won.
    pub from: Cell,
    /// The conquered cell.
    pub to: Cell,
    pub winner: Seat,
    /// The most armies that can move in.
    pub max: u8,
}

/// The view of a position.
pub fn of(position: &Position) -> View {
    let (mut dice, mut pending) = (None, None);
    let phase = match position.phase {
        position::Phase::Attack => Phase::Attack,
        position::Phase::Reinforce => Phase::Reinforce,
        position::Phase::Withdraw => Phase::Withdraw,
        position::Phase::Occupy(conquest) => {
            let position::Conquest { from, to, winner } = conquest;
            pending = Some(Pending { from, to, winner, max: position.most_occupying(conquest) });
            Phase::Occupy
        }
        position::Phase::Advance => Phase::Advance,
        position::Phase::Rolling => Phase::Deploy,
        position::Phase::Deploy(roll) => {
            dice = Some(roll.0);
            Phase::Deploy
        }
        position::Phase::Finished(_) => Phase::Finished,
    };
    View {
        phase,
        current: (phase != Phase::Finished).then_some(position.current),
        round: position.round,
        field: position.field.cells().into_iter().map(|cell| cell_view(position, cell)).collect(),
        turned: position.turned,
        attacks: position.attacks,
        pending,
        stock: position.deck.stock(),
        discards: position.deck.discards().to_vec(),
        dice,
    }
}

fn cell_view(position: &Position, cell: Cell) -> CellView {
    let field = &position.field;
    CellView {
        cell,
        card: field.card(cell),
        orientation: field.orientation(cell),
        owner: field.owner(cell),
        armies: field.armies(cell),
    }
}
