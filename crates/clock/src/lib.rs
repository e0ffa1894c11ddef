//! The injected clock, which tests can set and the players of a sandbox can move, and the clocks of games: time controls, the
//! calendars of players, and what each seat has left (docs/CLOCK.md).
#![forbid(unsafe_code)]

mod ahead;
pub mod calendar;
pub mod control;
pub mod counting;
pub mod game_clock;
pub mod log;
pub mod offers;
pub mod offsets;
pub mod reminders;
pub mod zone;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use time::OffsetDateTime;

pub use ahead::{AheadClock, MAX_AHEAD};
pub use calendar::{Calendar, Night, Rest, RestDays};
pub use control::{Bank, TimeControl};
pub use game_clock::{ClockRules, Running, ToAct};
pub use reminders::{Reminder, ReminderSchedule};
pub use zone::{MinuteOfDay, QuietHours, UnknownZone, Zone};

/// In a second.
pub const MICROSECONDS: i64 = 1_000_000;

/// The source of the time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock for tests, in microseconds since 1970. It changes only when it is set.
    Set(Arc<AtomicI64>),
    /// The clock of a sandbox.
    Ahead(Arc<AheadClock>),
}

impl Clock {
    /// A test clock at the time `at`.
    #[must_use]
    pub fn standing_at(at: OffsetDateTime) -> Self {
        let clock = Self::Set(Arc::default());
        clock.set(at);
        clock
    }

    /// A sandbox's clock, which runs like `base` until it is moved.
    #[must_use]
    pub fn ahead_of(base: Self) -> Self {
        Self::Ahead(Arc::new(AheadClock::new(base)))
    }

    /// Whether this is the clock of a sandbox.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        matches!(self, Self::Ahead(_))
    }

    /// The current time in whole microseconds, the precision of PostgreSQL and the record.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        time_of(self.microseconds())
    }

    /// Microseconds since 1970.
    fn microseconds(&self) -> i64 {
        match self {
            Self::System => {
                // A machine clock before 1970 counts as 1970.
                let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
                i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
            }
            Self::Set(at) => at.load(Ordering::SeqCst),
            Self::Ahead(clock) => clock.microseconds(),
        }
    }

    /// Sets a test clock; has no effect on other clocks.
    pub fn set(&self, at: OffsetDateTime) {
        if let Self::Set(current) = self {
            current.store(microseconds(at), Ordering::SeqCst);
        }
    }

    /// Moves a test clock forward.
    pub fn advance(&self, by: time::Duration) {
        self.set(self.now() + by);
    }
}

/// Microseconds since 1970, the unit in which clocks are calculated.
///
/// # Panics
/// Never: a point in time has a year of four digits.
#[must_use]
pub fn microseconds(at: OffsetDateTime) -> i64 {
    i64::try_from(at.unix_timestamp_nanos().div_euclid(1000)).expect("a year of four digits")
}

/// The point in time so many microseconds after 1970.
///
/// # Panics
/// It has no year of four digits.
#[must_use]
pub fn time_of(microseconds: i64) -> OffsetDateTime {
    let second = OffsetDateTime::from_unix_timestamp(microseconds.div_euclid(MICROSECONDS));
    let part = u32::try_from(microseconds.rem_euclid(MICROSECONDS)).expect("fewer than a million");
    let second = second.expect("a year of four digits");
    second.replace_microsecond(part).expect("fewer than a million")
}

fn timestamp_of(microseconds: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(microseconds).expect("a year of four digits")
}

fn microseconds_of(at: jiff::Timestamp) -> i64 {
    at.as_microsecond()
}
