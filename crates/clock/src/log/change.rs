//! What a line of the clock log says.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::calendar::Calendar;
use crate::control::TimeControl;
use pippost_record::record::{Hash, Timestamp};
use pippost_record::rules::Seat;

/// By seat, the commitment to its calendar; null: all its time counts.
pub type Calendars = Vec<Option<Hash>>;

/// A change of what bears on a clock, as the log says it while the game runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// The game starts: the first line, and only that.
    Start { calendars: Calendars, control: TimeControl, form: String, game: Uuid },
    /// From its next turn or answer on, the seat has this calendar.
    Calendar { calendar: Option<Hash>, seat: Seat },
    /// The seat takes a holiday.
    Holiday { holiday: Hash, seat: Seat },
    /// All clocks stand still from now until then, as all seats that have not left have agreed.
    Pause { until: Timestamp },
    /// The pause ends now.
    Resume {},
    /// A seat gives another one time.
    Gift { from: Seat, hours: u32, to: Seat },
    /// The server did not work.
    Down { from: Timestamp, until: Timestamp },
    /// The player of the seat offers it to a substitute, and plays on until somebody takes it.
    Offer { seat: Seat },
    /// The flag of the seat fell at `from`. Nobody plays the seat, and its clock stands still until then, unless somebody takes it.
    Vacancy { from: Timestamp, seat: Seat, until: Timestamp },
    /// From this line on, another player plays the seat.
    Substitute { name: String, seat: Seat },
}

impl Change {
    /// The seat that it is about, if it is one of the changes that only games with substitutes have.
    #[must_use]
    pub fn handed_over(&self) -> Option<Seat> {
        match self {
            Self::Offer { seat } | Self::Vacancy { seat, .. } | Self::Substitute { seat, .. } => Some(*seat),
            _ => None,
        }
    }
}

/// The value of a commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    Calendar(Calendar),
    Holiday(Holiday),
}

/// A holiday: `from` is in it, `until` is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holiday {
    pub from: Timestamp,
    pub until: Timestamp,
}

/// A change whose commitments are opened; only such a one can be calculated with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    Calendar { seat: Seat, calendar: Option<Calendar> },
    Holiday { seat: Seat, holiday: Holiday },
    Pause { until: Timestamp },
    Resume,
    Gift { to: Seat, hours: u32 },
    Down { from: Timestamp, until: Timestamp },
    Offer { seat: Seat },
    Vacancy { seat: Seat, from: Timestamp, until: Timestamp },
    Substitute { seat: Seat, name: String },
}
