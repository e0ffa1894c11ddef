//! How well a bot plays: three strengths that differ in nothing but how much they search before a choice.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{Effort, Strategy};

/// How well a bot plays. Each strength plays ten times as many random games before a choice as the one below it; docs/BOTS.md has what
/// they win against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    Easy,
    Medium,
    #[default]
    Strong,
}

/// The random games of the weakest before a choice.
const EASY_PLAYOUTS: u32 = 40;

/// How many times as many the next strength plays.
const STEP: u32 = 10;

/// The longest thought of any strength.
const TIME_LIMIT: Duration = Duration::from_millis(200);

impl Strength {
    /// All, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Strong];

    /// Its name in settings and forms.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Strong => "strong",
        }
    }

    /// What one choice may cost.
    #[must_use]
    pub fn effort(self) -> Effort {
        let playouts = match self {
            Self::Easy => EASY_PLAYOUTS,
            Self::Medium => EASY_PLAYOUTS * STEP,
            Self::Strong => EASY_PLAYOUTS * STEP * STEP,
        };
        Effort { playouts, time_limit: Some(TIME_LIMIT) }
    }

    /// How it chooses.
    #[must_use]
    pub fn strategy(self) -> Strategy {
        Strategy::MonteCarlo(self.effort())
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// There is no strength of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the strengths are easy, medium and strong")]
pub struct NoStrength;

impl FromStr for Strength {
    type Err = NoStrength;

    fn from_str(text: &str) -> Result<Self, NoStrength> {
        Self::ALL.into_iter().find(|strength| strength.as_str() == text).ok_or(NoStrength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_stronger_ones_search_more() {
        for strength in Strength::ALL {
            assert_eq!(strength.to_string().parse(), Ok(strength));
        }
        assert_eq!("weak".parse::<Strength>(), Err(NoStrength));
        let playouts = Strength::ALL.map(|strength| strength.effort().playouts);
        assert_eq!(playouts, [40, 400, 4000]);
        assert!(Strength::Easy < Strength::Strong);
    }
}
