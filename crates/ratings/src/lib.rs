//! Ratings that anyone recomputes: a pure function of a list of finished games (docs/RATINGS.md). The server and `pippost ratings`
//! calculate with it.
#![forbid(unsafe_code)]

mod chances;
mod days;
mod glicko;
mod of_record;

use pippost_clock::TimeControl;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use chances::chances;
pub use days::{RatedGame, Standing, Standings, rate, rate_day};
pub use glicko::{MAX_DEVIATION, Meeting, NEWCOMER, Strength};
pub use of_record::{NotRated, Rated, is_guest, rated};

/// A rating is provisional until its deviation is at most this, in thousandths.
pub const SETTLED_DEVIATION: i32 = 110_000;

/// What nobody is listed below: the fewest games.
pub const MIN_GAMES: i32 = 5;

/// The most hours that a turn of a fast game brings.
const MAX_FAST_HOURS: i32 = 24;

/// Games with programs are rated apart.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = RatingPool)]
pub enum Pool {
    #[default]
    People,
    Bots,
}

/// By the hours that a turn brings, limit and gain of the bank together: at most 24 are `fast`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = RatingPace)]
pub enum Pace {
    Fast,
    #[default]
    Slow,
    /// Without a limit.
    Unlimited,
}

impl Pool {
    pub const ALL: [Self; 2] = [Self::People, Self::Bots];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Bots => "bots",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pool| pool.as_str() == name)
    }
}

impl Pace {
    pub const ALL: [Self; 3] = [Self::Fast, Self::Slow, Self::Unlimited];

    #[must_use]
    pub fn of(control: &TimeControl) -> Self {
        let gained = control.bank.map(|bank| bank.gain_hours);
        if control.limit_hours.is_none() && gained.is_none() {
            return Self::Unlimited;
        }
        let hours = control.limit_hours.unwrap_or_default() + gained.unwrap_or_default();
        if hours <= MAX_FAST_HOURS { Self::Fast } else { Self::Slow }
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Slow => "slow",
            Self::Unlimited => "unlimited",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pace| pace.as_str() == name)
    }
}

/// What is rated for itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    pub pool: Pool,
    pub rules: String,
    pub pace: Pace,
}

/// A rating by Glicko-2.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Rating {
    pub handle: String,
    pub pool: Pool,
    pub rules: String,
    pub pace: Pace,
    pub rating: f64,
    pub deviation: f64,
    pub volatility: f64,
    pub games: i32,
    /// The day (UTC) of the newest game.
    #[schema(value_type = String, format = Date)]
    pub day: String,
    pub provisional: bool,
}

impl Rating {
    #[must_use]
    pub fn of(handle: String, class: Class, standing: &Standing) -> Self {
        let Standing { strength: Strength { rating, deviation, volatility }, games, day } = *standing;
        let Class { pool, rules, pace } = class;
        Self {
            handle,
            pool,
            rules,
            pace,
            rating: f64::from(rating) / 1e3,
            deviation: f64::from(deviation) / 1e3,
            volatility: f64::from(volatility) / 1e9,
            games,
            day: day.to_string(),
            provisional: deviation > SETTLED_DEVIATION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_what_a_turn_brings() {
        let pace = |limit: Option<i32>, bank: Option<(i32, i32)>| {
            let mut control = TimeControl::without_calendars(limit);
            control.bank = bank.map(|(start_hours, gain_hours)| pippost_clock::Bank {
                start_hours,
                gain_hours,
                cap_hours: 1000,
            });
            Pace::of(&control)
        };
        assert_eq!(pace(Some(24), None), Pace::Fast);
        assert_eq!(pace(Some(25), None), Pace::Slow);
        assert_eq!(pace(Some(12), Some((100, 12))), Pace::Fast);
        assert_eq!(pace(Some(12), Some((100, 13))), Pace::Slow);
        assert_eq!(pace(None, Some((240, 0))), Pace::Fast, "what a bank starts with is used up once");
        assert_eq!(pace(None, None), Pace::Unlimited);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for pace in Pace::ALL {
            assert_eq!(Pace::named(pace.as_str()), Some(pace));
        }
        for pool in Pool::ALL {
            assert_eq!(Pool::named(pool.as_str()), Some(pool));
        }
        assert_eq!((Pace::named("blitz"), Pool::named("all")), (None, None));
    }
}
