//! The clock of a sandbox: it runs like the clock that it is built on, ahead of it by what its players have moved it.

use std::sync::atomic::{AtomicI64, Ordering};

use time::Duration;

use super::Clock;

/// How far the clock of a sandbox can be moved in all: ten years.
pub const MAX_AHEAD: Duration = Duration::days(3653);

/// A clock that can be moved forward and runs on by itself. It never goes back, even if the machine's clock does.
#[derive(Debug)]
pub struct AheadClock {
    base: Clock,
    /// In microseconds.
    ahead: AtomicI64,
    /// The latest time that was shown, in microseconds since 1970.
    latest: AtomicI64,
}

impl AheadClock {
    pub(super) fn new(base: Clock) -> Self {
        Self { base, ahead: AtomicI64::new(0), latest: AtomicI64::new(i64::MIN) }
    }

    /// The clock that it is built on.
    #[must_use]
    pub fn base(&self) -> &Clock {
        &self.base
    }

    /// By how many microseconds it is ahead.
    #[must_use]
    pub fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::SeqCst)
    }

    /// Moves it so far ahead, or leaves it where it is if it is farther.
    pub fn move_to(&self, ahead: i64) {
        self.ahead.fetch_max(ahead, Ordering::SeqCst);
    }

    /// Microseconds since 1970.
    pub(super) fn microseconds(&self) -> i64 {
        let now = self.base.microseconds().saturating_add(self.ahead());
        self.latest.fetch_max(now, Ordering::SeqCst).max(now)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn it_runs_on_after_it_was_moved_and_never_goes_back() {
        let start = datetime!(2026-11-21 12:00 UTC);
        let base = Clock::standing_at(start);
        let clock = Clock::ahead_of(base.clone());
        let Clock::Ahead(ahead) = &clock else { panic!("a clock that can be moved") };
        assert_eq!(clock.now(), start);
        ahead.move_to(3_600_000_000);
        assert_eq!(clock.now(), start + Duration::HOUR);
        base.advance(Duration::microseconds(1));
        assert_eq!(clock.now(), start + Duration::HOUR + Duration::MICROSECOND);
        ahead.move_to(1);
        base.set(start - Duration::DAY);
        assert_eq!(clock.now(), start + Duration::HOUR + Duration::MICROSECOND);
        assert_eq!(ahead.ahead(), 3_600_000_000);
    }
}
