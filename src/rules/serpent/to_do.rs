//! What is asked of the player to act, in a sentence.

use super::position::{Position, Stage};

/// One sentence.
pub fn sentence(position: &Position) -> String {
    match (position.stage, position.lead()) {
        _ if position.over => "The game is over.".to_owned(),
        (Stage::Give, _) => format!("Hand {}: give your opponent three of your nine cards.", position.hand),
        (Stage::Show, _) => "Lay three of your six cards face up; they stay yours.".to_owned(),
        (Stage::Play, Some(lead)) => {
            format!(
                "Play a card at {} that follows {lead} in suit or rank, if you can.",
                position.next_position()
            )
        }
        (Stage::Play, None) => format!("Lead any card at {}.", position.next_position()),
    }
}
