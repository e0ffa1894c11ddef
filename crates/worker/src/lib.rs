//! Background loops. Tests can call every step directly.
#![forbid(unsafe_code)]

pub mod sandbox;
pub mod listener;
pub mod outbox;
pub mod pushes;
pub mod queue;
pub mod standing_orders;
pub mod webhooks;

use std::fmt::Display;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{Notify, watch};

pub use listener::listen;
pub use outbox::OutboxWorker;
pub use pushes::PushWorker;
pub use queue::Flow;
pub use standing_orders::OrdersWorker;
pub use webhooks::WebhookWorker;

/// Tells every loop to stop after its current step.
#[derive(Debug)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    #[must_use]
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// The signal that a loop waits for.
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

/// Once set, it is never cleared.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    /// Whether the loop should stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the signal is set or the [`Stop`] is dropped.
    pub async fn wait(&mut self) {
        let _set_or_gone = self.0.wait_for(|stop| *stop).await;
    }
}

/// How long a loop leaves the database alone after a failure, however often it is woken. Moves wake it thousands of times a second.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// Repeats `step` until `stop` is set: immediately if it had something to do, otherwise after `interval` or when woken. A running
/// step is finished. Errors and panics of a step are logged, and the loop continues after the interval or when woken, but not at once.
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
        let pause = match AssertUnwindSafe(step()).catch_unwind().await {
            Ok(Ok(done)) if done > 0 => continue,
            Ok(Ok(_)) => Duration::ZERO,
            Ok(Err(error)) => log_failure(name, &error),
            Err(_panic) => log_failure(name, &"a panic"),
        };
        wait_for_work(&mut signal, &wake, pause, interval).await;
    }
}

/// Returns how long the loop pauses.
fn log_failure(name: &'static str, error: &dyn Display) -> Duration {
    tracing::error!(name, %error, "a step of the worker failed");
    FAILURE_PAUSE
}

/// Waits until there may be something to do again: at least `pause`, and without being woken `interval`. Apart from [`run_loop`], because
/// that is compiled once for each worker.
async fn wait_for_work(signal: &mut StopSignal, wake: &Notify, pause: Duration, interval: Duration) {
    let woken = async {
        // Even to sleep for no time takes a millisecond.
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        // What came during the pause counts.
        wake.notified().await;
    };
    tokio::select! {
        () = signal.wait() => {}
        () = woken => {}
        // Another process's notification may be lost, so poll as well.
        () = tokio::time::sleep(interval.max(pause)) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Longer than any test takes.
    const NEVER: Duration = Duration::from_hours(1);

    #[tokio::test]
    async fn a_loop_goes_on_at_once_while_there_is_something_to_do_and_else_waits_to_be_woken() {
        let (stop, wake, steps) = (Stop::new(), Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let idle = Arc::new(Notify::new());
        let step = {
            let (steps, idle) = (steps.clone(), idle.clone());
            move || {
                let count = steps.fetch_add(1, Ordering::SeqCst) + 1;
                let idle = idle.clone();
                async move {
                    if count < 3 {
                        return Ok(1);
                    }
                    idle.notify_one();
                    if count == 3 { Ok(0) } else { Err("no database") }
                }
            }
        };
        let running = tokio::spawn(run_loop("test", NEVER, wake.clone(), stop.signal(), step));
        idle.notified().await;
        assert_eq!(steps.load(Ordering::SeqCst), 3);
        wake.notify_one();
        idle.notified().await;
        // The loop has survived the error.
        wake.notify_one();
        idle.notified().await;
        assert_eq!(steps.load(Ordering::SeqCst), 5);
        stop.stop();
        running.await.expect("the loop ends");
    }

    #[tokio::test]
    async fn a_loop_whose_step_failed_is_not_driven_on_by_being_woken() {
        let (stop, wake, steps) = (Stop::new(), Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let begun = Arc::new(Notify::new());
        let step = {
            let (steps, begun) = (steps.clone(), begun.clone());
            move || {
                steps.fetch_add(1, Ordering::SeqCst);
                begun.notify_one();
                async { Err::<usize, _>("no database") }
            }
        };
        let running = tokio::spawn(run_loop("test", NEVER, wake.clone(), stop.signal(), step));
        begun.notified().await;
        let failed_at = std::time::Instant::now();
        let waking = tokio::spawn(async move {
            loop {
                wake.notify_one();
                tokio::task::yield_now().await;
            }
        });
        begun.notified().await;
        assert!(failed_at.elapsed() >= FAILURE_PAUSE, "{:?} after the failure", failed_at.elapsed());
        assert_eq!(steps.load(Ordering::SeqCst), 2);
        waking.abort();
        stop.stop();
        running.await.expect("the loop ends");
    }

    #[tokio::test]
    async fn a_loop_whose_step_panics_goes_on() {
        let (stop, wake, steps) = (Stop::new(), Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let done = Arc::new(Notify::new());
        let step = {
            let (steps, wake, done) = (steps.clone(), wake.clone(), done.clone());
            move || {
                let count = steps.fetch_add(1, Ordering::SeqCst);
                // Wakes only after the panic, because a loop that is always woken would starve the others.
                if count == 0 {
                    wake.notify_one();
                }
                let done = done.clone();
                async move {
                    assert!(count > 0, "a planted panic");
                    done.notify_one();
                    Ok::<_, String>(0)
                }
            }
        };
        let running = tokio::spawn(run_loop("test", NEVER, wake, stop.signal(), step));
        done.notified().await;
        stop.stop();
        running.await.expect("the loop ends");
    }

    #[tokio::test]
    async fn a_step_that_has_begun_is_finished_before_the_loop_stops() {
        let (stop, begun, go_on) = (Stop::new(), Arc::new(Notify::new()), Arc::new(Notify::new()));
        let finished = Arc::new(AtomicUsize::new(0));
        let step = {
            let (begun, go_on, finished) = (begun.clone(), go_on.clone(), finished.clone());
            move || {
                let (begun, go_on, finished) = (begun.clone(), go_on.clone(), finished.clone());
                async move {
                    begun.notify_one();
                    go_on.notified().await;
                    finished.fetch_add(1, Ordering::SeqCst);
                    Ok::<_, String>(1)
                }
            }
        };
        let running = tokio::spawn(run_loop("test", NEVER, Arc::default(), stop.signal(), step));
        begun.notified().await;
        stop.stop();
        go_on.notify_one();
        running.await.expect("the loop ends");
        assert_eq!(finished.load(Ordering::SeqCst), 1);
    }
}
