//! When something that failed is tried again, and when no more.

use time::{Duration, OffsetDateTime};

/// Delays that grow with each failure.
#[derive(Clone, Copy, Debug)]
pub struct BackOff {
    delays: &'static [Duration],
    end: End,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Never,
    AfterDelays,
    After { time: Duration, fewest: i32 },
}

impl BackOff {
    /// After the first failure the first delay, and so on; the last one repeats for ever.
    #[must_use]
    pub const fn endless(delays: &'static [Duration]) -> Self {
        Self { delays, end: End::Never }
    }

    /// After the last delay there is one more attempt.
    #[must_use]
    pub const fn ending(delays: &'static [Duration]) -> Self {
        Self { delays, end: End::AfterDelays }
    }

    /// The last delay repeats until so much time has passed since the first failure. While this server itself is down nobody fails, so
    /// there are so many failures at least.
    #[must_use]
    pub const fn within(delays: &'static [Duration], time: Duration, fewest: i32) -> Self {
        Self { delays, end: End::After { time, fewest } }
    }

    /// When to try again what has failed `failures` times, the first time at `since` and the last at `now`; `None` if it is given up.
    #[must_use]
    pub fn retry_at(
        &self,
        failures: impl Into<i32>,
        since: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Option<OffsetDateTime> {
        let failures = failures.into();
        let before = usize::try_from(failures).unwrap_or_default().saturating_sub(1);
        let last = || self.delays.last().copied().unwrap_or_default();
        let next = |delay: Option<Duration>| now + delay.unwrap_or_else(last);
        let delay = self.delays.get(before).copied();
        match self.end {
            End::Never => Some(next(delay)),
            End::AfterDelays => delay.map(|delay| now + delay),
            End::After { time, fewest } => {
                let end = since + time;
                if now < end {
                    return Some(next(delay).min(end));
                }
                (failures < fewest).then(|| next(delay))
            }
        }
    }
}
