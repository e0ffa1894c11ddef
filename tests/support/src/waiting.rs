//! Waiting for what a test expects, by looking again.

use std::time::Duration;

use tokio::time::MissedTickBehavior;

/// How long to wait for an expected event.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Waits until a condition holds.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let mut looks = tokio::time::interval(Duration::from_millis(5));
    // A look may take long, such as that of a program.
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let waiting = async {
        while !is_so().await {
            looks.tick().await;
        }
    };
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("waited for {what}"));
}

/// As [`until`], for tests without a runtime: waits until `look` finds something.
pub fn found<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut found = None;
    runtime.block_on(until(what, async || {
        found = look();
        found.is_some()
    }));
    found.expect("it was waited for")
}
