//! Runs long computations on low-priority threads.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Kinds of long computations. Each has threads of its own, so that none waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Of a password, for which somebody waits who was here before.
    HashingForKnown,
    HashingForStrangers,
    /// Of mails that came in, and of what games were at earlier events.
    Reading,
    /// Of records and pictures.
    Other,
}

/// The most threads of a kind. An idle thread keeps some of the memory of its work, so there are no more.
const MAX_THREADS: usize = 2;

/// The threads' niceness: all of them together get less than an eighth of what one request thread gets of a contended processor. The
/// scheduling class for idle time would leave them nothing beside other programs that are always busy.
const NICENESS: i32 = 19;

/// Runtimes for their blocking threads only; no task runs on them.
static RUNTIMES: LazyLock<[Runtime; 4]> = LazyLock::new(|| {
    [
        // Known networks have places of their own, so they ask for few.
        threads("hashing-known", || ()),
        threads("hashing", yield_to_requests),
        threads("reading", yield_to_requests),
        threads("background", yield_to_requests),
    ]
});

fn threads(name: &str, start: fn()) -> Runtime {
    let threads = Builder::new_current_thread()
        .max_blocking_threads(MAX_THREADS)
        .thread_name(name)
        .on_thread_start(start)
        .build();
    threads.expect("a runtime without input and output needs nothing of the system")
}

/// Runs `work` on one of the threads of its kind.
pub fn compute<T: Send + 'static>(kind: Work, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    RUNTIMES[kind as usize].spawn_blocking(work)
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
        let others = [Work::HashingForStrangers, Work::Reading, Work::Other].map(|kind| (kind, NICENESS));
        for (kind, niceness) in others.into_iter().chain([(Work::HashingForKnown, 0)]) {
            let there = compute(kind, nice).await.expect("an answer");
            assert_eq!((there, nice()), ((before + niceness).min(19), before), "{kind:?}");
        }
    }
}
