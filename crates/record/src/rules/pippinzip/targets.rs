//! The cells, picked one after the other, and the button to take; and the groups, which say how large they are.

use super::action::Action;
use super::board::Colour;
use super::picture;
use super::view::View;
use crate::rules::{Button, Captions, Group, Picks, Sentence, Target};

/// The most stones of a group that are named one by one.
const MOST_NAMED: usize = 6;

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

/// The groups of the picture, the largest first.
pub fn groups(view: &View, captions: &Captions<'_>) -> Vec<Group> {
    let areas = picture::cells(view);
    let board = picture::board(view);
    let colours = [Colour::Black, Colour::White];
    let groups = colours
        .into_iter()
        .flat_map(|colour| board.groups(colour).into_iter().map(move |group| (colour, group)));
    let mut parts: Vec<Group> = groups
        .map(|(colour, group)| {
            let label = match group.as_slice() {
                [first, .., last] if group.len() > MOST_NAMED => {
                    Sentence::new("pippinzip-group-large").text("first", first).text("last", last)
                }
                few => Sentence::new("pippinzip-group").texts("cells", few),
            };
            let label = label.count("count", group.len()).text("colour", colour.name());
            let own = areas.iter().filter(|(cell, ..)| group.contains(cell));
            Group { label: captions.say(label), areas: own.map(|(_, area, _)| *area).collect() }
        })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.areas.len()));
    parts
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
