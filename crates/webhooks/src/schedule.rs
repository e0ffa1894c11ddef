//! When a failed delivery is tried again, and when no more.

use time::{Duration, OffsetDateTime};

/// The delays after the first failures, in seconds.
const FIRST_DELAYS_SECONDS: [i64; 8] = [5, 30, 120, 600, 1800, 3600, 7200, 14_400];

/// The delay after each further failure.
const LATER_DELAY: Duration = Duration::hours(6);

/// A webhook that has failed for so long is disabled, if it was tried often enough.
pub const GIVE_UP_AFTER: Duration = Duration::days(3);

/// The fewest failures before a webhook is disabled: while this server itself is down for days, nobody fails.
pub const FEWEST_FAILURES: i16 = 10;

/// What follows from a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    RetryAt(OffsetDateTime),
    GiveUp,
}

/// What follows from a failure at `now`; `failures` counts it, and `since` is the time of the first of them.
#[must_use]
pub fn after_failure(failures: i16, since: OffsetDateTime, now: OffsetDateTime) -> AfterFailure {
    let end = since + GIVE_UP_AFTER;
    if now >= end && failures >= FEWEST_FAILURES {
        return AfterFailure::GiveUp;
    }
    let index = usize::try_from(failures).unwrap_or_default().saturating_sub(1);
    let delay = FIRST_DELAYS_SECONDS.get(index).map_or(LATER_DELAY, |seconds| Duration::seconds(*seconds));
    let next = now + delay;
    AfterFailure::RetryAt(if now < end { next.min(end) } else { next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn retries_come_at_growing_distances_and_end_after_three_days() {
        let since = datetime!(2026-11-21 12:00 UTC);
        let (mut now, mut failures, mut delays) = (since, 1, Vec::new());
        while let AfterFailure::RetryAt(next) = after_failure(failures, since, now) {
            delays.push((next - now).whole_seconds());
            (now, failures) = (next, failures + 1);
        }
        assert_eq!(delays[..9], [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600]);
        assert!(delays[9..delays.len() - 1].iter().all(|delay| *delay == 21_600), "{delays:?}");
        assert_eq!(now - since, GIVE_UP_AFTER, "the last try is at the end of the three days");
    }

    #[test]
    fn few_failures_with_long_outages_of_this_server_between_them_disable_nothing() {
        let since = datetime!(2026-11-21 12:00 UTC);
        let later = since + Duration::days(30);
        assert_eq!(after_failure(2, since, later), AfterFailure::RetryAt(later + Duration::seconds(30)));
        assert_eq!(after_failure(FEWEST_FAILURES, since, later), AfterFailure::GiveUp);
    }
}
