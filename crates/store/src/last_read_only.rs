//! Connections to a database that only reads for a while: a setting of the database or of the role stays with the connections that were
//! opened under it, also after it is taken back. So once one has refused to write, those from before are not used again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use deadpool::managed::{HookError, HookResult, Metrics};
use diesel::result::{DatabaseErrorKind, Error};

/// When a connection of this process last refused to write, in any of its pools.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

/// Nothing can panic while it is held.
fn last() -> MutexGuard<'static, Option<Instant>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes note of a refusal to write.
pub fn note(error: &Error) {
    if matches!(error, Error::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _)) {
        *last() = Some(Instant::now());
    }
}

/// Refuses a pooled connection that was opened before.
pub fn check<E>(metrics: &Metrics) -> HookResult<E> {
    match *last() {
        Some(at) if metrics.created <= at => Err(HookError::message("opened while the database only read")),
        _ => Ok(()),
    }
}
