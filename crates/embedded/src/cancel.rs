//! Cancels a slow start when the server is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::EmbeddedError;

/// Ends the waits of a start. All clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels the current start and every later one.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// # Errors
    /// [`EmbeddedError::Cancelled`] once it is set.
    pub(super) fn check(&self) -> Result<(), EmbeddedError> {
        if self.0.load(Ordering::SeqCst) { Err(EmbeddedError::Cancelled) } else { Ok(()) }
    }
}
