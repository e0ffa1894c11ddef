//! What a view shows of a clock. Everything in it is fixed until the game's state changes, so that views can be kept as text.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::memory::live::{LiveGame, Turn};
use pippost_clock::{MICROSECONDS, Rest, microseconds, time_of};
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;

/// A running clock: what the deadline is made of. Nothing of it shows a player's nights, rest days or holidays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RunningClock)]
pub struct ClockView {
    /// The seat whose turn it is. Another seat is to act while it must answer during that turn.
    #[schema(value_type = u8)]
    pub turn: Seat,
    /// By seat, whole seconds in the banks when the clock of the seat to act began to run; null without banks.
    pub banks_seconds: Option<Vec<i64>>,
    /// From when on the bank of the seat to act is used; null without banks.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub bank_from: Option<Timestamp>,
    /// From when on the table waits; null if it does not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub wait_from: Option<Timestamp>,
    /// All clocks stand still until then, as agreed; null without a pause.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paused_until: Option<Timestamp>,
}

impl ClockView {
    /// The clock of a game; `None` if none runs.
    #[must_use]
    pub fn of(live: &LiveGame) -> Option<Self> {
        let (running, clock_rules) = (live.running.as_ref()?, &live.clock_rules);
        let time = |at: i64| Timestamp::new(time_of(at));
        let pauses = clock_rules.conditions.stills.iter().filter(|still| still.why == Rest::Pause);
        let at = microseconds(live.chronicle.at().get());
        Some(Self {
            turn: running.turn.seat,
            banks_seconds: (!running.banks.is_empty())
                .then(|| running.banks.iter().map(|bank| bank / MICROSECONDS).collect()),
            bank_from: running.bank_from(clock_rules).map(time),
            wait_from: running.wait_from(clock_rules).map(time),
            paused_until: pauses.map(|pause| pause.until).filter(|until| *until > at).max().map(time),
        })
    }

    /// The clock of a turn with nothing but a limit.
    #[must_use]
    pub fn plain(turn: Seat) -> Self {
        Self { turn, banks_seconds: None, bank_from: None, wait_from: None, paused_until: None }
    }

    /// Whether it follows from the turn.
    #[must_use]
    pub fn is_plain(&self, turn: Option<Turn>) -> bool {
        turn.is_some_and(|turn| *self == Self::plain(turn.seat))
    }
}
