//! What is asked of the player to act, in a sentence.

use super::position::Position;

/// One sentence.
pub fn sentence(position: &Position) -> String {
    let colour = position.colour().name();
    if position.over {
        return "The game is over.".to_owned();
    }
    if position.in_auction() {
        return format!(
            "The auction runs: place one to three {colour} stones, or take the position as it is."
        );
    }
    match position.stones() {
        (1, 1) => format!("Place one {colour} stone."),
        _ if position.keeps_apart() => format!("Place two {colour} stones that are not neighbours."),
        _ => format!("Place two {colour} stones."),
    }
}
