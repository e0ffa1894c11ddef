//! The time control of a game: currently a limit for each move.

use time::{Duration, OffsetDateTime};

/// The default limit for a move, in hours.
pub const DEFAULT_LIMIT_HOURS: i32 = 7 * 24;

/// The longest limit for a move, in hours: 60 days.
pub const MAX_LIMIT_HOURS: i32 = 60 * 24;

/// A reminder is due when the limit divided by this number is left.
const REMINDER_PART: i32 = 4;

/// The time that players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    Unlimited,
    /// Each move must be made within this many hours.
    PerMove {
        limit_hours: i32,
    },
}

impl TimeControl {
    /// The time control for a stored limit.
    #[must_use]
    pub fn from_hours(limit_hours: Option<i32>) -> Self {
        limit_hours.map_or(Self::Unlimited, |limit_hours| Self::PerMove { limit_hours })
    }

    #[must_use]
    pub fn hours(self) -> Option<i32> {
        match self {
            Self::Unlimited => None,
            Self::PerMove { limit_hours } => Some(limit_hours),
        }
    }

    /// The deadline of a player whose move began at `asked`.
    #[must_use]
    pub fn deadline(self, asked: OffsetDateTime) -> Option<OffsetDateTime> {
        self.hours().map(|hours| asked + Duration::hours(hours.into()))
    }

    /// When a player whose move began at `asked` is reminded: when a quarter of the time is left.
    #[must_use]
    pub fn reminder(self, asked: OffsetDateTime) -> Option<OffsetDateTime> {
        let limit = Duration::hours(self.hours()?.into());
        Some(asked + limit - limit / REMINDER_PART)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn the_reminder_comes_when_a_quarter_of_the_time_is_left() {
        let asked = datetime!(2026-11-21 12:00 UTC);
        let control = TimeControl::PerMove { limit_hours: 8 };
        assert_eq!(control.deadline(asked), Some(datetime!(2026-11-21 20:00 UTC)));
        assert_eq!(control.reminder(asked), Some(datetime!(2026-11-21 18:00 UTC)));
        assert_eq!(TimeControl::Unlimited.deadline(asked), None);
        assert_eq!(TimeControl::Unlimited.reminder(asked), None);
    }
}
