//! Counts bounces, including refusals while sending, and stops mail to addresses that accept none.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use pippost_store::bounces::{self, Bounce};
use pippost_store::{Database, StoreError};

/// The number of permanent bounces within [`BOUNCE_WINDOW`] that stop mail to an address.
pub const HARD_BOUNCES_UNTIL_STOPPED: i64 = 3;

/// How long a bounce counts.
pub const BOUNCE_WINDOW: Duration = Duration::days(30);

/// Records that the mail of a notice bounced, with its status code (RFC 3463), and stops mail to the address if there were too
/// many. False if the bounce was recorded before.
///
/// # Errors
/// The database failed.
pub async fn record(
    database: &Database,
    notice_id: Uuid,
    code: &str,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let count_since = now - BOUNCE_WINDOW;
    let bounce = Bounce { notice_id, code, now, count_since, hard_until_stopped: HARD_BOUNCES_UNTIL_STOPPED };
    let new = bounces::record(database, &bounce).await?;
    if new {
        tracing::info!(notice = %notice_id, code, "a mail came back");
    }
    Ok(new)
}
