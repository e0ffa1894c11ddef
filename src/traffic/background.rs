//! Work that computes for long, on threads that yield to those that serve requests.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The most threads at once: one verifies a record while another hashes a password. A thread that rests keeps some of the memory that
/// its work took, so there are no more.
const MAX_THREADS: usize = 2;

/// How much these threads yield: with 10, who serves a request gets nine times as much of a processor that both want.
const NICENESS: i32 = 10;

/// Its threads are all that is wanted of it: nothing runs on it that waits.
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

/// Has the calling thread yield to those that serve requests, for good.
pub fn yield_to_requests() {
    // Where the system refuses, work goes on as it would have.
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
