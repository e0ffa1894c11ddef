//! What happened, in sentences.

use super::action::Three;
use super::effect::Effect;
use crate::rules::Seat;
use crate::rules::cards::Card;

/// One sentence for each thing that happened; `names` by seat, `seat` who acted.
pub fn sentences(seat: Option<Seat>, effects: &[Effect], names: &[String]) -> Vec<String> {
    let name = |seat: Seat| names.get(seat.index()).map_or("somebody", String::as_str);
    let director = seat.map_or("The director", name);
    let sentence = |effect: &Effect| match effect {
        Effect::Dealt { hand, director, .. } => {
            format!("Hand {hand} is dealt; {} directs it.", name(*director))
        }
        Effect::Given { cards } => {
            let defender = seat.map_or("the defender", |seat| name(seat.other()));
            format!("{director} gave {defender} {}, face up.", three(*cards))
        }
        Effect::Shown { cards } => format!("{director} turned up {}.", three(*cards)),
        Effect::Played { seat, position, card } => {
            format!("{} played {} at position {position}.", name(*seat), called(*card))
        }
        Effect::Scored { hand, director, pairs, runs, points } => {
            let won = score(*points, pairs.len(), runs);
            format!("Hand {hand} is complete and brought {} {won}.", name(*director))
        }
    };
    effects.iter().map(sentence).collect()
}

/// `the five of hearts (5h)`
fn called(card: Card) -> String {
    format!("the {} ({card})", card.name())
}

fn three(cards: Three) -> String {
    let names: Vec<_> = cards.set().iter().map(called).collect();
    match names.as_slice() {
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

/// `9 points with 2 pairs and a run of 5`
fn score(points: u32, pairs: usize, runs: &[Vec<u8>]) -> String {
    let pairs = match pairs {
        0 => None,
        1 => Some("a pair".to_owned()),
        more => Some(format!("{more} pairs")),
    };
    let lengths: Vec<_> = runs.iter().map(|run| run.len().to_string()).collect();
    let runs = match lengths.as_slice() {
        [] => None,
        [only] => Some(format!("a run of {only}")),
        [first @ .., last] => Some(format!("runs of {} and {last}", first.join(", "))),
    };
    let parts: Vec<_> = [pairs, runs].into_iter().flatten().collect();
    match points {
        0 => "no points".to_owned(),
        points => format!("{points} points with {}", parts.join(" and ")),
    }
}
