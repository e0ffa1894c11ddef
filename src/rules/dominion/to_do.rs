//! What is asked of the player to act, in a sentence.

use super::position::{Phase, Position};
use super::view;
use crate::rules::cards;

/// One sentence.
pub fn sentence(position: &Position) -> String {
    match position.phase {
        Phase::Attack if position.turned.is_none() => {
            "Turn a card to attack, advance, or pass on to the next stage.".to_owned()
        }
        Phase::Attack if position.attacks == 0 => "You turned a card: make at least one attack.".to_owned(),
        Phase::Attack => "Attack again, advance, or pass on to the next stage.".to_owned(),
        Phase::Reinforce => "A red king was turned: reinforce one of your cells by one army.".to_owned(),
        Phase::Withdraw => "A black king was turned: withdraw one army from one of your cells.".to_owned(),
        Phase::Occupy(conquest) => {
            let most = view::of(position).pending.map_or(0, |pending| pending.max);
            format!("You conquered {}: move in with 0 to {most} armies from {}.", conquest.to, conquest.from)
        }
        Phase::Advance => "Advance armies from one of your cells to the next, or pass.".to_owned(),
        Phase::Rolling => "Roll to deploy.".to_owned(),
        Phase::Deploy(roll) => format!(
            "You rolled {} and {}: deploy up to {} armies on a card no higher than {}, or pass.",
            roll.0[0],
            roll.0[1],
            roll.max_armies(),
            rank_name(roll.max_rank())
        ),
        Phase::Finished(_) => "The game is over.".to_owned(),
    }
}

/// Cards of the field go up to the jack.
fn rank_name(rank: u8) -> String {
    if rank >= cards::JACK { "the jack".to_owned() } else { rank.to_string() }
}
