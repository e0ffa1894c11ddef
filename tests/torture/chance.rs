//! Choices that follow from the seed of the run.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::time::Duration;

pub struct Dice(ChaCha20Rng);

impl Dice {
    /// Dice of one part of the run.
    pub fn of(seed: u64, part: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&part.to_le_bytes());
        Self(ChaCha20Rng::from_seed(key))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).expect("a small number");
        usize::try_from(self.0.next_u64() % limit).expect("a small number")
    }

    pub fn one_in(&mut self, limit: usize) -> bool {
        self.below(limit) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A time between two numbers of milliseconds.
    pub fn milliseconds(&mut self, least: usize, most: usize) -> Duration {
        let drawn = least + self.below(most - least);
        Duration::from_millis(u64::try_from(drawn).expect("a small number"))
    }
}
