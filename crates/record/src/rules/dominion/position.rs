//! The position: everything the rules remember of a game.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::deck::Deck;
use super::field::{FULL, Field};
use super::options::Options;
use super::snapshot::Snapshot;
use crate::rules::cards::Card;
use crate::rules::seat::MAX_SEATS;
use crate::rules::{PlayedOut, Seat};

/// A position of Dominion. It hides nothing and has no pointers, so it is cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Snapshot", into = "Snapshot")]
pub struct Position {
    pub options: Options,
    pub seats: u8,
    /// By seat; false beyond the game's seats.
    pub left: [bool; MAX_SEATS as usize],
    /// Counted from 1.
    pub round: u32,
    /// The seat in turn, even while another is to occupy.
    pub current: Seat,
    pub phase: Phase,
    pub field: Field,
    pub deck: Deck,
    /// The turned card of this turn: the last of the discards (DM4).
    pub turned: Option<Card>,
    /// The number of attacks in this turn.
    pub attacks: u32,
}

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The attack stage (DM3, DM8).
    Attack,
    /// A red king was turned (DM5).
    Reinforce,
    /// A black king was turned (DM6).
    Withdraw,
    /// The winner of a battle must move in or stay (DM9).
    Occupy(Conquest),
    Advance,
    /// The deploy stage before the roll. Only a preview can show it, because it stops before chance.
    Rolling,
    Deploy(Roll),
    Finished(Finish),
}

/// A cell that has just been conquered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conquest {
    /// The cell that won.
    pub from: Cell,
    /// The conquered cell.
    pub to: Cell,
    pub winner: Seat,
}

/// Two dice of a deploy roll, in the order rolled (DM11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Roll(pub [u8; 2]);

impl Roll {
    /// The highest rank that can be deployed to: the sum of the dice.
    #[must_use]
    pub fn max_rank(self) -> u8 {
        self.0[0] + self.0[1]
    }

    /// The most armies that can be deployed: 7 minus the lower die, which is the number on its underside.
    #[must_use]
    pub fn max_armies(self) -> u8 {
        7 - self.0[0].min(self.0[1])
    }
}

/// Why the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// One player owns every cell (DM13).
    Play,
    RoundLimit,
    /// Leaving or abort, which these rules do not decide.
    Outside,
}

impl Position {
    /// The seat to act.
    #[must_use]
    #[allow(clippy::wrong_self_convention, reason = "it converts nothing: the seat that is to act")]
    pub fn to_act(&self) -> Option<Seat> {
        match self.phase {
            Phase::Finished(_) => None,
            Phase::Occupy(conquest) => Some(conquest.winner),
            _ => Some(self.current),
        }
    }

    /// The seats that have not left, in order.
    pub fn staying(&self) -> impl Iterator<Item = Seat> + use<> {
        let left = self.left;
        Seat::all(self.seats).filter(move |seat| !left[seat.index()])
    }

    #[must_use]
    pub fn has_left(&self, seat: Seat) -> bool {
        self.left[seat.index()]
    }

    /// The seat in turn after this one: the next one that has not left.
    #[must_use]
    pub fn next_seat(&self) -> Seat {
        let current = self.current;
        self.staying().find(|seat| *seat > current).or_else(|| self.staying().next()).unwrap_or(current)
    }

    /// Whether the player may end the attack stage: before the card is turned, or after an attack (DM3, DM7).
    #[must_use]
    pub fn may_end_attack(&self) -> bool {
        self.turned.is_none() || self.attacks > 0
    }

    /// The most armies that can move into a conquered cell (DM9).
    #[must_use]
    pub fn most_occupying(&self, conquest: Conquest) -> u8 {
        self.field.armies(conquest.from).min(FULL - self.field.card(conquest.to).rank())
    }

    /// Base strength adjusted by the turned card (DM1, DM4).
    #[must_use]
    pub fn strength(&self, cell: Cell) -> i8 {
        let turned = self.turned.map_or(0, |turned| ruled(self.field.card(cell), turned));
        self.field.base_strength(cell).cast_signed() + turned
    }

    /// Ends the game and clears the state of the turn.
    pub fn finish(&mut self, finish: Finish) {
        self.phase = Phase::Finished(finish);
        self.turned = None;
        self.attacks = 0;
    }

    /// Ends the game for a reason outside the rules, unless it is over already.
    pub fn close(&mut self) {
        if !matches!(self.phase, Phase::Finished(_)) {
            self.finish(Finish::Outside);
        }
    }

    /// The reason, if play has ended the game.
    #[must_use]
    pub fn played_out(&self) -> Option<PlayedOut> {
        match self.phase {
            Phase::Finished(Finish::Play) => Some(PlayedOut::Play),
            Phase::Finished(Finish::RoundLimit) => Some(PlayedOut::RoundLimit),
            _ => None,
        }
    }
}

/// What a turned card adds to the strength of a card on the field (DM4).
fn ruled(card: Card, turned: Card) -> i8 {
    use crate::rules::cards::{KING, QUEEN};
    let same_colour = card.is_red() == turned.is_red();
    match turned.rank() {
        KING => 0,
        QUEEN => i8::from(same_colour),
        rank if rank != card.rank() => 0,
        _ if same_colour => 2,
        _ => -2,
    }
}
