//! Example games for pages that explain a rule set: random play, or prepared moves, on a fixed stream of words, so every reader sees the
//! same game.

use serde_json::{Map, Value};

use super::chance::{Chance, Words};
use super::erased::{Position, RuleSet};
use super::sentence::Sentence;
use super::step::Step;

/// The most moves of an example.
pub const MAX_EXAMPLE_MOVES: usize = 60;

/// A generator that nobody may predict is not needed here: the constants are Knuth's for MMIX.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = 1_442_695_040_888_963_407;
const START: u64 = 0x7069_7070_6f73_7431;

/// A position of the example game.
#[derive(Clone, Debug)]
pub struct Example {
    pub position: Box<dyn Position>,
    pub seats: u8,
    /// The effects of the last move.
    pub last: Vec<Value>,
    /// What the last move did.
    pub told: Vec<Sentence>,
    /// How many moves were made: fewer than asked for if the game was over before.
    pub moves: usize,
}

/// A prepared game that explains a rule set, with the default options and the fewest players. The text about the position before its
/// first move has the key `RULES-guide-0`, the one about the first move `RULES-guide-1`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Where the stream of its chance begins.
    pub seed: u64,
    /// The moves in notation.
    pub moves: &'static [&'static str],
}

impl Guide {
    /// No prepared game.
    pub const NONE: Self = Self { seed: START, moves: &[] };
}

/// A stream of words that is the same each time.
fn words_from(mut state: u64) -> impl Words {
    move || {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        u32::try_from(state >> 32).unwrap_or_default()
    }
}

fn start(rules: &dyn RuleSet, words: &mut dyn Words) -> Option<Example> {
    let options = rules.complete_options(&Value::Object(Map::new())).ok()?;
    let seats = *rules.seats(&options).ok()?.start();
    let mut step = Step::new(Chance::Drawn(words));
    let position = rules.start(&options, seats, &mut step).ok()?;
    let last = step.finish().effects;
    Some(Example { position, seats, last, told: Vec::new(), moves: 0 })
}

/// The example game after so many moves, at most [`MAX_EXAMPLE_MOVES`], with the default options and the fewest players.
#[must_use]
pub fn example(rules: &dyn RuleSet, moves: usize) -> Option<Example> {
    let mut words = words_from(START);
    let mut example = start(rules, &mut words)?;
    while example.moves < moves.min(MAX_EXAMPLE_MOVES) && example.play_any(&mut words).is_some() {}
    Some(example)
}

/// The prepared game after so many of its moves; `None` if there is none, or one of its moves is not possible.
#[must_use]
pub fn guided(rules: &dyn RuleSet, moves: usize) -> Option<Example> {
    let guide = rules.guide();
    let mut words = words_from(guide.seed);
    let mut example = start(rules, &mut words).filter(|_| !guide.moves.is_empty())?;
    for notation in guide.moves.iter().take(moves) {
        let action = example.position.read(notation).ok()?;
        example.play(&action, &mut words)?;
    }
    Some(example)
}

impl Example {
    /// Plays one more move at random; `None` if the game is over.
    fn play_any(&mut self, words: &mut dyn Words) -> Option<()> {
        self.position.to_act()?;
        let action = self.position.random_action(words)?;
        self.play(&action, words)
    }

    fn play(&mut self, action: &Value, words: &mut dyn Words) -> Option<()> {
        let seat = self.position.to_act()?;
        let mut step = Step::new(Chance::Drawn(words));
        let action = self.position.act(seat, action, &mut step).ok()?;
        self.last = step.finish().effects;
        self.told = self.position.tell(Some(seat), &action, &self.last);
        self.moves += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::all;

    #[test]
    fn every_move_of_every_prepared_game_is_possible() {
        let mut guides = 0;
        for rules in all() {
            let moves = rules.guide().moves.len();
            for step in 0..=moves {
                let shown = guided(rules, step).unwrap_or_else(|| panic!("{rules:?}: move {step}"));
                assert_eq!(shown.moves, step);
                assert!(shown.position.to_act().is_some(), "{rules:?}: over after {step}");
            }
            assert_eq!(guided(rules, usize::MAX).map(|last| last.moves), Some(moves), "{rules:?}");
            guides += 1;
        }
        assert!(guides >= 4);
    }
}
