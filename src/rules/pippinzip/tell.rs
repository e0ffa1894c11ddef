//! What happened, in sentences.

use super::board::Colour;
use super::cell::Cell;
use super::effect::Effect;
use crate::rules::Seat;

/// One sentence for each thing that happened; `names` by seat.
pub fn sentences(effects: &[Effect], names: &[String]) -> Vec<String> {
    let name = |seat: Seat| names.get(seat.index()).map_or("somebody", String::as_str);
    let sentence = |effect: &Effect| match effect {
        Effect::Placed { seat, colour, cells } => {
            format!("{} placed {}.", name(*seat), stones(*colour, cells.as_slice()))
        }
        Effect::Roles { pip, zip } => format!(
            "The auction is over: {} is Pip and plays black, {} is Zip and plays white.",
            name(*pip),
            name(*zip)
        ),
        Effect::Connected { colour, cells } => {
            let sides = match colour {
                Colour::Black => "two opposite sides",
                Colour::White => "all four sides",
            };
            let from_to = match cells.as_slice() {
                [first, .., last] => format!(", from {first} to {last},"),
                _ => String::new(),
            };
            format!("A chain of {} {} stones{from_to} joins {sides}.", cells.len(), colour.name())
        }
    };
    effects.iter().map(sentence).collect()
}

fn stones(colour: Colour, cells: &[Cell]) -> String {
    let colour = colour.name();
    match cells {
        [cell] => format!("a {colour} stone on {cell}"),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(ToString::to_string).collect();
            format!("{colour} stones on {} and {last}", first.join(", "))
        }
        [] => String::new(),
    }
}
