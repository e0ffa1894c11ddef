//! `Idempotency-Key` on everything that creates: once, with the same answer, and no token in the database.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pippost::store::schema::idempotency_keys;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use crate::api::games::{open_game, pip_pip};
use crate::support::client::Answer;
use crate::support::{Client, PASSWORD, TestApp};

const KEY: &str = "a-key";

async fn keyed(client: &Client, path: &str, body: &Value, key: &str) -> Answer {
    client.send(Method::POST, path, Some(body.to_string()), &[("Idempotency-Key", key)]).await
}

/// What is stored under all keys, as text.
async fn db_stored(app: &TestApp) -> Vec<String> {
    let mut connection = app.app.database.get().await.expect("a connection");
    idempotency_keys::table.select(idempotency_keys::answer).load(&mut connection).await.expect("rows")
}

/// Sends the request twice one after the other, and eight times at once: it is done once, and all get the same answer. Returns it.
async fn repeated(client: &Client, path: &str, body: &Value, other: &Value) -> Answer {
    let first = keyed(client, path, body, KEY).await;
    assert!(first.status.is_success(), "{path}: {}", first.text());
    let again = futures_util::future::join_all((0..8).map(|_| keyed(client, path, body, KEY))).await;
    for answer in again {
        assert_eq!((answer.status, answer.text()), (first.status, first.text()), "{path}");
    }
    keyed(client, path, other, KEY).await.problem(409, "idempotency_key_reused");
    first
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_created_once_for_each_key() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "private": true, "limit_hours": 24});
    let other = json!({"rules": "pip-pip", "private": true, "limit_hours": 25});
    let created = repeated(&ann, "/api/v1/games", &wanted, &other).await;
    let mine = ann.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(mine["games"].as_array().map(Vec::len), Some(1));
    // Members may stand in any order, and defaults may be written out.
    let same = json!({"limit_hours": 24, "private": true, "rules": "pip-pip", "seating": "random"});
    assert_eq!(keyed(&ann, "/api/v1/games", &same, KEY).await.text(), created.text());
    // Somebody else's key is another.
    let theirs = keyed(&bob, "/api/v1/games", &wanted, KEY).await.expect_status(201).json();
    assert_ne!(theirs["id"], created.json()["id"]);
    // The answer is as it was, whatever has become of the game.
    let game = format!("/api/v1/games/{}", created.json()["id"].as_str().expect("an id"));
    let invitation = created.json()["invitation"].as_str().expect("a token").to_owned();
    bob.post(&format!("{game}/join"), &json!({"invitation": invitation})).await.ok();
    assert_eq!(keyed(&ann, "/api/v1/games", &wanted, KEY).await.text(), created.text());
    assert!(db_stored(&app).await.iter().all(|stored| !stored.contains(&invitation)));
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_first_requests_at_once_create_one_game() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let wanted = json!({"rules": "pip-pip"});
    let answers = futures_util::future::join_all((0..8).map(|_| keyed(&ann, "/api/v1/games", &wanted, KEY)));
    let ids: Vec<Value> =
        answers.await.iter().map(|answer| answer.expect_status(201).json()["id"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_and_messages_go_out_once_for_each_key() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let say = format!("{game}/messages");
    repeated(&ann, &say, &json!({"text": "hello"}), &json!({"text": "hi"})).await;
    let heard = bob.get(&say).await.ok();
    assert_eq!(heard["messages"].as_array().map(Vec::len), Some(1));
    let open = open_game(&bob).await;
    let invite = format!("{open}/invitations");
    let guest = |name: &str| json!({"email": format!("{name}@example.org")});
    repeated(&bob, &invite, &guest("guest"), &guest("other")).await;
    // One of sixteen is used up, and repeating the request uses up none.
    for number in 1..16 {
        bob.post(&invite, &guest(&format!("guest{number}"))).await.expect_status(202);
    }
    keyed(&bob, &invite, &guest("guest"), KEY).await.expect_status(202);
    bob.post(&invite, &guest("last")).await.problem(409, "too_many_invitations");
    // The same body at another address is another request.
    keyed(&bob, &format!("{}/invitations", open_game(&bob).await), &guest("guest"), KEY)
        .await
        .problem(409, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_leaves_its_key_unused() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for _ in 0..50 {
        open_game(&ann.unchecked()).await;
    }
    let wanted = json!({"rules": "pip-pip"});
    keyed(&ann, "/api/v1/games", &wanted, KEY).await.problem(409, "too_many_open_games");
    let mine = ann.get("/api/v1/games?list=mine&limit=1").await.ok();
    let game = mine["games"][0]["id"].as_str().expect("an id").to_owned();
    ann.post(&format!("/api/v1/games/{game}/leave"), &json!({})).await.expect_status(204);
    keyed(&ann, "/api/v1/games", &wanted, KEY).await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_for_a_token_is_shown_it_again_and_the_database_holds_none() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let wanted = json!({"name": "bot", "scopes": ["read", "play"], "expires_in_days": 7});
    let other = json!({"name": "bot", "scopes": ["read"], "expires_in_days": 7});
    let made = repeated(&ann, "/api/v1/me/tokens", &wanted, &other).await.json();
    let token = made["token"].as_str().expect("a token").to_owned();
    Client::new(&app.url, Some(token.clone())).get("/api/v1/me").await.ok();
    let listed = ann.get("/api/v1/me/tokens").await.ok();
    assert_eq!(listed["tokens"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["tokens"][0]["created_at"], made["created_at"]);
    let stored = db_stored(&app).await;
    assert_eq!(stored.len(), 1);
    assert!(!stored[0].contains(&token) && !stored[0].contains("ppt_") && !stored[0].contains("bot"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_whose_answer_was_lost_can_be_repeated_by_whoever_sent_it_alone() {
    let app = TestApp::start().await;
    let guest = app.guest();
    let new = json!({"handle": "ann", "email": "ann@example.org", "password": PASSWORD});
    let first = keyed(&guest, "/api/v1/accounts", &new, KEY).await;
    first.expect_status(201);
    let again = keyed(&guest, "/api/v1/accounts", &new, KEY).await;
    assert_eq!(again.expect_status(201).text(), first.text());
    let token = again.json()["access_token"].as_str().expect("a token").to_owned();
    Client::new(&app.url, Some(token.clone())).get("/api/v1/me").await.ok();
    // Another key, another password and no key are somebody else's.
    let mut guessed = new.clone();
    guessed["password"] = json!("another horse battery staple");
    keyed(&guest, "/api/v1/accounts", &guessed, KEY).await.problem(409, "handle_taken");
    keyed(&guest, "/api/v1/accounts", &new, "another").await.problem(409, "handle_taken");
    guest.post("/api/v1/accounts", &new).await.problem(409, "handle_taken");
    let stored = db_stored(&app).await;
    assert_eq!(stored.len(), 1);
    assert!(["ppr_", "ann", &token].iter().all(|secret| !stored[0].contains(*secret)));
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_answers_are_forgotten_after_seven_days() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let wanted = json!({"rules": "pip-pip"});
    let first = keyed(&ann, "/api/v1/games", &wanted, KEY).await.expect_status(201).json();
    app.app.clock.advance(Duration::days(7) + Duration::SECOND);
    pippost::games::playing::forget_stored_responses(&app.app.games).await.expect("forgotten");
    assert!(db_stored(&app).await.is_empty());
    let ann = app.log_in("ann").await;
    let second = keyed(&ann, "/api/v1/games", &wanted, KEY).await.expect_status(201).json();
    assert_ne!(second["id"], first["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_cannot_be_read_are_refused_everywhere() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let long = "k".repeat(129);
    for path in ["/api/v1/games", "/api/v1/me/tokens"] {
        for key in ["", "a b", &long] {
            keyed(&ann, path, &json!({}), key).await.problem(400, "invalid_header");
        }
    }
}
