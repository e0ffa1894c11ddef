//! Chooses an action, and judges actions: at random, or by Monte-Carlo search. It knows what a player's view shows, and any rule set by its
//! interface alone; so it serves bots, and whatever looks at games that are over.
#![forbid(unsafe_code)]

mod judging;
mod monte_carlo;
mod strength;

pub use judging::{Judged, every_action, judge, judge_alike};
pub use monte_carlo::{MAX_CANDIDATES, MAX_WORLDS, NoChoice, Question, monte_carlo, random};
pub use strength::Strength;

use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use pippost_record::rules::Words;

/// How to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Any legal action.
    Random,
    /// The action after which random games end best.
    MonteCarlo(Effort),
}

/// How much one choice may cost; the smaller of both decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    pub playouts: u32,
    /// `None` for no limit: then a choice depends on nothing but the question and the seed.
    pub time_limit: Option<Duration>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { playouts: DEFAULT_PLAYOUTS, time_limit: Some(Duration::from_millis(DEFAULT_TIME_MILLIS)) }
    }
}

/// The most random games before a choice, unless the settings say otherwise.
pub const DEFAULT_PLAYOUTS: u32 = 10_000;

/// The longest thought before a choice, in milliseconds, unless the settings say otherwise.
pub const DEFAULT_TIME_MILLIS: u64 = 500;

/// How many random games are played between two looks at the time.
const PLAYOUTS_PER_LOOK: u32 = 16;

/// Random words for choices; equal seeds give equal words.
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// The words of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl Words for Seeded {
    fn next_word(&mut self) -> u32 {
        self.0.next_u32()
    }
}

impl Strategy {
    /// One listed action.
    ///
    /// # Errors
    /// [`NoChoice`].
    pub fn choose(
        self,
        question: &Question<'_>,
        words: &mut impl Words,
    ) -> Result<serde_json::Value, NoChoice> {
        match self {
            Self::Random => random(question.offers, words),
            Self::MonteCarlo(Effort { playouts, time_limit }) => {
                let began = Instant::now();
                let mut asked = 0_u32;
                let go_on = || {
                    asked = asked.wrapping_add(1);
                    let look = asked.is_multiple_of(PLAYOUTS_PER_LOOK);
                    !look || time_limit.is_none_or(|limit| began.elapsed() < limit)
                };
                monte_carlo(question, playouts, words, go_on)
            }
        }
    }
}
