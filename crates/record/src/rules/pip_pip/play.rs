//! Decides what is legal and applies it (PP2 to PP6).

use super::action::Action;
use super::board::Cell;
use super::die::{Die, Face};
use super::effect::Effect;
use super::position::Position;
use crate::rules::{Ending, Halt, Illegal, NoChance, PlayedOut, Seat, Sentence, Step};

/// An empty board and the first roll (PP5).
pub fn start(step: &mut Step<'_>) -> Result<Position, NoChance> {
    let mut position = Position::empty();
    begin_turn(&mut position, step)?;
    Ok(position)
}

/// Plays one action of the seat in turn.
pub fn act(position: &mut Position, seat: Seat, action: &Action, step: &mut Step<'_>) -> Result<(), Halt> {
    if position.over || seat != position.turn {
        return Err(Illegal::new("rules-not-your-turn").into());
    }
    match *action {
        Action::Roll {} => {
            check_roll(position)?;
            roll(position, step)?;
        }
        Action::Store {} => {
            let die = check_store(position)?;
            let store = &mut position.stores[seat.index()];
            store.push(die);
            store.sort_unstable();
            position.rolled = None;
            step.effect(|| Effect::Stored { seat, die });
            roll(position, step)?;
        }
        Action::Place { cell, north } => {
            let top = check_place(position)?;
            let die = check_lying(position, cell, top, north)?;
            position.rolled = None;
            place(position, cell, die, step)?;
        }
        Action::Pull { die: top, cell, north } => {
            let index = check_pull(position, top)?;
            let die = check_lying(position, cell, top, north)?;
            position.stores[seat.index()].remove(index);
            step.effect(|| Effect::Pulled { seat, die: top });
            place(position, cell, die, step)?;
        }
    }
    Ok(())
}

fn check_roll(position: &Position) -> Result<(), Illegal> {
    if position.rolled.is_some() {
        return Err(Illegal::new("pip-pip-rolled-already"));
    }
    if !position.may_roll() {
        return Err(Illegal::new("pip-pip-must-pull"));
    }
    Ok(())
}

fn check_store(position: &Position) -> Result<Face, Illegal> {
    let die = position.rolled.ok_or_else(|| Illegal::new("pip-pip-nothing-to-store"))?;
    if !position.may_store() {
        return Err(Illegal::new("pip-pip-store-full"));
    }
    Ok(die)
}

fn check_place(position: &Position) -> Result<Face, Illegal> {
    position.rolled.ok_or_else(|| Illegal::new("pip-pip-nothing-rolled"))
}

fn check_pull(position: &Position, die: Face) -> Result<usize, Illegal> {
    if position.rolled.is_some() {
        return Err(Illegal::new("pip-pip-rolled-stays"));
    }
    let index = position.store().iter().position(|stored| *stored == die);
    index.ok_or_else(|| Illegal::new(Sentence::new("pip-pip-not-stored").text("die", die)))
}

fn check_lying(position: &Position, cell: Cell, top: Face, north: Face) -> Result<Die, Illegal> {
    if position.board.at(cell).is_some() {
        return Err(Illegal::new(Sentence::new("rules-taken").text("cell", cell)));
    }
    Die::new(top, north).ok_or_else(|| {
        let possible: Vec<_> = Die::orientations(top).map(|die| die.north.to_string()).collect();
        Illegal::new(Sentence::new("pip-pip-norths").text("top", top).text("possible", possible.join(", ")))
    })
}

fn roll(position: &mut Position, step: &mut Step<'_>) -> Result<(), NoChance> {
    let die = Face::new(step.die()?).expect("a die shows 1 to 6");
    position.rolled = Some(die);
    let seat = position.turn;
    step.effect(|| Effect::Rolled { seat, die });
    Ok(())
}

/// Places the die, converts others, and passes the turn.
fn place(position: &mut Position, cell: Cell, die: Die, step: &mut Step<'_>) -> Result<(), NoChance> {
    let seat = position.turn;
    let cells = position.board.place(cell, seat, die);
    step.effect(|| Effect::Placed { seat, cell, top: die.top, north: die.north });
    if !cells.is_empty() {
        step.effect(|| Effect::Converted { cells });
    }
    position.remaining[seat.index()] -= 1;
    if position.board.is_full() {
        position.over = true;
        return Ok(());
    }
    position.turn = seat.other();
    begin_turn(position, step)
}

/// A turn that begins with an empty store can only roll (PP5).
fn begin_turn(position: &mut Position, step: &mut Step<'_>) -> Result<(), NoChance> {
    if position.store().is_empty() { roll(position, step) } else { Ok(()) }
}

/// The higher score wins; equal scores share the first place (PP6).
pub fn ending(position: &Position) -> Option<Ending> {
    if !position.board.is_full() {
        return None;
    }
    let [light, dark] = position.board.scores();
    let standing = match light.cmp(&dark) {
        std::cmp::Ordering::Greater => vec![vec![Seat(0)], vec![Seat(1)]],
        std::cmp::Ordering::Less => vec![vec![Seat(1)], vec![Seat(0)]],
        std::cmp::Ordering::Equal => vec![vec![Seat(0), Seat(1)]],
    };
    Some(Ending { reason: PlayedOut::Play, standing })
}

/// All legal actions of the seat in turn: `roll`, `store`, then placements by cell and north face.
pub fn legal(position: &Position) -> Vec<Action> {
    let mut actions = Vec::new();
    if position.over {
        return actions;
    }
    if position.may_roll() {
        actions.push(Action::Roll {});
    }
    if position.may_store() {
        actions.push(Action::Store {});
    }
    if let Some(top) = position.rolled {
        let placements = placements(position, top);
        actions.extend(placements.map(|(cell, die)| Action::Place { cell, north: die.north }));
    } else {
        let mut dice = position.store().to_vec();
        dice.dedup();
        for top in dice {
            let placements = placements(position, top);
            actions.extend(placements.map(|(cell, die)| Action::Pull { die: top, cell, north: die.north }));
        }
    }
    actions
}

fn placements(position: &Position, top: Face) -> impl Iterator<Item = (Cell, Die)> {
    let cells = position.board.empty_cells();
    cells.flat_map(move |cell| Die::orientations(top).map(move |die| (cell, die)))
}
