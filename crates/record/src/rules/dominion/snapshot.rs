//! The stored form of a position: short JSON, validated when it is read.

use serde::{Deserialize, Serialize};

use super::cell::{Cell, CellSet};
use super::deck::Deck;
use super::field::{Field, MAX_STRENGTH, may_lie_on_the_field};
use super::options::Options;
use super::position::{Phase, Position};
use crate::rules::Seat;
use crate::rules::cards::Card;
use crate::rules::seat::MAX_SEATS;

/// The JSON of a [`Position`]. The stock is every card that is not on the discard pile.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    pub options: Options,
    pub seats: u8,
    pub left: Vec<Seat>,
    pub round: u32,
    pub current: Seat,
    pub phase: Phase,
    /// Card, owner and armies of each cell, in dealing order.
    pub field: Vec<(Card, Option<Seat>, u8)>,
    pub discards: Vec<Card>,
    /// Whether the last of the discards is this turn's card.
    pub ruled: bool,
    pub attacks: u32,
}

impl From<Position> for Snapshot {
    fn from(position: Position) -> Self {
        let field = &position.field;
        let cells = field.cells().into_iter();
        Self {
            options: position.options,
            seats: position.seats,
            left: Seat::all(position.seats).filter(|seat| position.has_left(*seat)).collect(),
            round: position.round,
            current: position.current,
            phase: position.phase,
            field: cells.map(|cell| (field.card(cell), field.owner(cell), field.armies(cell))).collect(),
            discards: position.deck.discards().to_vec(),
            ruled: position.turned.is_some(),
            attacks: position.attacks,
        }
    }
}

/// Why a stored position is invalid.
type Impossible = &'static str;

impl TryFrom<Snapshot> for Position {
    type Error = Impossible;

    fn try_from(snapshot: Snapshot) -> Result<Self, Impossible> {
        if !snapshot.options.size.seats().contains(&snapshot.seats) {
            return Err("a game of this size has another number of seats");
        }
        let left = left(&snapshot)?;
        let deck = Deck::with_discards(&snapshot.discards).ok_or("a card is discarded twice")?;
        let turned = snapshot.discards.last().copied().filter(|_| snapshot.ruled);
        if snapshot.ruled && turned.is_none() {
            return Err("no card is turned that could rule");
        }
        let position = Self {
            options: snapshot.options,
            seats: snapshot.seats,
            left,
            round: snapshot.round,
            current: snapshot.current,
            phase: snapshot.phase,
            field: field(&snapshot)?,
            deck,
            turned,
            attacks: snapshot.attacks,
        };
        check_phase(&position)?;
        Ok(position)
    }
}

fn left(snapshot: &Snapshot) -> Result<[bool; MAX_SEATS as usize], Impossible> {
    let mut left = [false; MAX_SEATS as usize];
    for seat in snapshot.left.iter().chain([&snapshot.current]) {
        if seat.0 >= snapshot.seats {
            return Err("a seat is not of this game");
        }
    }
    for seat in &snapshot.left {
        left[seat.index()] = true;
    }
    Ok(left)
}

fn field(snapshot: &Snapshot) -> Result<Field, Impossible> {
    let cards: Vec<_> = snapshot.field.iter().map(|(card, ..)| *card).collect();
    if Deck::with_discards(&cards).is_none() || !cards.iter().copied().all(may_lie_on_the_field) {
        return Err("the field has a card twice, or a king or queen");
    }
    let mut field = Field::new(snapshot.options.size, &cards).ok_or("the field has another size")?;
    for (cell, (card, owner, armies)) in field.cells().into_iter().zip(&snapshot.field) {
        if owner.is_some() != (*armies > 0) {
            return Err("a cell is owned exactly when armies stand on it");
        }
        let Some(owner) = *owner else { continue };
        if owner.0 >= snapshot.seats || snapshot.left.contains(&owner) {
            return Err("armies belong to a seat that is in the game");
        }
        if card.rank().saturating_add(*armies) > MAX_STRENGTH {
            return Err("a cell is stronger than 14");
        }
        field.put(cell, owner, *armies);
    }
    Ok(field)
}

/// Checks the phase against the field, so that a seat to act always has a legal action.
fn check_phase(position: &Position) -> Result<(), Impossible> {
    let (field, current) = (&position.field, position.current);
    let own = field.owned_by(current);
    let possible = match position.phase {
        Phase::Finished(_) => return Ok(()),
        Phase::Rolling => false,
        Phase::Attack => field.can_attack(current),
        Phase::Reinforce => own.into_iter().any(|cell| field.base_strength(cell) < MAX_STRENGTH),
        Phase::Withdraw => !own.is_empty(),
        Phase::Occupy(conquest) => {
            let on_field = |cell: Cell| !(field.cells() & CellSet::from(cell)).is_empty();
            on_field(conquest.from)
                && on_field(conquest.to)
                && field.owner(conquest.from) == Some(conquest.winner)
                && field.owner(conquest.to).is_none()
        }
        Phase::Advance => field.can_advance(current),
        Phase::Deploy(roll) => roll.0.iter().all(|die| (1..=6).contains(die)),
    };
    let waits_for_who_left = position.to_act().is_some_and(|seat| position.has_left(seat));
    if !possible || waits_for_who_left || position.staying().count() < 2 {
        return Err("nobody can make the choice that the game waits for");
    }
    Ok(())
}
