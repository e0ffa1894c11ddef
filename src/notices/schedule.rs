//! When a mail that could not be sent is tried again, and when it is given up.

use time::{Duration, OffsetDateTime};

use crate::store::notices::{ClaimedNotice, NoticeState, SettledNotice};

/// How long to wait after the first failed attempt, the second, and so on. After the last of these, one more attempt is made.
pub const DELAYS: [Duration; 7] = [
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(30),
    Duration::hours(2),
    Duration::hours(6),
    Duration::hours(12),
    Duration::hours(24),
];

/// How one attempt went. Reasons are for the player and the log: never an address or a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sent,
    /// Not sent on purpose.
    Skipped(String),
    /// It may work later.
    Retry(String),
    /// It will never work.
    Failed(String),
}

/// What to write down about `notice` after an attempt that ended at `now`.
#[must_use]
pub fn settle(notice: &ClaimedNotice, outcome: Outcome, now: OffsetDateTime) -> SettledNotice {
    let settled = |state, next_attempt_at, reason| SettledNotice {
        id: notice.id,
        attempts: notice.attempts,
        state,
        next_attempt_at,
        reason,
    };
    match outcome {
        Outcome::Sent => settled(NoticeState::Sent, None, None),
        Outcome::Skipped(reason) => settled(NoticeState::Skipped, None, Some(reason)),
        Outcome::Failed(reason) => settled(NoticeState::Failed, None, Some(reason)),
        Outcome::Retry(reason) => {
            if let Some(delay) = delay_after(notice.attempts) {
                settled(NoticeState::Waiting, Some(now + delay), Some(reason))
            } else {
                let reason = format!("given up after {} attempts: {reason}", notice.attempts);
                settled(NoticeState::Failed, None, Some(reason))
            }
        }
    }
}

/// How long to wait after so many attempts; `None`: that was the last.
fn delay_after(attempts: i16) -> Option<Duration> {
    let failed = usize::try_from(attempts).unwrap_or_default().saturating_sub(1);
    DELAYS.get(failed).copied()
}

/// Whether a notice was claimed more often than the schedule allows: each time the worker must have died over it.
#[must_use]
pub fn is_poison(notice: &ClaimedNotice) -> bool {
    usize::try_from(notice.attempts).unwrap_or_default() > DELAYS.len() + 1
}
