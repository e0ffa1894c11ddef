//! Whether one action is legal, with the reason for the player if it is not.

use super::action::Action;
use super::cell::{Cell, CellSet};
use super::field::{FULL, MAX_STRENGTH};
use super::position::{Phase, Position, Roll};
use crate::rules::{Illegal, Seat};

/// Whether `seat` may play `action` now.
pub fn legal(position: &Position, seat: Seat, action: Action) -> Result<(), Illegal> {
    if position.to_act() != Some(seat) {
        return Err(Illegal::new("it is not this seat's choice"));
    }
    match (action, position.phase) {
        (Action::Turn {}, Phase::Attack) => turn(position),
        (Action::Reinforce { cell }, Phase::Reinforce) => reinforce(position, cell),
        (Action::Withdraw { cell }, Phase::Withdraw) => own(position, cell),
        (Action::Attack { from, to }, Phase::Attack) => attack(position, from, to),
        (Action::Occupy { armies }, Phase::Occupy(conquest)) => {
            let most = position.most_occupying(conquest);
            between(0, armies, most, "can move in")
        }
        (Action::Advance { from, to, armies }, Phase::Attack) => {
            end_attack(position)?;
            advance(position, from, to, armies)
        }
        (Action::Advance { from, to, armies }, Phase::Advance) => advance(position, from, to, armies),
        (Action::Deploy { cell, armies }, Phase::Deploy(roll)) => deploy(position, roll, cell, armies),
        (Action::Pass {}, Phase::Attack) => end_attack(position),
        (Action::Pass {}, Phase::Advance | Phase::Deploy(_)) => Ok(()),
        (_, phase) => Err(Illegal::new(awaited(phase))),
    }
}

/// What the game waits for, for one who tries something else.
fn awaited(phase: Phase) -> &'static str {
    match phase {
        Phase::Attack => "this is the attack stage: turn a card, attack, advance or pass",
        Phase::Reinforce => "a red king was turned: reinforce one of your cells",
        Phase::Withdraw => "a black king was turned: withdraw one army from one of your cells",
        Phase::Occupy(_) => "a cell was conquered: say how many armies occupy it, 0 to stay",
        Phase::Advance => "this is the advance stage: advance or pass",
        Phase::Rolling => "the deploy roll comes first",
        Phase::Deploy(_) => "this is the deploy stage: deploy or pass",
        Phase::Finished(_) => "the game is over",
    }
}

fn between(least: u8, armies: u8, most: u8, what: &str) -> Result<(), Illegal> {
    if (least..=most).contains(&armies) {
        return Ok(());
    }
    let number =
        if most == 1 && least == 1 { "1 army".to_owned() } else { format!("{least} to {most} armies") };
    Err(Illegal::new(format!("{number} {what}")))
}

/// DM4; the choice is in the attack stage only while an attack is possible (DM3).
fn turn(position: &Position) -> Result<(), Illegal> {
    if position.turned.is_some() {
        return Err(Illegal::new("a card is turned already: it is turned once a turn"));
    }
    Ok(())
}

/// DM3 and DM7.
fn end_attack(position: &Position) -> Result<(), Illegal> {
    if position.may_end_attack() {
        return Ok(());
    }
    Err(Illegal::new("a card is turned: at least one attack must be made first"))
}

fn own(position: &Position, cell: Cell) -> Result<(), Illegal> {
    if position.field.owned_by(position.current).contains(cell) {
        return Ok(());
    }
    Err(Illegal::new(format!("{cell} is not a cell of yours")))
}

/// DM5: a king may make 14 of 13, but not 15 of 14.
pub fn takes_reinforcement(position: &Position, cell: Cell) -> bool {
    position.field.base_strength(cell) < MAX_STRENGTH
}

/// Whether a red king has anything to ask for (DM5).
pub fn any_to_reinforce(position: &Position) -> bool {
    position.field.owned_by(position.current).into_iter().any(|cell| takes_reinforcement(position, cell))
}

fn reinforce(position: &Position, cell: Cell) -> Result<(), Illegal> {
    own(position, cell)?;
    if takes_reinforcement(position, cell) {
        return Ok(());
    }
    Err(Illegal::new(format!("{cell} has strength {MAX_STRENGTH} already")))
}

/// DM2 and DM8.
fn attack(position: &Position, from: Cell, to: Cell) -> Result<(), Illegal> {
    if position.turned.is_none() {
        return Err(Illegal::new("turn a card before you attack"));
    }
    own(position, from)?;
    let field = &position.field;
    if !field.cells().contains(to) {
        return Err(Illegal::new(format!("{to} is not on this field")));
    }
    if field.owner(to).is_none_or(|owner| owner == position.current) {
        return Err(Illegal::new(format!("{to} is not a cell of another player")));
    }
    if !field.targets(position.current, from).contains(to) {
        return Err(Illegal::new(format!("{to} is out of reach: look at how the card on {from} lies")));
    }
    Ok(())
}

/// DM10.
fn advance(position: &Position, from: Cell, to: Cell, armies: u8) -> Result<(), Illegal> {
    own(position, from)?;
    own(position, to)?;
    let field = &position.field;
    if !CellSet::from(from).neighbours().contains(to) {
        return Err(Illegal::new(format!("{to} is not next to {from}")));
    }
    if field.room(to) == 0 {
        return Err(Illegal::new(format!("{to} is full: its strength is {FULL} or more")));
    }
    between(1, armies, field.armies(from).min(field.room(to)), "can advance there")
}

/// DM11.
fn deploy(position: &Position, roll: Roll, cell: Cell, armies: u8) -> Result<(), Illegal> {
    let field = &position.field;
    if !field.cells().contains(cell) {
        return Err(Illegal::new(format!("{cell} is not on this field")));
    }
    if field.owner(cell).is_some_and(|owner| owner != position.current) {
        return Err(Illegal::new(format!("{cell} is occupied by another player")));
    }
    if field.card(cell).rank() > roll.max_rank() {
        return Err(Illegal::new(format!(
            "the dice allow a card of rank {} at most, and {cell} is of rank {}",
            roll.max_rank(),
            field.card(cell).rank()
        )));
    }
    if field.room(cell) == 0 {
        return Err(Illegal::new(format!("{cell} is full: its strength is {FULL} or more")));
    }
    between(1, armies, roll.max_armies().min(field.room(cell)), "can be deployed there")
}
