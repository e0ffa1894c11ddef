//! Waiting for what a test expects, by looking again.

use std::time::Duration;

/// How long to wait for an expected event.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Waits until a condition holds.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let mut looks = tokio::time::interval(Duration::from_millis(5));
    let waiting = async {
        while !is_so().await {
            looks.tick().await;
        }
    };
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("waited for {what}"));
}
