//! A sandbox says what it is, and neither it nor another server takes the other's database.

use pippost::app::{App, AppError, Parts};
use pippost::clock::Clock;
use pippost::games::Tuning;
use pippost::keys::{SecretKey, SigningKeys};
use pippost::store::database;
use serde_json::json;
use std::sync::Arc;

use super::{CLOCK, DELIVERIES, MAILS};
use support::{START, TestApp, cluster};

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_says_so_on_every_page_in_its_document_and_in_every_answer() {
    let (sandbox, plain) = (TestApp::sandbox().await, TestApp::start().await);
    for (app, is_sandbox) in [(&sandbox, true), (&plain, false)] {
        let stranger = app.stranger();
        for path in ["/", "/healthz", "/openapi.json", "/api/v1/rules", "/api/v1/nothing"] {
            let answer = stranger.get(path).await;
            assert_eq!(answer.headers.contains_key("pippost-sandbox"), is_sandbox, "{path}");
        }
        assert_eq!(stranger.get("/").await.text().contains("nothing here counts"), is_sandbox);
        assert_eq!(stranger.get("/healthz").await.ok()["sandbox"], is_sandbox);
        assert_eq!(stranger.get("/readyz").await.ok()["sandbox"], is_sandbox);
        let about = stranger.get("/openapi.json").await.ok()["info"].to_string();
        assert_eq!(about.contains("nothing here counts"), is_sandbox, "{about}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_answers_that_it_is_no_sandbox() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    ann.get(CLOCK).await.problem(404, "not_a_sandbox");
    ann.post(CLOCK, &json!({"advance_seconds": 1})).await.problem(404, "not_a_sandbox");
    ann.get(MAILS).await.problem(404, "not_a_sandbox");
    ann.get(DELIVERIES).await.problem(404, "not_a_sandbox");
    let mail = format!("{MAILS}/01a209f0-0000-7000-8000-000000000000");
    ann.get(&format!("{mail}/message")).await.problem(404, "not_a_sandbox");
    ann.post(&format!("{mail}/answer"), &json!({"text": "store"})).await.problem(404, "not_a_sandbox");
    assert_eq!(app.app.clock.now(), START);
}

/// A server on that database with that clock.
async fn opened(app: &TestApp, clock: Clock) -> Result<App, AppError> {
    let keys = app.keys.path();
    let parts = Parts {
        address: Arc::new(app.address()),
        replica: None,
        archive: None,
        connections: 4,
        tuning: Tuning { cache_bytes: 1 << 20, writers: 1 },
        clock,
        secret: Arc::new(SecretKey::in_folder(keys).expect("a key")),
        signing: Arc::new(SigningKeys::in_folder(keys).expect("a key")),
        public_url: app.url.clone(),
        account_limits: pippost::accounts::AccountLimits::generous(),
        beacon: None,
    };
    App::build(parts).await
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_takes_the_database_of_the_other_nor_changes_it() {
    if cluster::plain_only("takes back migrations from before the tables were distributed") {
        return;
    }
    let plain = || Clock::standing_at(START);
    let (sandbox, other) = (TestApp::sandbox().await, TestApp::start().await);
    assert!(matches!(opened(&sandbox, plain()).await, Err(AppError::IsSandbox)));
    assert!(matches!(opened(&other, Clock::ahead_of(plain())).await, Err(AppError::NoSandbox)));
    for (app, is_sandbox) in [(&sandbox, true), (&other, false)] {
        pippost::app::migrate(&app.address(), is_sandbox).await.expect("its own");
        let refused = pippost::app::migrate(&app.address(), !is_sandbox).await.expect_err("another's");
        assert!(matches!(refused, AppError::IsSandbox | AppError::NoSandbox), "{refused}");
    }
    // A database of an older program has no mark. Even its tables stay as they are.
    database::revert(&other.address()).await.expect("the newest migration is the sandbox's");
    let refused = pippost::app::migrate(&other.address(), true).await.expect_err("no sandbox's");
    assert!(matches!(refused, AppError::NoSandbox), "{refused}");
    assert_eq!(database::migrate(&other.address()).await.expect("a migration"), 1);
    // One that no server has used belongs to the first.
    let empty = cluster::address(&cluster::new_database().await);
    pippost::app::migrate(&empty, true).await.expect("an empty one");
    pippost::app::migrate(&empty, false).await.expect("an empty one");
}
