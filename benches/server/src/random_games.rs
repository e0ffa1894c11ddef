//! Random games of any rule set; `benches/rules.rs` has the same.

use pippost::rules::{Chance, Rules, Step, Words, offer};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The most actions of a game; the longest games take thousands.
const MAX_ACTIONS: usize = 400;

/// Plays one random game and returns its number of actions. Every action is taken from a new list of legal actions.
pub fn play_listed<R: Rules>(options: &R::Options, source: &mut ChaCha8Rng) -> usize {
    play::<R>(options, source, |position, words| offer::random(&R::legal(position), words))
}

/// The same without lists, as a program that searches for moves would play.
pub fn play_fast<R: Rules>(options: &R::Options, source: &mut ChaCha8Rng) -> usize {
    play::<R>(options, source, |position, words| R::random_action(position, words))
}

fn play<R: Rules>(
    options: &R::Options,
    source: &mut ChaCha8Rng,
    choose: impl Fn(&R::Position, &mut RandomWords) -> Option<R::Action>,
) -> usize {
    let mut dice = RandomWords::new(source.next_u64());
    let mut choices = RandomWords::new(source.next_u64());
    let mut position = start::<R>(options, &mut dice);
    for played in 0..MAX_ACTIONS {
        let Some(seat) = R::to_act(&position) else { return played };
        let action = choose(&position, &mut choices).expect("asked means able");
        R::act(&mut position, seat, &action, &mut Step::silent(Chance::Drawn(&mut dice))).expect("legal");
    }
    MAX_ACTIONS
}

/// A game with the fewest players that the options allow.
pub fn start<R: Rules>(options: &R::Options, dice: &mut impl Words) -> R::Position {
    let seats = *R::seats(options).start();
    R::start(options, seats, &mut Step::silent(Chance::Drawn(dice))).expect("chance")
}

/// Words from a generator that is faster than the protocol's.
pub struct RandomWords(ChaCha8Rng);

impl RandomWords {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl Words for RandomWords {
    fn next_word(&mut self) -> u32 {
        self.0.next_u32()
    }
}
