//! Hears the bells of other processes.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::StopSignal;
use crate::store::{Address, Bell, Listening, StoreError};

/// How long to wait before listening again, at first.
const SHORTEST_DELAY: Duration = Duration::from_millis(100);

/// The same after many failures: the delay doubles up to this.
const LONGEST_DELAY: Duration = Duration::from_mins(1);

/// Wakes the worker of this process when another process has written notices, until told to stop. While the database cannot be
/// heard, notices wait for the worker's next look; behind a pooler that hears nothing, always.
pub async fn listen(address: Arc<Address>, bell: Bell, mut stop: StopSignal) {
    let mut delay = SHORTEST_DELAY;
    loop {
        let begun = AtomicBool::new(false);
        tokio::select! {
            () = stop.wait() => return,
            Err(error) = hear(&address, &bell, &begun) => {
                tracing::warn!(%error, "bells of other processes cannot be heard now");
                if matches!(error, StoreError::Deaf) {
                    return;
                }
            }
        }
        delay = if begun.into_inner() { SHORTEST_DELAY } else { (delay * 2).min(LONGEST_DELAY) };
        tokio::select! {
            () = stop.wait() => return,
            () = tokio::time::sleep(delay) => {}
        }
    }
}

/// Listens until the connection breaks; `begun` says whether there was one.
async fn hear(address: &Address, bell: &Bell, begun: &AtomicBool) -> Result<Infallible, StoreError> {
    let mut listening = Listening::begin(address, bell).await?;
    begun.store(true, Ordering::Relaxed);
    // What rang before was not heard.
    bell.here().notify_one();
    loop {
        listening.heard().await?;
        bell.here().notify_one();
    }
}
