//! Describes events in sentences.

use super::action::Three;
use super::effect::Effect;
use crate::rules::cards::Card;
use crate::rules::{Seat, Sentence};

/// One sentence for each effect; `seat` is the seat that acted.
pub fn sentences(seat: Option<Seat>, effects: &[Effect]) -> Vec<Sentence> {
    let sentence = |effect: &Effect| match effect {
        Effect::Dealt { hand, director, .. } => {
            Sentence::new("serpent-dealt").number("hand", *hand).player("player", *director)
        }
        Effect::Given { cards } => Sentence::new("serpent-given")
            .player("player", seat)
            .player("other", seat.map(Seat::other))
            .list("cards", three(*cards)),
        Effect::Shown { cards } => {
            Sentence::new("serpent-shown").player("player", seat).list("cards", three(*cards))
        }
        Effect::Played { seat, position, card } => Sentence::new("serpent-played")
            .player("player", *seat)
            .number("position", *position)
            .phrase("card", called(*card)),
        Effect::Scored { hand, director, points: 0, .. } => {
            Sentence::new("serpent-scored-nothing").number("hand", *hand).player("player", *director)
        }
        Effect::Scored { hand, director, pairs, runs, points } => Sentence::new("serpent-scored")
            .number("hand", *hand)
            .player("player", *director)
            .number("points", *points)
            .list("parts", parts(pairs.len(), runs)),
    };
    effects.iter().map(sentence).collect()
}

/// `the five of hearts (5h)`
fn called(card: Card) -> Sentence {
    Sentence::new("serpent-card").card("card", card).text("notation", card)
}

fn three(cards: Three) -> impl Iterator<Item = Sentence> {
    cards.set().iter().map(called)
}

/// The parts that scored points: `2 pairs`, `a run of 5`.
fn parts(pairs: usize, runs: &[Vec<u8>]) -> impl Iterator<Item = Sentence> {
    let pairs = (pairs > 0).then(|| Sentence::new("serpent-pairs").count("count", pairs));
    let lengths = runs.iter().map(Vec::len);
    let runs = (!runs.is_empty())
        .then(|| Sentence::new("serpent-runs").count("count", runs.len()).texts("lengths", lengths));
    [pairs, runs].into_iter().flatten()
}
