//! `POST /api/v1/verify`: takes a record and returns a verdict.

use std::time::Duration;

use pippost::accounts::{AccountLimits, Rate};
use pippost::api::verify::MAX_VERIFIED_BYTES;
use reqwest::Method;
use serde_json::{Value, json};

use support::client::Answer;
use support::{Client, TestApp};

const FINISHED: &str = include_str!("../vectors/pip-pip-1.ndjson");
const RUNNING: &str = include_str!("../vectors/serpent-running.ndjson");

pub async fn send(stranger: &Client, record: impl Into<Vec<u8>>) -> Answer {
    let headers = [("Content-Type", "application/x-ndjson")];
    stranger.send_bytes(Method::POST, "/api/v1/verify", Some(record.into()), &headers).await
}

/// The `failure` of a record that must be refused.
async fn failure(stranger: &Client, record: impl Into<Vec<u8>>) -> Value {
    let verdict = send(stranger, record).await.ok();
    assert_eq!((&verdict["verdict"], &verdict["proved"]), (&json!("refused"), &Value::Null), "{verdict}");
    verdict["failure"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_learns_what_a_good_record_says_and_whether_it_is_proved() {
    let app = TestApp::start().await;
    let verdict = send(&app.stranger(), FINISHED).await.ok();
    assert_eq!((&verdict["verdict"], &verdict["proved"]), (&json!("accepted"), &json!(true)), "{verdict}");
    assert_eq!((&verdict["rules"], &verdict["failure"]), (&json!("pip-pip"), &Value::Null));
    assert_eq!(verdict["events"], json!(21));
    assert!(verdict["result"]["places"].is_array() && verdict["players"].is_array(), "{verdict}");
    let verdict = send(&app.stranger(), RUNNING).await.ok();
    assert_eq!((&verdict["verdict"], &verdict["proved"]), (&json!("accepted"), &json!(false)), "{verdict}");
    assert_eq!(verdict["result"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_this_server_is_accepted_as_it_was_exported() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = ann.post("/api/v1/games", &json!({"rules": "serpent"})).await.json();
    let game = format!("/api/v1/games/{}", game["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    let record = app.stranger().get(&format!("{game}/record")).await.body;
    let verdict = send(&app.stranger(), record).await.ok();
    assert_eq!((&verdict["verdict"], &verdict["events"]), (&json!("accepted"), &json!(1)), "{verdict}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_record_is_refused_with_the_check_the_event_and_the_words() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    let changed = failure(&stranger, FINISHED.replacen("\"die\":4", "\"die\":5", 1)).await;
    assert_eq!((&changed["check"], &changed["check_name"]), (&json!(2), &json!("chain")), "{changed}");
    assert!(changed["event"].is_u64() && changed["part"] == "event", "{changed}");
    assert_eq!(changed["why"], "`hash` is not the hash of the event: the event was changed");
    assert!(changed["meaning"].as_str().is_some_and(|text| text.contains("do not belong together")));
    let master = failure(&stranger, FINISHED.replace("\"master\":\"", "\"master\":\"0")).await;
    assert_eq!(
        (&master["check"], &master["part"], &master["event"]),
        (&json!(1), &json!("footer"), &Value::Null)
    );
    let rules = failure(&stranger, FINISHED.replace("\"rules_version\":1", "\"rules_version\":7")).await;
    assert_eq!(rules["why"], "no rule set `pip-pip` in version 7 is known");
    assert_eq!(rules["part"], "header");
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_is_refused_like_any_record_and_nothing_else_happens() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    for garbage in [&b""[..], b"\n", b"hello", b"\xff\xfe\x00", b"{}\n", &[b'['; 10_000]] {
        let refused = failure(&stranger, garbage).await;
        assert_eq!((&refused["check"], &refused["part"]), (&json!(1), &json!("header")), "{refused}");
    }
    let mut broken = FINISHED.as_bytes().to_vec();
    let third = FINISHED.match_indices('\n').nth(2).expect("lines").0;
    broken[third - 5] = 0xff;
    let refused = failure(&stranger, broken).await;
    assert_eq!((&refused["check"], &refused["event"]), (&json!(1), &json!(1)), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_of_another_type_is_not_read() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    send(&stranger, vec![b' '; MAX_VERIFIED_BYTES]).await.expect_status(200);
    send(&stranger, vec![b' '; MAX_VERIFIED_BYTES + 1]).await.problem(413, "body_too_large");
    let body = Some(FINISHED.to_owned());
    let as_json = stranger.send(Method::POST, "/api/v1/verify", body, &[]).await;
    as_json.problem(415, "unsupported_media_type");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_that_asks_too_often_is_asked_to_wait() {
    let verification = Rate::new(2, Duration::from_mins(1));
    let app = TestApp::with_limits(AccountLimits { verification, ..AccountLimits::generous() }).await;
    for _ in 0..2 {
        send(&app.stranger(), FINISHED).await.expect_status(200);
    }
    let refused = send(&app.stranger(), FINISHED).await;
    refused.problem(429, "too_many_requests");
    assert_eq!(refused.headers["retry-after"], "60");
}
