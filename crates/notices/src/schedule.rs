//! The schedule of retries for mails that could not be sent.

use time::macros::datetime;
use time::{Duration, OffsetDateTime};

use pippost_store::notices::{ClaimedNotice, NoticeState, SettledNotice, WaitsFor};
use pippost_store::queue::BackOff;

/// The delays after the first failed attempt, the second, and so on. After the last delay there is one more attempt.
pub const DELAYS: [Duration; 7] = [
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(30),
    Duration::hours(2),
    Duration::hours(6),
    Duration::hours(12),
    Duration::hours(24),
];

const BACK_OFF: BackOff = BackOff::ending(&DELAYS);

/// When a mail is tried again for which the mail server could not be reached, if nobody finds out before that it can.
pub const UNREACHED_DELAY: Duration = Duration::minutes(30);

/// When a mail is due that an operator holds.
const HELD_UNTIL: OffsetDateTime = datetime!(9999-01-01 0:00 UTC);

/// Why it is not sent.
const HELD: &str = "held by the operator of the server";

/// The outcome of one attempt. Reasons are for the player and the log: never an address or a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sent,
    /// Deliberately not sent.
    Skipped(String),
    /// A retry may succeed.
    Retry(String),
    /// The mail server could not be reached, which is no attempt: it is sent when the server answers again.
    Unreached(String),
    /// Not attempted; waits until an operator releases it.
    Held,
    /// A retry cannot succeed.
    Failed(String),
    /// The address does not exist, which counts as a bounce.
    Bounced {
        reason: String,
        /// The status code (RFC 3463).
        code: String,
    },
    /// Not attempted; returned to the outbox.
    Released,
    /// Not attempted; waits until this time.
    Waits(OffsetDateTime),
}

/// The row to store for `notice` after an attempt that ended at `now`.
#[must_use]
pub fn settle(notice: &ClaimedNotice, outcome: Outcome, now: OffsetDateTime) -> SettledNotice {
    let settled = |state, next_attempt_at, reason| SettledNotice {
        id: notice.id,
        attempts: notice.attempts,
        attempts_made: notice.attempts,
        state,
        next_attempt_at,
        reason,
        waits_for: None,
    };
    match outcome {
        Outcome::Sent => settled(NoticeState::Sent, None, None),
        Outcome::Skipped(reason) => settled(NoticeState::Skipped, None, Some(reason)),
        Outcome::Failed(reason) | Outcome::Bounced { reason, .. } => {
            settled(NoticeState::Failed, None, Some(reason))
        }
        Outcome::Released => settle(notice, Outcome::Waits(now), now),
        Outcome::Waits(until) => SettledNotice {
            attempts_made: notice.attempts - 1,
            ..settled(NoticeState::Waiting, Some(until), None)
        },
        Outcome::Unreached(reason) => SettledNotice {
            attempts_made: notice.attempts - 1,
            waits_for: Some(WaitsFor::Server),
            ..settled(NoticeState::Waiting, Some(now + UNREACHED_DELAY), Some(reason))
        },
        Outcome::Held => SettledNotice {
            attempts_made: notice.attempts - 1,
            waits_for: Some(WaitsFor::Operator),
            ..settled(NoticeState::Waiting, Some(HELD_UNTIL), Some(HELD.to_owned()))
        },
        Outcome::Retry(reason) => {
            let retry_at = BACK_OFF.retry_at(notice.attempts, now, now);
            if retry_at.is_some() {
                let waits_for = Some(WaitsFor::Retry);
                SettledNotice { waits_for, ..settled(NoticeState::Waiting, retry_at, Some(reason)) }
            } else {
                let reason = format!("given up after {} attempts: {reason}", notice.attempts);
                settled(NoticeState::Failed, None, Some(reason))
            }
        }
    }
}

/// Whether a notice was claimed more often than the schedule allows. A worker must have crashed each time.
#[must_use]
pub fn is_poison(notice: &ClaimedNotice) -> bool {
    usize::try_from(notice.attempts).unwrap_or_default() > DELAYS.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

    fn after(attempts: i16, outcome: Outcome) -> SettledNotice {
        settle(&ClaimedNotice { attempts, ..samples::turn() }, outcome, NOW)
    }

    fn put_off() -> Outcome {
        Outcome::Retry("the mail server put it off: 451".to_owned())
    }

    #[test]
    fn each_failed_attempt_waits_longer_until_the_eighth_is_the_last() {
        let minutes = |attempts| {
            let settled = after(attempts, put_off());
            assert_eq!(settled.state, NoticeState::Waiting);
            (settled.next_attempt_at.expect("a time") - NOW).whole_minutes()
        };
        assert_eq!((1..=7).map(minutes).collect::<Vec<_>>(), [1, 5, 30, 120, 360, 720, 1440]);
        let last = after(8, put_off());
        assert_eq!((last.state, last.next_attempt_at), (NoticeState::Failed, None));
        let reason = "given up after 8 attempts: the mail server put it off: 451";
        assert_eq!(last.reason.as_deref(), Some(reason));
    }

    #[test]
    fn a_refusal_fails_at_once_and_a_skip_says_why() {
        let failed = after(1, Outcome::Failed("refused".to_owned()));
        assert_eq!((failed.state, failed.reason.as_deref()), (NoticeState::Failed, Some("refused")));
        let skipped = after(1, Outcome::Skipped("overtaken".to_owned()));
        assert_eq!((skipped.state, skipped.reason.as_deref()), (NoticeState::Skipped, Some("overtaken")));
        let sent = after(3, Outcome::Sent);
        assert_eq!((sent.state, sent.reason, sent.next_attempt_at), (NoticeState::Sent, None, None));
    }

    #[test]
    fn a_notice_that_was_given_back_or_has_to_wait_has_lost_no_attempt() {
        let waits = after(1, Outcome::Waits(NOW + Duration::hours(3)));
        assert_eq!((waits.state, waits.attempts_made), (NoticeState::Waiting, 0));
        assert_eq!(waits.next_attempt_at, Some(NOW + Duration::hours(3)));
        let released = after(3, Outcome::Released);
        assert_eq!((released.state, released.attempts, released.attempts_made), (NoticeState::Waiting, 3, 2));
        assert_eq!(released.next_attempt_at, Some(NOW));
    }

    #[test]
    fn a_mail_server_that_is_not_reached_costs_no_attempt_however_often() {
        for attempts in [1, 8] {
            let put_off = after(attempts, Outcome::Unreached("the mail server cannot be reached".to_owned()));
            assert_eq!((put_off.state, put_off.attempts_made), (NoticeState::Waiting, attempts - 1));
            assert_eq!(put_off.waits_for, Some(WaitsFor::Server));
            assert_eq!(put_off.next_attempt_at, Some(NOW + UNREACHED_DELAY));
        }
        let held = after(1, Outcome::Held);
        assert_eq!((held.attempts_made, held.waits_for), (0, Some(WaitsFor::Operator)));
        assert_eq!(after(1, put_off()).waits_for, Some(WaitsFor::Retry));
        assert_eq!(after(1, Outcome::Waits(NOW)).waits_for, None);
    }

    #[test]
    fn a_notice_that_ended_every_worker_is_poison() {
        assert!(!is_poison(&ClaimedNotice { attempts: 8, ..samples::turn() }));
        assert!(is_poison(&ClaimedNotice { attempts: 9, ..samples::turn() }));
    }
}
