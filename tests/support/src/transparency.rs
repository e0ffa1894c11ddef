//! A server with a log over all records, which tests sequence themselves.

use pippost::games::transparency::{DEFAULT_LOG_WITHIN_SECONDS, begin, sequence};

use crate::{TestApp, cluster};

/// A server whose log has begun; `None` on a cluster, which has none.
pub async fn with_log() -> Option<TestApp> {
    if cluster::plain_only("reads the log, which a cluster does not have") {
        return None;
    }
    let app = TestApp::start().await;
    begin(&app.app.games, DEFAULT_LOG_WITHIN_SECONDS).await.expect("a log");
    Some(app)
}

/// Sequences until nothing is left to do; returns how many steps that took.
pub async fn sequence_all(app: &TestApp) -> usize {
    let mut steps = 0;
    while sequence(&app.app.games).await.expect("a step") > 0 {
        steps += 1;
    }
    steps
}
