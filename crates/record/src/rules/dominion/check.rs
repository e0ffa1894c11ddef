//! Decides whether an action is legal, and gives the player the reason if it is not.

use super::action::Action;
use super::cell::{Cell, CellSet};
use super::field::{FULL, MAX_STRENGTH};
use super::position::{Phase, Position, Roll};
use crate::rules::{Illegal, Seat, Sentence};

/// Whether `seat` may play `action` now.
pub fn legal(position: &Position, seat: Seat, action: Action) -> Result<(), Illegal> {
    if position.to_act() != Some(seat) {
        return Err(Illegal::new("dominion-not-your-choice"));
    }
    match (action, position.phase) {
        (Action::Turn {}, Phase::Attack) => turn(position),
        (Action::Reinforce { cell }, Phase::Reinforce) => reinforce(position, cell),
        (Action::Withdraw { cell }, Phase::Withdraw) => own(position, cell),
        (Action::Attack { from, to }, Phase::Attack) => attack(position, from, to),
        (Action::Occupy { armies }, Phase::Occupy(conquest)) => {
            let most = position.most_occupying(conquest);
            between("dominion-may-occupy", 0, armies, most)
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

/// What the game waits for, for a player who tries something else.
fn awaited(phase: Phase) -> &'static str {
    match phase {
        Phase::Attack => "dominion-awaits-attack",
        Phase::Reinforce => "dominion-awaits-reinforcement",
        Phase::Withdraw => "dominion-awaits-withdrawal",
        Phase::Occupy(_) => "dominion-awaits-occupation",
        Phase::Advance => "dominion-awaits-advance",
        Phase::Rolling => "dominion-awaits-roll",
        Phase::Deploy(_) => "dominion-awaits-deployment",
        Phase::Finished(_) => "dominion-awaits-nothing",
    }
}

/// Checks a number of armies; `key` names the rule.
fn between(key: &'static str, least: u8, armies: u8, most: u8) -> Result<(), Illegal> {
    if (least..=most).contains(&armies) {
        return Ok(());
    }
    let number = if (least, most) == (1, 1) { "one" } else { "many" };
    Err(Illegal::new(Sentence::new(key).text("number", number).number("least", least).number("most", most)))
}

fn off_field(cell: Cell) -> Illegal {
    Illegal::new(Sentence::new("dominion-off-field").text("cell", cell))
}

fn full(cell: Cell) -> Illegal {
    Illegal::new(Sentence::new("dominion-full").text("cell", cell).number("strength", FULL))
}

/// DM4; the attack stage offers this only while an attack is possible (DM3).
fn turn(position: &Position) -> Result<(), Illegal> {
    if position.turned.is_some() {
        return Err(Illegal::new("dominion-turned-already"));
    }
    Ok(())
}

/// DM3 and DM7.
fn end_attack(position: &Position) -> Result<(), Illegal> {
    if position.may_end_attack() {
        return Ok(());
    }
    Err(Illegal::new("dominion-attack-first"))
}

fn own(position: &Position, cell: Cell) -> Result<(), Illegal> {
    if position.field.owned_by(position.current).contains(cell) {
        return Ok(());
    }
    Err(Illegal::new(Sentence::new("dominion-not-yours").text("cell", cell)))
}

/// DM5: a king may make 14 of 13, but not 15 of 14.
pub fn takes_reinforcement(position: &Position, cell: Cell) -> bool {
    position.field.base_strength(cell) < MAX_STRENGTH
}

/// Whether a red king has any cell to reinforce (DM5).
pub fn any_to_reinforce(position: &Position) -> bool {
    position.field.owned_by(position.current).into_iter().any(|cell| takes_reinforcement(position, cell))
}

fn reinforce(position: &Position, cell: Cell) -> Result<(), Illegal> {
    own(position, cell)?;
    if takes_reinforcement(position, cell) {
        return Ok(());
    }
    let why = Sentence::new("dominion-strongest").text("cell", cell).number("strength", MAX_STRENGTH);
    Err(Illegal::new(why))
}

/// DM2 and DM8.
fn attack(position: &Position, from: Cell, to: Cell) -> Result<(), Illegal> {
    if position.turned.is_none() {
        return Err(Illegal::new("dominion-turn-first"));
    }
    own(position, from)?;
    let field = &position.field;
    if !field.cells().contains(to) {
        return Err(off_field(to));
    }
    if field.owner(to).is_none_or(|owner| owner == position.current) {
        return Err(Illegal::new(Sentence::new("dominion-no-enemy").text("cell", to)));
    }
    if !field.targets(position.current, from).contains(to) {
        return Err(Illegal::new(Sentence::new("dominion-out-of-reach").text("to", to).text("from", from)));
    }
    Ok(())
}

/// DM10.
fn advance(position: &Position, from: Cell, to: Cell, armies: u8) -> Result<(), Illegal> {
    own(position, from)?;
    own(position, to)?;
    let field = &position.field;
    if !CellSet::from(from).neighbours().contains(to) {
        return Err(Illegal::new(Sentence::new("dominion-not-next").text("to", to).text("from", from)));
    }
    if field.room(to) == 0 {
        return Err(full(to));
    }
    between("dominion-may-advance-there", 1, armies, field.armies(from).min(field.room(to)))
}

/// DM11.
fn deploy(position: &Position, roll: Roll, cell: Cell, armies: u8) -> Result<(), Illegal> {
    let field = &position.field;
    if !field.cells().contains(cell) {
        return Err(off_field(cell));
    }
    if field.owner(cell).is_some_and(|owner| owner != position.current) {
        return Err(Illegal::new(Sentence::new("dominion-others").text("cell", cell)));
    }
    if field.card(cell).rank() > roll.max_rank() {
        let why = Sentence::new("dominion-rank-too-high").number("most", roll.max_rank());
        return Err(Illegal::new(why.text("cell", cell).number("rank", field.card(cell).rank())));
    }
    if field.room(cell) == 0 {
        return Err(full(cell));
    }
    between("dominion-may-deploy-there", 1, armies, roll.max_armies().min(field.room(cell)))
}
