//! Example games for pages that explain a rule set: random play on a fixed stream of words, so every reader sees the same game.

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

/// The example game after so many moves, at most [`MAX_EXAMPLE_MOVES`], with the default options and the fewest players.
#[must_use]
pub fn example(rules: &dyn RuleSet, moves: usize) -> Option<Example> {
    let options = rules.complete_options(&Value::Object(Map::new())).ok()?;
    let seats = *rules.seats(&options).ok()?.start();
    let mut state = START;
    let mut words = move || {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        u32::try_from(state >> 32).unwrap_or_default()
    };
    let mut step = Step::new(Chance::Drawn(&mut words));
    let position = rules.start(&options, seats, &mut step).ok()?;
    let last = step.finish().effects;
    let mut example = Example { position, seats, last, told: Vec::new(), moves: 0 };
    while example.moves < moves.min(MAX_EXAMPLE_MOVES) && example.play(&mut words).is_some() {}
    Some(example)
}

impl Example {
    /// Plays one more move; `None` if the game is over.
    fn play(&mut self, words: &mut dyn Words) -> Option<()> {
        let seat = self.position.to_act()?;
        let action = self.position.random_action(words)?;
        let mut step = Step::new(Chance::Drawn(words));
        let action = self.position.act(seat, &action, &mut step).ok()?;
        self.last = step.finish().effects;
        self.told = self.position.tell(Some(seat), &action, &self.last);
        self.moves += 1;
        Some(())
    }
}
