//! The loops beside the API. Every step can be called by hand.

pub mod outbox;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

pub use outbox::OutboxWorker;

/// Tells every loop to stop, after the work at hand.
#[derive(Debug)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    #[must_use]
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// What a loop listens to.
    #[must_use]
    pub fn signal(&self) -> StopSignal {
        StopSignal(self.0.subscribe())
    }

    /// Asks all loops to stop.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}

/// Becomes set once, and stays so.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    /// Whether to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is time to stop; a [`Stop`] that is gone says so too.
    pub async fn wait(&mut self) {
        let _set_or_gone = self.0.wait_for(|stop| *stop).await;
    }
}

/// Runs `step` again and again until told to stop: at once while there was something to do, else after `interval` or when woken.
/// A step that has begun is finished. A step's error is logged, and the loop goes on after the interval.
pub async fn run_loop<E, F>(
    name: &'static str,
    interval: Duration,
    wake: Arc<Notify>,
    mut signal: StopSignal,
    mut step: impl FnMut() -> F,
) where
    F: Future<Output = Result<usize, E>>,
    E: Display,
{
    while !signal.is_set() {
        match step().await {
            Ok(done) if done > 0 => continue,
            Ok(_) => {}
            Err(error) => tracing::error!(name, %error, "a step of the worker failed"),
        }
        tokio::select! {
            () = signal.wait() => {}
            () = wake.notified() => {}
            () = tokio::time::sleep(interval) => {}
        }
    }
}
