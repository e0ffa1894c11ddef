//! The time, given to everything that needs it, so that tests can set it; and what follows from a game's limit.

pub mod limit;
pub mod zone;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use time::OffsetDateTime;

pub use limit::TimeControl;
pub use zone::{MinuteOfDay, QuietHours, Zone};

/// Where the time comes from.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock that stands still until it is set, in microseconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `at` until it is moved.
    #[must_use]
    pub fn standing_at(at: OffsetDateTime) -> Self {
        let clock = Self::Set(Arc::default());
        clock.set(at);
        clock
    }

    /// The time now, in whole microseconds: what PostgreSQL and the record can hold.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        let (seconds, microseconds) = match self {
            Self::System => {
                // A machine that takes this for a time before 1970 has no clock.
                let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
                (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_micros())
            }
            Self::Set(at) => {
                let at = at.load(Ordering::SeqCst);
                let microseconds = u32::try_from(at.rem_euclid(1_000_000)).expect("fewer than a million");
                (at.div_euclid(1_000_000), microseconds)
            }
        };
        let second = OffsetDateTime::from_unix_timestamp(seconds).expect("a year of four digits");
        second.replace_microsecond(microseconds).expect("fewer than a million")
    }

    /// Moves a clock that can be set; the machine's clock stays as it is.
    pub fn set(&self, at: OffsetDateTime) {
        if let Self::Set(current) = self {
            let microseconds =
                i64::try_from(at.unix_timestamp_nanos() / 1000).expect("a year of four digits");
            current.store(microseconds, Ordering::SeqCst);
        }
    }

    /// Moves a clock that can be set forward.
    pub fn advance(&self, by: time::Duration) {
        self.set(self.now() + by);
    }
}
