//! The errors of rules: unreadable, illegal, impossible.

use super::chance::NoChance;
use super::sentence::Sentence;

/// The most actions that a sentence lists as possible meanings.
pub const MAX_CANDIDATES_TOLD: usize = 12;

/// The action was parsed but is not legal now. The sentence is for the player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not legal: {0}")]
pub struct Illegal(pub Sentence);

impl Illegal {
    /// An [`Illegal`] with this reason.
    pub fn new(why: impl Into<Sentence>) -> Self {
        Self(why.into())
    }
}

/// Why [`super::Rules::act`] stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    #[error(transparent)]
    Illegal(#[from] Illegal),
    #[error(transparent)]
    NoChance(#[from] NoChance),
}

/// Notation or JSON that is no action of these rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read this: {why}")]
pub struct Unreadable {
    /// The position where parsing stopped, in characters from the start; `None` for JSON.
    pub at: Option<usize>,
    /// What was expected, for the player.
    pub why: Sentence,
}

/// The key of the reason for text behind a complete action.
pub const GOES_ON: &str = "rules-goes-on";

impl Unreadable {
    /// Parsing stopped `at` characters from the start.
    pub fn at(at: usize, why: impl Into<Sentence>) -> Self {
        Self { at: Some(at), why: why.into() }
    }

    /// The text has more than `most` characters.
    #[must_use]
    pub fn too_long(most: usize) -> Self {
        Self::at(most, Sentence::new("rules-too-long").count("most", most))
    }

    /// Text follows a complete action.
    #[must_use]
    pub fn goes_on(at: usize) -> Self {
        Self::at(at, GOES_ON)
    }

    /// The JSON has another structure.
    pub(super) fn json() -> Self {
        Self { at: None, why: Sentence::new("rules-json") }
    }
}

/// Notation that is the beginning of one or more legal actions. The player is asked which one is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// The legal actions that it may mean, in notation; at least one, in the order of the list.
    pub candidates: Vec<String>,
}

impl Incomplete {
    /// The candidates in a sentence, for the player.
    #[must_use]
    pub fn why(&self) -> Sentence {
        let told = self.candidates.iter().take(MAX_CANDIDATES_TOLD);
        let more = self.candidates.len().saturating_sub(MAX_CANDIDATES_TOLD);
        if more > 0 {
            return Sentence::new("rules-which-more").texts("candidates", told).count("more", more);
        }
        Sentence::new("rules-which").texts("candidates", told).count("count", self.candidates.len())
    }
}

/// Why an action given as JSON was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error(transparent)]
    Illegal(#[from] Illegal),
    #[error(transparent)]
    NoChance(#[from] NoChance),
}

impl Refused {
    /// The rules' message to the player; `None` if only chance is missing.
    #[must_use]
    pub fn sentence(&self) -> Option<&Sentence> {
        match self {
            Self::Unreadable(unreadable) => Some(&unreadable.why),
            Self::Illegal(illegal) => Some(&illegal.0),
            Self::NoChance(_) => None,
        }
    }
}

impl From<Halt> for Refused {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Illegal(illegal) => Self::Illegal(illegal),
            Halt::NoChance(no_chance) => Self::NoChance(no_chance),
        }
    }
}

/// Options that a rule set does not have, with the reason for the player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("options: {0}")]
pub struct OptionsRefused(pub String);
