//! Describes events, and what the acting player can do, in sentences.

use super::board::Cell;
use super::effect::Effect;
use super::position::Position;
use crate::rules::{Seat, Sentence};

/// One sentence for each effect.
pub fn sentences(effects: &[Effect]) -> Vec<Sentence> {
    let sentence = |effect: &Effect| match effect {
        Effect::Rolled { seat, die } => {
            Sentence::new("pip-pip-rolled").player("player", *seat).text("die", die)
        }
        Effect::Stored { seat, die } => {
            Sentence::new("pip-pip-stored").player("player", *seat).text("die", die)
        }
        Effect::Pulled { seat, die } => {
            Sentence::new("pip-pip-pulled").player("player", *seat).text("die", die)
        }
        Effect::Placed { seat, cell, top, north } => Sentence::new("pip-pip-placed")
            .player("player", *seat)
            .text("cell", cell)
            .text("top", top)
            .text("north", north),
        Effect::Converted { cells } => {
            Sentence::new("pip-pip-converted").count("count", cells.len()).texts("cells", cells)
        }
    };
    effects.iter().map(sentence).collect()
}

/// What the seat in turn can do, in one sentence.
pub fn to_do(position: &Position) -> Sentence {
    match position.rolled {
        Some(die) if position.may_store() => Sentence::new("pip-pip-place-or-store").text("die", die),
        Some(die) => Sentence::new("pip-pip-place").text("die", die),
        None if position.may_roll() => Sentence::new("pip-pip-roll-or-pull"),
        None => Sentence::new("pip-pip-pull"),
    }
}

/// What decided the game: the dice of each seat on squares of its colour (PP6).
pub fn decided(position: &Position) -> Vec<Sentence> {
    let scored = |seat: Seat| {
        let on_own =
            Cell::all().filter(|cell| cell.colour() == seat).filter_map(|cell| position.board.at(cell));
        let mut tops: Vec<u8> =
            on_own.filter(|stone| stone.owner == seat).map(|stone| stone.die.top.number()).collect();
        tops.sort_unstable_by(|one, other| other.cmp(one));
        let points: i64 = tops.iter().map(|top| i64::from(*top)).sum();
        let tops: Vec<_> = tops.iter().map(u8::to_string).collect();
        let colour = if seat == Seat(0) { "light" } else { "dark" };
        Sentence::new("pip-pip-decided")
            .player("player", seat)
            .text("colour", colour)
            .count("dice", tops.len())
            .text("tops", tops.join(" + "))
            .number("points", points)
    };
    Seat::all(2).map(scored).collect()
}
