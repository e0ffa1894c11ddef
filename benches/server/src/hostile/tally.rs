//! Counts the outcomes of attacks.

use std::collections::BTreeMap;
use std::fmt;

/// The outcome of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Status(u16),
    /// A code of the mail server's protocol.
    Reply(u16),
    /// The server closed the connection without an answer, or before its end.
    CutOff,
    /// The server did not accept the connection.
    NotTaken,
    /// No answer came in time.
    Silence,
    /// The attacker held the connection for as long as it wanted.
    Held,
}

impl Outcome {
    /// Whether the attacker got what it wanted.
    fn is_answered(self) -> bool {
        match self {
            Self::Status(code) | Self::Reply(code) => code < 400,
            Self::Held => true,
            Self::CutOff | Self::NotTaken | Self::Silence => false,
        }
    }

    /// Whether it was told why not.
    fn is_refused(self) -> bool {
        matches!(self, Self::Status(400..) | Self::Reply(400..))
    }
}

/// What became of an attack's attempts. Of the others there was no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub attempts: u64,
    pub answered: u64,
    pub refused: u64,
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(code) | Self::Reply(code) => write!(out, "{code}"),
            Self::CutOff => out.write_str("cut off"),
            Self::NotTaken => out.write_str("not taken"),
            Self::Silence => out.write_str("silence"),
            Self::Held => out.write_str("held"),
        }
    }
}

/// The most answers that are shown.
const MAX_FAULTS: usize = 10;

/// The outcomes of each attack.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    outcomes: BTreeMap<&'static str, BTreeMap<Outcome, u64>>,
    /// Answers that no attack may get: 5xx, except 503 with `Retry-After`.
    pub faults: u64,
    /// The first of them.
    pub shown: Vec<String>,
}

impl Tally {
    pub fn count(&mut self, attack: &'static str, outcome: Outcome) {
        *self.outcomes.entry(attack).or_default().entry(outcome).or_default() += 1;
    }

    pub fn fault(&mut self, attack: &'static str, asked: &str, answered: &str) {
        self.faults += 1;
        if self.shown.len() < MAX_FAULTS {
            self.shown.push(format!("{attack}: {asked} → {answered}"));
        }
    }

    /// The sum of several tallies.
    #[must_use]
    pub fn sum(tallies: &[Self]) -> Self {
        let mut sum = Self::default();
        for tally in tallies {
            for (attack, outcomes) in &tally.outcomes {
                for (outcome, count) in outcomes {
                    *sum.outcomes.entry(attack).or_default().entry(*outcome).or_default() += count;
                }
            }
            sum.faults += tally.faults;
            let room = MAX_FAULTS.saturating_sub(sum.shown.len());
            sum.shown.extend(tally.shown.iter().take(room).cloned());
        }
        sum
    }

    /// What became of an attack's attempts.
    #[must_use]
    pub fn sums(&self, attack: &str) -> Sums {
        let mut sums = Sums::default();
        for (outcome, count) in self.outcomes.get(attack).into_iter().flatten() {
            sums.attempts += count;
            sums.answered += if outcome.is_answered() { *count } else { 0 };
            sums.refused += if outcome.is_refused() { *count } else { 0 };
        }
        sums
    }

    /// An attack's outcomes, in words.
    #[must_use]
    pub fn told(&self, attack: &str) -> String {
        let outcomes = self.outcomes.get(attack).into_iter().flatten();
        outcomes.map(|(outcome, count)| format!("{outcome}: {count}")).collect::<Vec<_>>().join(", ")
    }
}
