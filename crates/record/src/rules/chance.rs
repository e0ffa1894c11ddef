//! Chance as rules use it: the caller supplies random words, and PROTOCOL.md's "Chance" 4 maps them to dice and draws.

use super::chosen::Chosen;

/// A stream of uniformly distributed 32-bit words.
pub trait Words {
    fn next_word(&mut self) -> u32;
}

impl<F: FnMut() -> u32> Words for F {
    fn next_word(&mut self) -> u32 {
        self()
    }
}

/// The source of one event's chance.
pub enum Chance<'a> {
    /// The event's own seed is known.
    Drawn(&'a mut dyn Words),
    /// The seed is not published yet. A hidden deal can still be replayed; nothing else can be drawn.
    Sealed,
    /// The act is not accepted yet, or only previewed: stop before anything is drawn or revealed.
    Withheld,
    /// Somebody looks at what might happen, and says what each draw brings.
    Chosen(&'a mut Chosen),
}

impl Chance<'_> {
    /// The same chance, borrowed again.
    pub fn reborrow(&mut self) -> Chance<'_> {
        match self {
            Self::Drawn(words) => Chance::Drawn(&mut **words),
            Self::Sealed => Chance::Sealed,
            Self::Withheld => Chance::Withheld,
            Self::Chosen(chosen) => Chance::Chosen(chosen),
        }
    }
}

/// The rules asked for chance that is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the event draws from a seed that is not known here")]
pub struct NoChance;

/// `uniform(k)`: a number from 0 to `k` − 1, all equally likely, by rejection.
///
/// # Panics
/// If `k` is 0.
pub fn uniform(words: &mut dyn Words, k: u32) -> u32 {
    assert!(k > 0, "uniform(0) has no value");
    // 2^32 mod k, without leaving 32 bits.
    let excess = k.wrapping_neg() % k;
    loop {
        let word = words.next_word();
        // Accept words below 2^32 - excess.
        if word <= u32::MAX - excess {
            return word % k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_incomplete_last_round_are_rejected() {
        // 2^32 mod 3 = 1: only the last word is rejected.
        let mut queue = [u32::MAX, u32::MAX - 1].into_iter();
        let value = uniform(&mut || queue.next().expect("two words suffice"), 3);
        assert_eq!(value, (u32::MAX - 1) % 3);
        assert_eq!(queue.next(), None);
    }

    #[test]
    fn a_power_of_two_rejects_nothing_and_one_still_takes_a_word() {
        let mut taken = 0;
        assert_eq!(uniform(&mut || u32::MAX, 4), 3);
        let mut words = || {
            taken += 1;
            u32::MAX
        };
        assert_eq!(uniform(&mut words, 1), 0);
        assert_eq!(taken, 1);
    }
}
