//! The cells, and buttons for numbers of armies, for turning and for passing: `b3`, `b4` attacks; `b2`, `4` deploys.

use super::action::Action;
use super::picture;
use super::view::View;
use crate::rules::{Button, Captions, Picks, Sentence, Target};

/// The targets of the picture.
pub fn of(view: &View, captions: &Captions<'_>) -> Vec<Target> {
    let cells = picture::cells(view).map(|(cell, area)| {
        Target::new(cell.cell, area, captions.say(picture::cell_in_words(cell, captions)))
    });
    cells.collect()
}

/// The targets of an action.
pub fn picks(action: Action) -> Picks {
    let armies = |armies: u8| armies.to_string();
    match action {
        Action::Turn {} => Picks::one("turn"),
        Action::Pass {} => Picks::one("pass"),
        Action::Reinforce { cell } | Action::Withdraw { cell } => Picks::one(cell),
        Action::Attack { from, to } => Picks::Ordered(vec![from.to_string(), to.to_string()]),
        Action::Occupy { armies } => Picks::one(armies),
        Action::Advance { from, to, armies: number } => {
            Picks::Ordered(vec![from.to_string(), to.to_string(), armies(number)])
        }
        Action::Deploy { cell, armies: number } => Picks::Ordered(vec![cell.to_string(), armies(number)]),
    }
}

/// Turning, passing, and numbers of armies.
pub fn button(target: &str) -> Option<Button> {
    match target {
        "turn" => Some(Button::new("dominion-button-turn")),
        "pass" => Some(Button::new("dominion-button-pass")),
        number => {
            let armies: u8 = number.parse().ok().filter(|armies: &u8| armies.to_string() == number)?;
            Some(Button::new(Sentence::of_count("dominion-button-armies", armies)))
        }
    }
}
