//! How reliable a player is, in answers.

use serde::Serialize;
use utoipa::ToSchema;

use pippost_clock::log::reliability::Reliability;

/// How reliable a player is, from the player's newest public games that are over (at most 100). Without games all numbers are 0.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Reliability)]
pub struct ReliabilityBody {
    /// Games that the player was in to the end, or ended by resigning.
    pub games_finished: i32,
    /// Games from which the player resigned while others played on.
    pub games_left: i32,
    /// Games in which the player's time ran out.
    pub games_timed_out: i32,
    /// How often the player was asked in games with a limit or bank, and acted.
    pub answers: i32,
    /// Half of the answers took no longer, in seconds that the clock counted: nights, rest days, holidays, pauses and down time do not
    /// count. Null without answers.
    #[schema(required)]
    pub median_seconds: Option<i32>,
    /// Nine of ten answers took no longer. Null without answers.
    #[schema(required)]
    pub percentile_90_seconds: Option<i32>,
}

impl From<Reliability> for ReliabilityBody {
    fn from(reliability: Reliability) -> Self {
        let Reliability { finished, left, timed_out, answers, median_seconds, percentile_90_seconds } =
            reliability;
        Self {
            games_finished: finished,
            games_left: left,
            games_timed_out: timed_out,
            answers,
            median_seconds,
            percentile_90_seconds,
        }
    }
}
