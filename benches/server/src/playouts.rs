//! Random playouts of Zipline, as a program that searches for moves makes them; `benches/playouts.rs` has the same.

use pippost::rules::pippinzip::{Pippinzip, Position};
use pippost::rules::{Chance, Rules, Step, Words};

/// Zipline on a board of 11, nothing played yet.
///
/// # Panics
/// Never: the options are possible, and the game knows no chance.
#[must_use]
pub fn zipline_11() -> Position {
    let options = serde_json::from_str(r#"{"variant":"zipline","size":11}"#).expect("options");
    Pippinzip::start(&options, 2, &mut Step::silent(Chance::Withheld)).expect("no chance is needed")
}

/// Plays one random action; false when the game is over.
///
/// # Panics
/// Never: random actions are legal.
pub fn play_on(position: &mut Position, words: &mut impl Words) -> bool {
    let Some(seat) = Pippinzip::to_act(position) else { return false };
    let action = position.random_action(words).expect("asked means able");
    let mut step = Step::silent(Chance::Withheld);
    Pippinzip::act(position, seat, &action, &mut step).expect("random actions are legal");
    Pippinzip::ending(position).is_none()
}

/// From `start` to the win, which is looked for after every turn.
pub fn playout(start: &Position, words: &mut impl Words) -> Position {
    let mut position = start.clone();
    while play_on(&mut position, words) {}
    position
}
