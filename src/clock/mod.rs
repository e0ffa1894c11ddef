//! The injected clock, which tests can set, and times derived from a game's limit.

pub mod limit;
pub mod zone;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use time::OffsetDateTime;

pub use limit::TimeControl;
pub use zone::{MinuteOfDay, QuietHours, UnknownZone, Zone};

/// The source of the time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock for tests, in microseconds since 1970. It changes only when it is set.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A test clock at the time `at`.
    #[must_use]
    pub fn standing_at(at: OffsetDateTime) -> Self {
        let clock = Self::Set(Arc::default());
        clock.set(at);
        clock
    }

    /// The current time in whole microseconds, the precision of PostgreSQL and the record.
    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        let (seconds, microseconds) = match self {
            Self::System => {
                // A machine clock before 1970 counts as 1970.
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

    /// Sets a test clock; has no effect on the machine's clock.
    pub fn set(&self, at: OffsetDateTime) {
        if let Self::Set(current) = self {
            let microseconds =
                i64::try_from(at.unix_timestamp_nanos() / 1000).expect("a year of four digits");
            current.store(microseconds, Ordering::SeqCst);
        }
    }

    /// Moves a test clock forward.
    pub fn advance(&self, by: time::Duration) {
        self.set(self.now() + by);
    }
}
