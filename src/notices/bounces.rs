//! Addresses that take no mail: what counts against them, whether a mail came back or was refused at once.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::store::bounces::{self, Bounce};
use crate::store::{Database, StoreError};

/// So many mails that come back for good, within [`BOUNCE_WINDOW`], show that the address takes none.
pub const HARD_BOUNCES_UNTIL_STOPPED: i64 = 3;

/// How long a mail that came back counts.
pub const BOUNCE_WINDOW: Duration = Duration::days(30);

/// Writes down that the mail of a notice came back, with its status code (RFC 3463); mails stop when it was one too many. False if it
/// is known already.
///
/// # Errors
/// The database fails.
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
