//! The cells, picked one after the other, and the button to take.

use super::action::Action;
use super::picture;
use super::view::View;
use crate::rules::{Button, Captions, Picks, Sentence, Target};

/// The targets of the picture.
pub fn of(view: &View, captions: &Captions<'_>) -> Vec<Target> {
    let cells = picture::cells(view).into_iter().map(|(cell, area, stone)| {
        let label = match stone {
            Some(colour) => {
                Sentence::new("pippinzip-target-stone").text("cell", cell).text("colour", colour.name())
            }
            None => Sentence::new("rules-free").text("cell", cell),
        };
        Target::new(cell, area, captions.say(label))
    });
    cells.collect()
}

/// The targets of an action.
pub fn picks(action: Action) -> Picks {
    match action {
        Action::Take {} => Picks::one("take"),
        Action::Place { cells } => Picks::Ordered(cells.as_slice().iter().map(ToString::to_string).collect()),
    }
}

/// Taking.
pub fn button(target: &str) -> Option<Button> {
    (target == "take").then(|| Button::new("pippinzip-button-take"))
}
