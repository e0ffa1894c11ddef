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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Seeded;
    use pippost_record::rules::{self, Chance, Position, Seat, Situation, Step, Viewer};

    /// A game of Pippinzip in which seat 1 wins at once on c5.
    fn position(options: &Value) -> Box<dyn Position> {
        let rules = rules::find("pippinzip", None).expect("a rule set");
        let mut chance = Seeded::new(1);
        let begun = rules.start(options, 2, &mut Step::silent(Chance::Drawn(&mut chance)));
        let mut position = begun.expect("a game");
        for (seat, notation) in [(0, "c1 c2 c3"), (1, "take"), (0, "a5"), (1, "c4"), (0, "a4")] {
            let action = position.read(notation).expect("a move");
            let mut step = Step::silent(Chance::Drawn(&mut chance));
            position.act(Seat(seat), &action, &mut step).expect("a legal move");
        }
        position
    }

    #[test]
    fn a_win_at_once_is_judged_best_by_both_searches_whatever_the_seed() {
        let rules = rules::find("pippinzip", None).expect("a rule set");
        let options = rules.complete_options(&json!({"variant": "pipline", "size": 5})).expect("options");
        let position = position(&options);
        let situation = Situation { seats: 2, to_act: Seat(1), left: Vec::new() };
        let (view, offers) = (position.view(Viewer::Seat(Seat(1))), position.legal());
        let every = every_action(&offers).expect("one cell each");
        assert_eq!((offers.len(), every.len()), (1, 25 - 6), "one entry for all free cells");
        let options = &options;
        let question = Question { rules, options, situation: &situation, view: &view, offers: &offers };
        let win = position.read("c5").expect("a move");
        for seed in 0..4 {
            let judged = judge(&question, 400, &mut Seeded::new(seed)).expect("a judgement");
            assert_eq!((judged.len(), &judged[0].action), (every.len(), &win));
            assert!((judged[0].chance - 1.0).abs() < 1e-9, "{judged:?}");
            let alike = judge_alike(&question, &every, 50, &mut Seeded::new(seed)).expect("a judgement");
            for (one, action) in alike.iter().zip(&every) {
                assert_eq!(&one.action, action, "in the order given");
                assert!((one.chance > 0.99) == (one.action == win), "{one:?}");
            }
        }
        let once = |seed| judge(&question, 100, &mut Seeded::new(seed)).expect("a judgement");
        assert_eq!(once(5), once(5));
    }
}
