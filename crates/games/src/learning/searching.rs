//! Searches single choices of a game that is over. A glance compares all actions; what looks like a mistake or a problem is checked by a
//! second search with other seeds and more random games, as many after each action. Pure.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::choices::PastChoice;
use super::problems::Answer;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use pippost_record::rules::{RuleSet, Seat};
use pippost_search::{Judged, NoChoice, Question, Seeded, every_action, judge, judge_alike};
use pippost_store::Seq;
use pippost_store::learning::TurningPointRow;

/// The random games of a glance.
const GLANCE_PLAYOUTS: u32 = 600;

/// The random games after an action that the glance has left out, because there were too many.
const LEFT_OUT_PLAYOUTS: u32 = 60;

/// The random games after each action in the second search.
const CHECK_PLAYOUTS: u32 = 800;

/// Changes the seed for the second search.
const OTHER_SEED: u64 = 0x7365_636f_6e64_2121;

/// An action lost the game if it cost at least so much of the chance of winning.
pub const MIN_FALL: f64 = 0.1;

/// A choice is a problem if its best action has at least so much more of a chance than every other.
pub const MIN_MARGIN: f64 = 0.15;

/// The most actions among which the best of a problem is looked for.
pub const MAX_ANSWERS: usize = 24;

/// Chances are kept in so many parts.
const PARTS: f64 = 1000.0;

/// What is the same for all choices of a game.
#[derive(Clone)]
pub(super) struct Search {
    pub game_id: Uuid,
    rules: &'static dyn RuleSet,
    options: Arc<Value>,
    seed: u64,
}

/// What a glance at a choice says.
pub(super) struct Glance {
    pub best: Value,
    /// How much of the chance the action that was played cost.
    pub fall: f64,
    /// How much better the best action is than the second; nothing if there are too many.
    pub margin: f64,
}

impl Glance {
    /// Whether a second search should look at it as a problem.
    pub fn may_be_problem(&self) -> bool {
        self.margin >= MIN_MARGIN
    }
}

/// What is found in a game.
#[derive(Default)]
pub(super) struct Found {
    pub lost: Vec<TurningPoint>,
    pub problem: Option<(Arc<PastChoice>, Vec<Answer>)>,
}

/// The action by which a seat lost the game.
#[derive(Clone, Debug, PartialEq)]
pub struct TurningPoint {
    pub seat: Seat,
    /// The event of the action.
    pub seq: Seq,
    /// What would have been better, in notation.
    pub better: String,
    /// The chance of winning after that, and after what was played: in thousandths.
    pub before: u16,
    pub after: u16,
}

impl TurningPoint {
    /// How much of the chance was lost.
    pub(super) fn fall(&self) -> f64 {
        f64::from(self.before) - f64::from(self.after)
    }

    pub(super) fn row(self, game_id: Uuid) -> TurningPointRow {
        let Self { seat, seq, better, before, after } = self;
        let stored = |chance: u16| i16::try_from(chance).unwrap_or(i16::MAX);
        let (chance_before, chance_after) = (stored(before), stored(after));
        TurningPointRow { game_id, seat: seat.0.into(), seq, better, chance_before, chance_after }
    }
}

impl Search {
    /// The search of a game. Its seeds follow from the game's id, so that it finds the same every time.
    pub fn of(live: &LiveGame) -> Self {
        let fixed = &live.fixed;
        let (_, seed) = fixed.id.as_u64_pair();
        let options = Arc::new(fixed.header.options.clone());
        Self { game_id: fixed.id, rules: fixed.rules, options, seed }
    }

    fn question<'a>(&'a self, choice: &'a PastChoice) -> Question<'a> {
        let PastChoice { situation, view, offers, .. } = choice;
        Question { rules: self.rules, options: &self.options, situation, view, offers }
    }

    fn words(&self, choice: &PastChoice) -> Seeded {
        Seeded::new(self.seed.wrapping_add(choice.seq.get()))
    }

    fn other_words(&self, choice: &PastChoice) -> Seeded {
        Seeded::new((self.seed ^ OTHER_SEED).wrapping_add(choice.seq.get()))
    }

    fn corrupt(&self, error: &NoChoice) -> GameError {
        GameError::Corrupt(self.game_id, error.to_string())
    }

    /// A first look at a choice.
    pub fn glance(&self, choice: &PastChoice) -> Result<Glance, GameError> {
        let (question, mut words) = (self.question(choice), self.words(choice));
        let judged = judge(&question, GLANCE_PLAYOUTS, &mut words).map_err(|error| self.corrupt(&error))?;
        let best = judged.first().ok_or_else(|| self.corrupt(&NoChoice::NothingListed))?.clone();
        let listed = judged.iter().find(|one| one.action == choice.played).map(|one| one.chance);
        let played = if let Some(chance) = listed {
            chance
        } else {
            let played = std::slice::from_ref(&choice.played);
            let alone = judge_alike(&question, played, LEFT_OUT_PLAYOUTS, &mut words);
            alone.map_err(|error| self.corrupt(&error))?.first().map_or(best.chance, |one| one.chance)
        };
        let second = judged.get(1).filter(|_| few_actions(choice).is_some());
        let margin = second.map_or(0.0, |second| best.chance - second.chance);
        let fall = if best.action == choice.played { 0.0 } else { best.chance - played };
        Ok(Glance { best: best.action, fall, margin })
    }

    /// Whether the action that was played is clearly worse than another, by the second search.
    pub fn check_fall(&self, choice: &PastChoice, best: &Value) -> Result<Option<TurningPoint>, GameError> {
        let actions = [best.clone(), choice.played.clone()];
        let judged = self.second(choice, &actions)?;
        let [before, after] = judged.as_slice() else { return Ok(None) };
        Ok((before.chance - after.chance >= MIN_FALL).then(|| TurningPoint {
            seat: choice.seat,
            seq: choice.seq.next(),
            better: choice.written(best),
            before: in_parts(before.chance),
            after: in_parts(after.chance),
        }))
    }

    /// All actions with their chances by the second search, the best first, if there are few and it agrees on the best one and how far
    /// that is ahead.
    pub fn check_problem(&self, choice: &PastChoice, best: &Value) -> Result<Option<Vec<Answer>>, GameError> {
        let Some(every) = few_actions(choice) else { return Ok(None) };
        let mut judged = self.second(choice, &every)?;
        judged.sort_by(|one, other| other.chance.total_cmp(&one.chance));
        let [first, second, ..] = judged.as_slice() else { return Ok(None) };
        if first.action != *best || first.chance - second.chance < MIN_MARGIN {
            return Ok(None);
        }
        let answer =
            |one: &Judged| Answer { notation: choice.written(&one.action), chance: in_parts(one.chance) };
        Ok(Some(judged.iter().map(answer).collect()))
    }

    fn second(&self, choice: &PastChoice, actions: &[Value]) -> Result<Vec<Judged>, GameError> {
        let (question, mut words) = (self.question(choice), self.other_words(choice));
        judge_alike(&question, actions, CHECK_PLAYOUTS, &mut words).map_err(|error| self.corrupt(&error))
    }
}

/// Every action of a choice, if they are few enough for a problem.
fn few_actions(choice: &PastChoice) -> Option<Vec<Value>> {
    every_action(&choice.offers).filter(|every| every.len() <= MAX_ANSWERS)
}

/// A chance in thousandths.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance is from 0 to 1")]
fn in_parts(chance: f64) -> u16 {
    (chance.clamp(0.0, 1.0) * PARTS).round() as u16
}
