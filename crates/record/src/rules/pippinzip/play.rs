//! Decides what is legal and applies it (PZ1 to PZ7).

use super::action::{Action, Placement};
use super::cell::Cell;
use super::effect::Effect;
use super::options::Variant;
use super::position::Position;
use crate::rules::offer::Selection;
use crate::rules::{Choose, Ending, Halt, Illegal, Offer, PlayedOut, Seat, Sentence, Step};

/// Plays one action of the seat in turn.
pub fn act(position: &mut Position, seat: Seat, action: Action, step: &mut Step<'_>) -> Result<(), Halt> {
    if position.over || seat != position.turn {
        return Err(Illegal::new("rules-not-your-turn").into());
    }
    match action {
        Action::Take {} => take(position, step)?,
        Action::Place { cells } => {
            check_place(position, cells.as_slice())?;
            place(position, cells, step);
        }
    }
    Ok(())
}

/// The taker gets the auction's colour, and the other seat moves (PZ2).
fn take(position: &mut Position, step: &mut Step<'_>) -> Result<(), Illegal> {
    if !position.in_auction() {
        return Err(Illegal::new("pippinzip-nothing-to-take"));
    }
    let taker = position.turn;
    let pip = match position.variant {
        Variant::Pipline => taker,
        Variant::Zipline | Variant::Freestyle => taker.other(),
    };
    position.pip = Some(pip);
    position.turn = taker.other();
    step.effect(|| Effect::Roles { pip, zip: pip.other() });
    Ok(())
}

fn check_place(position: &Position, cells: &[Cell]) -> Result<(), Illegal> {
    for cell in cells {
        if !position.board.empty().has(*cell) {
            return Err(why_not_empty(position, *cell));
        }
    }
    let (least, most) = position.stones();
    match *cells {
        [first] if least > 1 => check_alone(position, first),
        [first, second] if most > 1 && position.keeps_apart() && first.touches(second) => Err(Illegal::new(
            Sentence::new("pippinzip-neighbours").text("first", first).text("second", second),
        )),
        _ if cells.len() > most => {
            Err(Illegal::new(Sentence::new("pippinzip-most").count("most", most).count("count", cells.len())))
        }
        _ => Ok(()),
    }
}

fn why_not_empty(position: &Position, cell: Cell) -> Illegal {
    if position.board.contains(cell) {
        return Illegal::new(Sentence::new("rules-taken").text("cell", cell));
    }
    let last = position.board.size().length() - 1;
    let last = Cell::at(last, last);
    Illegal::new(Sentence::new("pippinzip-off-board").text("cell", cell).text("last", last))
}

/// A single stone instead of two is legal only if no second one is (PZ4).
fn check_alone(position: &Position, first: Cell) -> Result<(), Illegal> {
    if position.seconds(first).is_empty() {
        return Ok(());
    }
    Err(Illegal::new(Sentence::new("pippinzip-second").text("first", first)))
}

/// The whole action is placed before it is checked for a win (PZ4, PZ5).
fn place(position: &mut Position, cells: Placement, step: &mut Step<'_>) {
    let (seat, colour) = (position.turn, position.colour());
    let mut wins = false;
    for cell in cells.as_slice() {
        wins |= position.board.place(*cell, colour);
    }
    step.effect(|| Effect::Placed { seat, colour, cells });
    if wins {
        step.effect(|| Effect::Connected { colour, cells: position.board.winning_group(colour) });
        position.winner = Some(seat);
        position.over = true;
    } else {
        position.turn = seat.other();
    }
}

/// The player who completed a winning group wins (PZ5, PZ6); a full board always has one (PZ7).
pub fn ending(position: &Position) -> Option<Ending> {
    let winner = position.winner?;
    Some(Ending { reason: PlayedOut::Play, standing: vec![vec![winner], vec![winner.other()]] })
}

/// All legal actions of the seat in turn: placements with the usual number of stones, then single first stones that allow no
/// second (PZ4), then `take` (PZ1).
pub fn legal(position: &Position) -> Vec<Offer<Action>> {
    if position.over {
        return Vec::new();
    }
    let empty = position.board.empty();
    let (least, most) = position.stones();
    let must_stay_alone = |cell: &Cell| least > 1 && position.seconds(*cell).is_empty();
    // A cell that allows no second stone is a neighbour of every other empty cell, so it cannot be half of a pair.
    let from: Vec<_> = empty.iter().filter(|cell| !must_stay_alone(cell)).collect();
    let mut offers = Vec::new();
    if from.len() >= least {
        offers.push(choose(least, most.min(from.len()), &from, position.keeps_apart() && most > 1));
    }
    let alone = empty.iter().filter(must_stay_alone);
    offers.extend(alone.map(|cell| Offer::Action(Action::Place { cells: Placement::one(cell) })));
    if position.in_auction() {
        offers.push(Offer::Action(Action::Take {}));
    }
    offers
}

fn choose(least: usize, most: usize, from: &[Cell], apart: bool) -> Offer<Action> {
    let from = from.iter().map(ToString::to_string).collect();
    let pick = Selection { member: "cells".to_owned(), least, most, from, apart };
    Offer::Choose(Choose { kind: "place".to_owned(), choose: pick })
}
