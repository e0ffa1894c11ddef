//! Runs long computations on low-priority threads.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The most threads: one verifies a record while another hashes a password. An idle thread keeps some of the memory of its work,
/// so there are no more.
const MAX_THREADS: usize = 2;

/// The threads' niceness: with 10, a request thread gets nine times as much of a contended processor.
const NICENESS: i32 = 10;

/// A runtime for its blocking threads only; no task runs on it.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let threads = Builder::new_current_thread()
        .max_blocking_threads(MAX_THREADS)
        .thread_name("background")
        .on_thread_start(yield_to_requests)
        .build();
    threads.expect("a runtime without input and output needs nothing of the system")
});

/// Runs `work` on one of these threads.
pub fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    RUNTIME.spawn_blocking(work)
}

/// Lowers the priority of the calling thread for good.
pub fn yield_to_requests() {
    // If the system refuses, the work runs at normal priority.
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_yields_and_whoever_asks_for_it_does_not() {
        let nice = || rustix::process::getpriority_process(None).expect("a priority");
        let before = nice();
        let there = compute(nice).await.expect("an answer");
        assert_eq!((there, nice()), ((before + NICENESS).min(19), before));
    }
}
