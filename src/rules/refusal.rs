//! Why something cannot be: not readable, not legal, not possible.

use std::borrow::Cow;

use super::chance::NoChance;

/// The action could be read but is not legal here. The text is for the player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub Cow<'static, str>);

impl Illegal {
    /// An [`Illegal`] from any text.
    pub fn new(why: impl Into<Cow<'static, str>>) -> Self {
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

/// Notation or JSON that does not say any action of these rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read this: {why}")]
pub struct Unreadable {
    /// Where reading stopped, in characters from the start; `None` for JSON.
    pub at: Option<usize>,
    /// What was expected, for the player.
    pub why: String,
}

impl Unreadable {
    /// Stopped `at` characters from the start.
    pub fn at(at: usize, why: impl Into<String>) -> Self {
        Self { at: Some(at), why: why.into() }
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

impl From<Halt> for Refused {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Illegal(illegal) => Self::Illegal(illegal),
            Halt::NoChance(no_chance) => Self::NoChance(no_chance),
        }
    }
}

/// Options that a rule set does not have, with what is wrong for the player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("options: {0}")]
pub struct OptionsRefused(pub String);
