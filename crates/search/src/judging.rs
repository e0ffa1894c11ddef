//! Judges the actions of a choice one by one: what the chance of the player is after each.

use serde::Deserialize;
use serde_json::Value;

use super::monte_carlo::{Candidate, NoChoice, Question, Values, candidates, search, value_of, world};
use pippost_record::rules::{Choose, Words};

/// Every legal action of a list, one by one; `None` if an entry stands for more than a choice of one thing.
#[must_use]
pub fn every_action(offers: &[Value]) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    for offer in offers {
        match Choose::deserialize(offer) {
            Ok(choice) if choice.choose.most == 1 => all.extend(choice.examples()),
            Ok(_) => return None,
            Err(_) => all.push(offer.clone()),
        }
    }
    Some(all)
}

/// An action, and how random games ended after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub action: Value,
    /// From 0, if the player lost all of them, to 1.
    pub chance: f64,
}

/// Judges what a search of so many random games compares: those actions best that it has looked at most. The first is its choice.
///
/// # Errors
/// [`NoChoice`].
pub fn judge(
    question: &Question<'_>,
    playouts: u32,
    words: &mut impl Words,
) -> Result<Vec<Judged>, NoChoice> {
    let candidates = candidates(question.offers, words);
    let mut found = search(question, candidates, playouts, words, || true)?;
    found.sort_by(|one, other| other.final_order().total_cmp(&one.final_order()));
    Ok(found.into_iter().map(judged).collect())
}

/// Judges these legal actions by equally many random games after each, dealt alike, so that none is favoured; in the order given.
///
/// # Errors
/// [`NoChoice::NoSuchPosition`].
pub fn judge_alike(
    question: &Question<'_>,
    actions: &[Value],
    games_of_each: u32,
    words: &mut impl Words,
) -> Result<Vec<Judged>, NoChoice> {
    let mut all: Vec<Values> = actions.iter().map(|_| Values::default()).collect();
    let mut worlds = Vec::new();
    for number in 0..games_of_each {
        let world = world(question, &mut worlds, number as usize, words)?;
        for (action, values) in actions.iter().zip(&mut all) {
            values.add(value_of(question, world, action, words));
        }
    }
    let each = actions.iter().cloned().zip(all);
    Ok(each.map(|(action, values)| judged(Candidate { action, values })).collect())
}

fn judged(candidate: Candidate) -> Judged {
    Judged { chance: candidate.values.mean(), action: candidate.action }
}
