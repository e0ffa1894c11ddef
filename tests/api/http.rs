//! What HTTP gives a client beside the body: where a thing is that was made, whether an answer was given before, what may be left out.

use reqwest::Method;
use serde_json::json;

use support::client::{Answer, Client};
use support::games::{open_game, pip_pip};
use support::{TestApp, contract};

fn location(answer: &Answer) -> String {
    answer.expect_status(201).headers["location"].to_str().expect("an address").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_created_says_where_it_is() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let made = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await;
    assert_eq!(ann.get(&location(&made)).await.ok()["id"], made.json()["id"]);
    let said = ann.post(&format!("{game}/messages"), &json!({"text": "Hello!"})).await;
    assert_eq!(ann.get(&location(&said)).await.ok()["messages"][0], said.json());
    let account = json!({"handle": "cid", "email": "cid@example.org", "password": "a password of cid"});
    let registered = app.stranger().post("/api/v1/accounts", &account).await;
    let token = registered.json()["access_token"].as_str().map(str::to_owned);
    assert_eq!(Client::new(&app.url, token).get(&location(&registered)).await.ok()["handle"], "cid");
    let token = ann.post("/api/v1/me/tokens", &json!({"name": "bot", "scopes": ["read"]})).await;
    ann.delete(&location(&token)).await.expect_status(204);
}

/// The test client wants the header in every answer of the status 201.
#[test]
fn the_document_says_where_each_created_thing_is() {
    let mut created = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let answer = contract::meant(&operation["responses"]["201"]);
            if answer.is_object() {
                assert!(answer["headers"]["Location"].is_object(), "{method} {path}");
                created += 1;
            }
        }
    }
    assert!(created >= 9, "{created}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_given_before_says_so() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let key = [("Idempotency-Key", "one")];
    for (path, body) in [
        ("/api/v1/games".to_owned(), json!({"rules": "pip-pip"})),
        ("/api/v1/me/tokens".to_owned(), json!({"name": "bot", "scopes": ["read"]})),
        (format!("{game}/messages"), json!({"text": "Hello!"})),
        (format!("{game}/resign"), json!({})),
    ] {
        let key = [("Idempotency-Key", path.as_str())];
        let send = || ann.send(Method::POST, &path, Some(body.to_string()), &key);
        let (first, second) = (send().await, send().await);
        assert_eq!(first.status, second.status, "{path}: {}", second.text());
        assert!(!first.headers.contains_key("idempotent-replayed"), "{path}");
        assert_eq!(second.headers["idempotent-replayed"], "true", "{path}");
    }
    bob.send(Method::POST, "/api/v1/games", Some("{\"rules\": \"pip-pip\"}".into()), &key)
        .await
        .expect_status(201);
    let other = bob.send(Method::POST, "/api/v1/games", Some("{\"rules\": \"serpent\"}".into()), &key).await;
    other.problem(409, "idempotency_key_reused");
    assert!(!other.headers.contains_key("idempotent-replayed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_may_be_left_out_where_nothing_in_it_is_needed() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = open_game(&ann).await;
    let joined = bob.send(Method::POST, &format!("{game}/join"), None, &[]).await;
    assert_eq!(joined.ok()["status"], "running");
    bob.send(Method::POST, &format!("{game}/analysis"), None, &[]).await.ok();
    ann.send(Method::POST, &format!("{game}/resign"), Some(String::new()), &[]).await.ok();
    // Elsewhere a body that was lost on the way must not pass for an empty one.
    let lost = ann.send(Method::PUT, "/api/v1/me/calendar", Some(String::new()), &[]).await;
    lost.problem(400, "malformed_body");
}

#[test]
fn the_document_needs_a_body_wherever_an_empty_object_does_not_fit() {
    let mut without = 0;
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        let body = &item["post"]["requestBody"];
        if !body["content"]["application/json"].is_object() {
            continue;
        }
        let place = path.replace('~', "~0").replace('/', "~1");
        let pointer = format!("/paths/{place}/post/requestBody/content/application~1json/schema");
        let fits = contract::errors(&pointer, &json!({})).is_empty();
        assert_eq!(body["required"] == true, !fits, "{path}");
        without += usize::from(fits);
    }
    assert!(without >= 4, "{without}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_finds_a_weakness_learns_whom_to_tell() {
    let app = TestApp::start().await;
    let shown = app.stranger().unchecked().get("/.well-known/security.txt").await;
    shown.expect_status(200);
    assert!(shown.headers["content-type"].to_str().expect("text").starts_with("text/plain"));
    let text = shown.text();
    assert!(text.starts_with(&format!("Contact: {}\n", app.url)), "{text}");
    assert!(text.contains("\nExpires: 2026-12-21T00:00:00Z\n"), "{text}");
}
