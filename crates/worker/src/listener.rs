//! Listens for the outbox signals of other processes.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::StopSignal;
use pippost_store::{Address, Changes, OutboxListener, OutboxSignal, StoreError};

/// The first delay before listening again.
const SHORTEST_DELAY: Duration = Duration::from_millis(100);

/// The largest delay. The delay doubles after each failure.
const LONGEST_DELAY: Duration = Duration::from_mins(1);

/// Wakes the worker and the feeds of this process when another process has written notices or events, until `stop` is set. While it
/// cannot listen, and always behind a pooler without LISTEN, they wait until the worker polls the outbox and the feeds the games.
pub async fn listen(address: Arc<Address>, outbox_signal: OutboxSignal, mut stop: StopSignal) {
    let mut delay = SHORTEST_DELAY;
    loop {
        let connected = AtomicBool::new(false);
        tokio::select! {
            () = stop.wait() => return,
            Err(error) = listen_once(&address, &outbox_signal, &connected) => {
                tracing::warn!(%error, "cannot listen for notices and events of other processes now");
                if matches!(error, StoreError::ListenUnsupported) {
                    return;
                }
            }
        }
        delay = if connected.into_inner() { SHORTEST_DELAY } else { (delay * 2).min(LONGEST_DELAY) };
        tokio::select! {
            () = stop.wait() => return,
            () = tokio::time::sleep(delay) => {}
        }
    }
}

/// Listens until the connection breaks. `connected` is set once there is a connection.
async fn listen_once(
    address: &Address,
    outbox_signal: &OutboxSignal,
    connected: &AtomicBool,
) -> Result<Infallible, StoreError> {
    let mut listener = OutboxListener::begin(address, outbox_signal).await?;
    connected.store(true, Ordering::Relaxed);
    // Signals sent before the connection existed were missed.
    outbox_signal.hear(Changes::All);
    loop {
        outbox_signal.hear(listener.notified().await?);
    }
}
