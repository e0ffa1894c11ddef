//! Handles SIGTERM and SIGINT, and ends the process within a time limit in any case.

use std::io;
use std::thread;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::http::DRAIN_SECONDS;
use crate::store::embedded::{Cancel, STOP_SECONDS};

/// The longest time from the signal to the end of the process.
pub const SHUTDOWN_SECONDS: u64 = 30;

/// The time for everything on the runtime to finish: requests, mails, LMTP sessions.
pub const FINISH_SECONDS: u64 = DRAIN_SECONDS + 1;

/// The rest of the limit, for the threads of the runtime.
const RUNTIME_SECONDS: u64 = SHUTDOWN_SECONDS - FINISH_SECONDS - STOP_SECONDS;

/// How to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// SIGTERM: work in progress is finished.
    Graceful,
    /// SIGINT: connections are closed at once.
    Immediate,
}

/// The signal to stop. Cheap to clone.
#[derive(Clone)]
pub struct Shutdown(watch::Receiver<Option<StopKind>>);

impl Shutdown {
    /// Starts to listen for signals. The first one sets `cancel`; the second, or the end of [`SHUTDOWN_SECONDS`], ends the
    /// process.
    ///
    /// # Errors
    /// The signal handlers cannot be installed.
    pub fn on_signals(runtime: &Runtime, cancel: Cancel) -> io::Result<Self> {
        let _inside = runtime.enter();
        let signals = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let (told, asked) = watch::channel(None);
        runtime.spawn(listen(signals, cancel, told));
        Ok(Self(asked))
    }

    /// Whether a signal has arrived.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Waits for a signal.
    pub async fn asked(&mut self) -> StopKind {
        match self.0.wait_for(Option::is_some).await {
            Ok(kind) => kind.unwrap_or(StopKind::Immediate),
            // The listening task has ended, and with it the runtime.
            Err(_) => StopKind::Immediate,
        }
    }
}

async fn listen(mut signals: (Signal, Signal), cancel: Cancel, told: watch::Sender<Option<StopKind>>) {
    let kind = next(&mut signals).await;
    tracing::info!(?kind, "told to stop");
    cancel.set();
    thread::spawn(end_in_time);
    told.send_replace(Some(kind));
    next(&mut signals).await;
    tracing::warn!("told to stop again: stopping at once");
    // The kernel shuts PostgreSQL down when its parent process ends.
    std::process::exit(1);
}

async fn next((terminate, interrupt): &mut (Signal, Signal)) -> StopKind {
    tokio::select! {
        _ = terminate.recv() => StopKind::Graceful,
        _ = interrupt.recv() => StopKind::Immediate,
    }
}

fn end_in_time() {
    thread::sleep(Duration::from_secs(SHUTDOWN_SECONDS));
    tracing::error!(SHUTDOWN_SECONDS, "the stop takes too long and is cut short");
    std::process::exit(1);
}

/// Ends a runtime, even if its threads are blocked.
pub fn end(runtime: Runtime) {
    runtime.shutdown_timeout(Duration::from_secs(RUNTIME_SECONDS));
}
