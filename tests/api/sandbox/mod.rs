//! A sandbox: its players move the clock, choose the chance of their games, read and answer the mails that it writes, and read what it
//! sends to webhooks.

mod deliveries;
mod holidays;
mod mails;
mod marks;
mod moving;
mod seeds;
mod steps;

use serde_json::{Value, json};

use support::{Client, PASSWORD, TestApp};

const CLOCK: &str = "/api/v1/sandbox/clock";
const MAILS: &str = "/api/v1/sandbox/mails";
const DELIVERIES: &str = "/api/v1/sandbox/deliveries";

/// A seed as a client chooses it.
const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// A player who has registered and confirmed the address by API alone, with the refresh token.
async fn registered(app: &TestApp, handle: &str) -> (Client, String) {
    let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
    let session = app.stranger().post("/api/v1/accounts", &body).await.expect_status(201).json();
    let player = Client::new(&app.url, session["access_token"].as_str().map(str::to_owned));
    let mail = &mails(&player).await[0];
    assert_eq!((&mail["kind"], &mail["to"]), (&json!("confirm_email"), &body["email"]), "{mail}");
    let mut tokens = mail["links"].as_array().into_iter().flatten().map(|link| &link["token"]);
    let token = tokens.find(|token| token.is_string()).expect("a link with a token");
    app.stranger().post("/api/v1/email/confirm", &json!({"token": token})).await.expect_status(204);
    assert!(player.get("/api/v1/me").await.ok()["email_confirmed_at"].is_string());
    (player, session["refresh_token"].as_str().expect("a token").to_owned())
}

/// The mails of a player, newest first.
async fn mails(player: &Client) -> Vec<Value> {
    player.get(MAILS).await.ok()["mails"].as_array().expect("a list").clone()
}

/// The kinds of a player's mails, oldest first.
async fn kinds(player: &Client) -> Vec<String> {
    let kinds = mails(player).await.into_iter().map(|mail| mail["kind"].as_str().expect("a kind").to_owned());
    kinds.rev().collect()
}

/// Moves the clock as a player with a new session, because tokens expire by that clock.
async fn advance(app: &TestApp, seconds: i64) -> Value {
    let mover = app.log_in("ann").await;
    let moved = mover.post(CLOCK, &json!({"advance_seconds": seconds})).await.ok();
    assert_eq!((&moved["due"], &moved["on_time"]), (&json!(0), &json!(true)), "{moved}");
    moved
}

/// A game with a seed that `ann` has created and `bob` has joined; returns its path.
async fn game(ann: &Client, bob: &Client, wanted: &Value) -> String {
    let created = ann.post("/api/v1/games", wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    game
}
