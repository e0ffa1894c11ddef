//! Answers that are given in advance: how many armies occupy a conquered cell.

use super::action::Action;
use super::position::{Conquest, Phase, Position};

/// The most armies that are named: a cell holds fewer.
const MAX_KEPT: u8 = 13;

/// How many armies move into a conquered cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occupying {
    /// As many as can.
    All,
    None,
    /// As many as can, but so that this many stay.
    Keep(u8),
}

fn read(text: &str) -> Option<Occupying> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["occupy", "all"] => Some(Occupying::All),
        ["occupy", "none"] => Some(Occupying::None),
        ["occupy", "keep", kept] => kept.parse().ok().filter(|kept| *kept <= MAX_KEPT).map(Occupying::Keep),
        _ => None,
    }
}

/// Whether `text` is one of `occupy all`, `occupy none` and `occupy keep 2`.
pub fn is_answer(text: &str) -> bool {
    read(text).is_some()
}

/// The answer to a conquest that waits (DM9).
pub fn answer(position: &Position, text: &str) -> Option<Action> {
    let (occupying, Phase::Occupy(conquest)) = (read(text)?, &position.phase) else { return None };
    let conquest: Conquest = *conquest;
    let most = position.most_occupying(conquest);
    let armies = match occupying {
        Occupying::All => most,
        Occupying::None => 0,
        Occupying::Keep(kept) => most.min(position.field.armies(conquest.from).saturating_sub(kept)),
    };
    Some(Action::Occupy { armies })
}
