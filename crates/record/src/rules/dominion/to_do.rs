//! The sentence that tells the acting player what to do.

use super::position::{Phase, Position};
use super::view;
use crate::rules::Sentence;
use crate::rules::cards::JACK;

/// The sentence for the seat to act.
pub fn sentence(position: &Position) -> Sentence {
    match position.phase {
        Phase::Attack if position.turned.is_none() => Sentence::new("dominion-do-turn"),
        Phase::Attack if position.attacks == 0 => Sentence::new("dominion-do-attack-first"),
        Phase::Attack => Sentence::new("dominion-do-attack-again"),
        Phase::Reinforce => Sentence::new("dominion-do-reinforce"),
        Phase::Withdraw => Sentence::new("dominion-do-withdraw"),
        Phase::Occupy(conquest) => {
            let most = view::of(position).pending.map_or(0, |pending| pending.max);
            Sentence::new("dominion-do-occupy")
                .text("to", conquest.to)
                .number("most", most)
                .text("from", conquest.from)
        }
        Phase::Advance => Sentence::new("dominion-do-advance"),
        Phase::Rolling => Sentence::new("dominion-do-roll"),
        Phase::Deploy(roll) => Sentence::new("dominion-do-deploy")
            .number("first", roll.0[0])
            .number("second", roll.0[1])
            .number("most", roll.max_armies())
            // The highest card on the field is the jack.
            .number("rank", roll.max_rank().min(JACK)),
        Phase::Finished(_) => Sentence::new("rules-over"),
    }
}
