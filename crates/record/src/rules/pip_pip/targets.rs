//! The cells, the stored dice and the buttons: `c6`, then `4n1` for a four with its one to the north, `4n1d` if the die is dark;
//! `pull5` first for a stored five.

use super::action::Action;
use super::board::Cell;
use super::die::{Die, Face};
use super::picture;
use super::position::Position;
use super::view::View;
use crate::rules::targets::FACE_SIDE;
use crate::rules::{Button, Captions, Picks, Picture, Seat, Sentence, Target};

/// The targets of the picture.
pub fn of(view: &View, captions: &Captions<'_>) -> Vec<Target> {
    let cells = Cell::all().map(|cell| {
        let label = match view.cells.get(&cell) {
            Some(lying) => captions.say(picture::lying(cell, *lying)),
            None => captions.say(Sentence::new("rules-free").text("cell", cell)),
        };
        Target::new(cell, picture::area(cell), label)
    });
    let mut targets: Vec<_> = cells.collect();
    for (face, area) in picture::dice_to_pull(view, captions.viewer()) {
        let label = captions.say(Sentence::new("pip-pip-target-stored").text("die", face));
        targets.push(Target::new(format!("pull{face}"), area, label));
    }
    targets
}

/// The targets of an action.
pub fn picks(position: &Position, action: &Action) -> Picks {
    let lies = |top: Face, north: Face| {
        let dark = if position.turn == Seat(0) { "" } else { "d" };
        format!("{top}n{north}{dark}")
    };
    match action {
        Action::Roll {} => Picks::one("roll"),
        Action::Store {} => Picks::one("store"),
        Action::Place { cell, north } => {
            // Only a rolled die can be placed.
            let lying = position.rolled.map(|top| lies(top, *north)).unwrap_or_default();
            Picks::Ordered(vec![cell.to_string(), lying])
        }
        Action::Pull { die, cell, north } => {
            Picks::Ordered(vec![format!("pull{die}"), cell.to_string(), lies(*die, *north)])
        }
    }
}

/// Rolling, storing, and the ways in which a die can lie.
pub fn button(target: &str) -> Option<Button> {
    match target {
        "roll" => return Some(Button::new("pip-pip-button-roll")),
        "store" => return Some(Button::new("pip-pip-button-store")),
        _ => {}
    }
    let (lying, owner) = target.strip_suffix('d').map_or((target, Seat(0)), |light| (light, Seat(1)));
    let (top, north) = lying.split_once('n')?;
    let die = Die::new(face(top)?, face(north)?)?;
    let label = Sentence::new("pip-pip-button-lies").text("north", die.north).text("east", die.east());
    let mut drawn = Picture { height: FACE_SIDE, ..Picture::default() };
    picture::draw_die(&mut drawn, die, owner);
    Some(Button { label: label.text("top", die.top), face: Some(drawn) })
}

fn face(digit: &str) -> Option<Face> {
    Face::new(digit.parse().ok()?).filter(|_| digit.len() == 1)
}
