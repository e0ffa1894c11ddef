//! Random choices, the same in every run.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use uuid::Uuid;

use pippost::keys::secret::sha256;

/// A stream of random choices.
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream with that name and number.
    #[must_use]
    pub fn new(name: &str, number: usize) -> Self {
        Self(ChaCha8Rng::from_seed(sha256(format!("{name} {number}").as_bytes())))
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = usize::try_from(self.0.next_u64() >> 16).unwrap_or_default();
        number.checked_rem(limit).unwrap_or_default()
    }

    /// One of `items`.
    ///
    /// # Panics
    /// There are none.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub fn uuid(&mut self) -> Uuid {
        let high = u128::from(self.0.next_u64()) << 64;
        Uuid::from_u128(high | u128::from(self.0.next_u64()))
    }

    /// Letters and digits.
    pub fn word(&mut self, length: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        (0..length).map(|_| char::from(*self.one_of(LETTERS))).collect()
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}
