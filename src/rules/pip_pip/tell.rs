//! What happened, in sentences.

use super::effect::Effect;
use super::position::Position;
use crate::rules::Seat;

/// One sentence for each thing that happened; `names` by seat.
pub fn sentences(_seat: Option<Seat>, effects: &[Effect], names: &[String]) -> Vec<String> {
    let name = |seat: Seat| names.get(seat.index()).map_or("somebody", String::as_str);
    let sentence = |effect: &Effect| match effect {
        Effect::Rolled { seat, die } => format!("{} rolled a {die}.", name(*seat)),
        Effect::Stored { seat, die } => format!("{} put the {die} into the store.", name(*seat)),
        Effect::Pulled { seat, die } => format!("{} took a {die} from the store.", name(*seat)),
        Effect::Placed { seat, cell, top, north } => {
            format!("{} placed a {top} on {cell} with {north} to the north.", name(*seat))
        }
        Effect::Converted { cells } => {
            let cells: Vec<_> = cells.iter().map(ToString::to_string).collect();
            match cells.as_slice() {
                [cell] => format!("The die on {cell} changed its colour."),
                [first @ .., last] => {
                    format!("The dice on {} and {last} changed their colour.", first.join(", "))
                }
                [] => String::new(),
            }
        }
    };
    effects.iter().map(sentence).collect()
}

/// What the seat in turn can do, in one sentence.
pub fn to_do(position: &Position) -> String {
    match position.rolled {
        Some(die) if position.may_store() => format!("You rolled a {die}: place it or store it."),
        Some(die) => format!("You rolled a {die}: place it."),
        None if position.may_roll() => "Roll a die, or take one from your store.".to_owned(),
        None => "Place a die from your store.".to_owned(),
    }
}
