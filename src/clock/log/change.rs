//! What a line of the clock log says.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::calendar::Calendar;
use crate::clock::control::TimeControl;
use crate::record::{Hash, Timestamp};
use crate::rules::Seat;

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
}
