//! The sentence that tells the acting player what to do.

use super::position::{Position, Stage};
use crate::rules::Sentence;

/// The sentence for the seat to act.
pub fn sentence(position: &Position) -> Sentence {
    match (position.stage, position.lead()) {
        _ if position.over => Sentence::new("rules-over"),
        (Stage::Give, _) => Sentence::new("serpent-do-give").number("hand", position.hand),
        (Stage::Show, _) => Sentence::new("serpent-do-show"),
        (Stage::Play, Some(lead)) => {
            Sentence::new("serpent-do-follow").number("position", position.next_position()).card("lead", lead)
        }
        (Stage::Play, None) => Sentence::new("serpent-do-lead").number("position", position.next_position()),
    }
}
