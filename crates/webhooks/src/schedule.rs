//! When a failed delivery is tried again, and when no more.

use time::Duration;

use pippost_store::queue::BackOff;

/// The delays after the first failure, the second, and so on; the last one repeats.
const DELAYS: [Duration; 9] = [
    Duration::seconds(5),
    Duration::seconds(30),
    Duration::minutes(2),
    Duration::minutes(10),
    Duration::minutes(30),
    Duration::hours(1),
    Duration::hours(2),
    Duration::hours(4),
    Duration::hours(6),
];

/// A webhook that has failed for so long is disabled, if it was tried often enough.
pub const GIVE_UP_AFTER: Duration = Duration::days(3);

/// The fewest failures before a webhook is disabled: while this server itself is down for days, nobody fails.
pub const FEWEST_FAILURES: i32 = 10;

/// The longest wait that a receiver is given that asks for one.
pub const MAX_RETRY_AFTER: Duration = Duration::days(1);

/// When webhooks and subscriptions that failed are tried again.
pub const BACK_OFF: BackOff = BackOff::within(&DELAYS, GIVE_UP_AFTER, FEWEST_FAILURES);
