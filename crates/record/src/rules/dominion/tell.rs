//! Describes events in sentences.

use super::action::Action;
use super::effect::{Effect, Stage};
use crate::rules::cards::{Card, KING, QUEEN};
use crate::rules::{Seat, Sentence};

/// The sentences of one event. Consecutive `armies` effects share a sentence.
pub fn sentences(seat: Option<Seat>, action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
    let mut told = Vec::new();
    if let (Some(seat), Some(action)) = (seat, action) {
        told.extend(done(seat, *action, effects));
    }
    let blocks =
        effects.chunk_by(|one, other| matches!((one, other), (Effect::Armies { .. }, Effect::Armies { .. })));
    let mut rest = effects;
    for block in blocks {
        rest = &rest[block.len()..];
        told.extend(match block {
            [Effect::Armies { .. }, ..] => Some(armies(block)),
            [effect] => happened(seat, effect, rest.first()),
            _ => None,
        });
    }
    told
}

/// What the effects alone do not tell.
fn done(seat: Seat, action: Action, effects: &[Effect]) -> Option<Sentence> {
    let told = |key| Sentence::new(key).player("player", seat);
    Some(match action {
        // Their effects tell them.
        Action::Turn {} | Action::Attack { .. } => return None,
        Action::Reinforce { cell } => told("dominion-reinforced").text("cell", cell),
        Action::Withdraw { cell } => told("dominion-withdrew").text("cell", cell),
        Action::Occupy { armies } => told("dominion-occupied").number("armies", armies),
        Action::Advance { from, to, armies } => {
            told("dominion-advanced").number("armies", armies).text("from", from).text("to", to)
        }
        Action::Deploy { cell, armies } => {
            told("dominion-deployed").number("armies", armies).text("cell", cell)
        }
        Action::Pass {} => told("dominion-passed").text("next", passed_to(seat, effects)),
    })
}

/// What a `pass` led to for the same seat, as far as its first automatic step shows.
fn passed_to(seat: Seat, effects: &[Effect]) -> &'static str {
    match effects.first() {
        Some(Effect::Stage { seat: next, stage: Stage::Advance }) if *next == seat => "advance",
        Some(Effect::Dice { seat: next, .. }) if *next == seat => "deploy",
        _ => "others",
    }
}

/// Tells one effect other than `armies`; `then` is the one that follows it.
fn happened(seat: Option<Seat>, effect: &Effect, then: Option<&Effect>) -> Option<Sentence> {
    Some(match *effect {
        Effect::Dealt { ref field } => {
            Sentence::new("dominion-dealt").list("cards", field.iter().copied().map(Sentence::of_card))
        }
        Effect::Turned { card, reshuffled } => Sentence::new("dominion-turned")
            .text("reshuffled", if reshuffled { "yes" } else { "no" })
            .player("player", seat)
            .card("card", card)
            .phrase("means", meaning(card)),
        Effect::Battle { .. } => battle(effect)?,
        Effect::Conquered { cell, winner } => {
            Sentence::new("dominion-conquered").text("cell", cell).player("player", winner)
        }
        Effect::Dice { seat, dice: [first, second], max_rank, max_armies } => {
            let rolled = |key| {
                let rolled = Sentence::new(key).player("player", seat);
                rolled.number("first", first).number("second", second).number("rank", max_rank)
            };
            if then == Some(&(Effect::Stage { seat, stage: Stage::Deploy })) {
                rolled("dominion-rolled").number("armies", max_armies)
            } else {
                rolled("dominion-rolled-in-vain")
            }
        }
        // Told together, and with the dice.
        Effect::Armies { .. } | Effect::Stage { stage: Stage::Deploy, .. } => return None,
        Effect::Stage { seat, stage: Stage::Attack } => {
            Sentence::new("dominion-may-attack").player("player", seat)
        }
        Effect::Stage { seat, stage: Stage::Advance } => {
            Sentence::new("dominion-may-advance").player("player", seat)
        }
    })
}

/// The consequence of a turned card.
fn meaning(card: Card) -> Sentence {
    let colour = if card.is_red() { "red" } else { "black" };
    match card.rank() {
        KING if card.is_red() => Sentence::new("dominion-means-reinforce"),
        KING => Sentence::new("dominion-means-withdraw"),
        QUEEN => Sentence::new("dominion-means-colour").text("colour", colour),
        rank => {
            let ranks = Sentence::new("dominion-ranks").number("rank", rank);
            Sentence::new("dominion-means-rank").text("colour", colour).phrase("ranks", ranks)
        }
    }
}

fn battle(effect: &Effect) -> Option<Sentence> {
    let Effect::Battle { from, to, attacker, defender, advantage, attacker_dice, defender_dice, losses } =
        *effect
    else {
        return None;
    };
    let by = advantage.unsigned_abs();
    let (side, bonus) = match advantage {
        0 => ("even", String::new()),
        1.. => ("advantage", format!(" + {by}")),
        ..0 => ("disadvantage", format!(" - {by}")),
    };
    let [a, b] = attacker_dice;
    let [c, d] = defender_dice;
    let number = i16::from(a) + i16::from(b) + i16::from(advantage);
    let lost =
        |seat, armies: u8| Sentence::new("dominion-lost").player("player", seat).number("armies", armies);
    let result = match losses {
        [0, 0] => Sentence::new("dominion-lost-nothing"),
        [0, theirs] => lost(defender, theirs),
        [ours, _] => lost(attacker, ours),
    };
    Some(
        Sentence::new("dominion-attacked")
            .player("attacker", attacker)
            .player("defender", defender)
            .text("from", from)
            .text("to", to)
            .phrase("odds", Sentence::new("dominion-odds").text("side", side).number("by", by))
            .text("ours", format!("{a} + {b}{bonus} = {number}"))
            .text("theirs", format!("{c} + {d} = {}", c + d))
            .phrase("result", result),
    )
}

/// The armies on cells: `ann now has 3 armies on b4 and 1 army on c4; b3 is unoccupied.`
fn armies(block: &[Effect]) -> Sentence {
    // Owners in order of appearance, unoccupied cells last.
    let mut owners: Vec<Seat> = Vec::new();
    for effect in block {
        if let Effect::Armies { owner: Some(owner), .. } = *effect
            && !owners.contains(&owner)
        {
            owners.push(owner);
        }
    }
    let on = |wanted: Option<Seat>| {
        block.iter().filter_map(move |effect| match *effect {
            Effect::Armies { cell, owner, armies } if owner == wanted => Some((cell, armies)),
            _ => None,
        })
    };
    let owned = owners.into_iter().map(|owner| {
        let armies = on(Some(owner)).map(|(cell, armies)| {
            Sentence::new("dominion-armies-on").number("armies", armies).text("cell", cell)
        });
        Sentence::new("dominion-now-has").player("player", owner).list("armies", armies)
    });
    let free: Vec<_> = on(None).map(|(cell, _)| cell).collect();
    let unoccupied = (!free.is_empty())
        .then(|| Sentence::new("dominion-unoccupied").count("count", free.len()).texts("cells", free));
    Sentence::new("dominion-now").clauses("clauses", owned.chain(unoccupied))
}
