//! Describes events in sentences.

use super::action::Three;
use super::effect::Effect;
use super::position::{Position, SHORTEST_MATCH};
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

/// `the five of hearts`
fn called(card: Card) -> Sentence {
    Sentence::new("serpent-card").card("card", card)
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

/// What decided the match: the richest hand and the last one, and that the scores were equal before (SP5).
pub fn decided(position: &Position) -> Vec<Sentence> {
    let hands: Vec<_> =
        position.complete_hands().map(|(hand, director, _, scoring)| (hand, director, scoring)).collect();
    let Some((last, _, _)) = hands.last() else { return Vec::new() };
    // Of equal ones the first.
    let richest = hands.iter().rev().max_by_key(|(.., scoring)| scoring.points());
    let richest = richest.filter(|(hand, ..)| hand != last).map(|(hand, director, scoring)| {
        Sentence::new("serpent-decided-richest")
            .number("hand", *hand)
            .player("player", *director)
            .number("points", scoring.points())
    });
    let equal =
        (*last > SHORTEST_MATCH).then(|| Sentence::new("serpent-decided-equal").number("hands", last - 2));
    let scored = hands.last().map(|(hand, director, scoring)| Effect::Scored {
        hand: *hand,
        director: *director,
        pairs: scoring.pairs().collect(),
        runs: scoring.runs().collect(),
        points: scoring.points(),
    });
    let scored = sentences(None, scored.as_slice());
    richest.into_iter().chain(equal).chain(scored).collect()
}
