//! What pages weigh over the wire, the first time and afterwards. `pippost-bench --only pages` measures all of them, and their speed.

use serde_json::json;

use support::TestApp;
use support::window::{Window, browser};

/// The most bytes of a first and of a next visit.
const MOST_BYTES: [f64; 2] = [100_000.0, 20_000.0];

/// The bytes that came over the wire. Strangers have no service worker, which would keep some of them.
const WEIGHT: &str = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, one) => sum + one.transferSize, 0)";

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_light_the_first_time_and_lighter_afterwards() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id").to_owned();
    bob.post(&format!("/api/v1/games/{id}/join"), &json!({})).await.ok();
    let url = app.url.clone();
    let weighed = tokio::task::spawn_blocking(move || {
        let browser = browser();
        let game = format!("/games/{id}");
        for path in ["/".to_owned(), game.clone(), format!("{game}/analysis"), "/verifier".to_owned()] {
            let stranger = Window::of(&browser, &url);
            for most in MOST_BYTES {
                stranger.go(&path);
                let bytes = stranger.evaluate(WEIGHT).as_f64().expect("a number");
                assert!(bytes > 100.0 && bytes < most, "{path}: {bytes} bytes of {most}");
            }
        }
    });
    weighed.await.expect("the browser's thread");
}
