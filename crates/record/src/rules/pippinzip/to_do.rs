//! The sentence that tells the acting player what to do.

use super::position::Position;
use crate::rules::Sentence;

/// The sentence for the seat to act.
pub fn sentence(position: &Position) -> Sentence {
    if position.over {
        return Sentence::new("rules-over");
    }
    let key = match position.stones() {
        _ if position.in_auction() => "pippinzip-do-auction",
        (1, 1) => "pippinzip-do-one",
        _ if position.keeps_apart() => "pippinzip-do-apart",
        _ => "pippinzip-do-two",
    };
    Sentence::new(key).text("colour", position.colour().name())
}
