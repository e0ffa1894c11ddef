//! `Idempotency-Key` on everything that creates: once, with the same answer, and no token in the database.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pippost::store::schema::idempotency_keys;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::client::Answer;
use support::games::{open_game, pip_pip, pip_pip_again};
use support::receiver::{Receiver, sender};
use support::{Client, PASSWORD, TestApp, contract};

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
    let stranger = |name: &str| json!({"email": format!("{name}@example.org")});
    repeated(&bob, &invite, &stranger("stranger"), &stranger("other")).await;
    // One of sixteen is used up, and repeating the request uses up none.
    for number in 1..16 {
        bob.post(&invite, &stranger(&format!("stranger{number}"))).await.expect_status(202);
    }
    keyed(&bob, &invite, &stranger("stranger"), KEY).await.expect_status(202);
    bob.post(&invite, &stranger("last")).await.problem(409, "too_many_invitations");
    // The same body at another address is another request.
    keyed(&bob, &format!("{}/invitations", open_game(&bob).await), &stranger("stranger"), KEY)
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
    // So long that no random text holds it.
    let name = "a program of mine";
    let wanted = json!({"name": name, "scopes": ["read", "play"], "expires_in_days": 7});
    let other = json!({"name": name, "scopes": ["read"], "expires_in_days": 7});
    let made = repeated(&ann, "/api/v1/me/tokens", &wanted, &other).await.json();
    let token = made["token"].as_str().expect("a token").to_owned();
    Client::new(&app.url, Some(token.clone())).get("/api/v1/me").await.ok();
    let listed = ann.get("/api/v1/me/tokens").await.ok();
    assert_eq!(listed["tokens"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["tokens"][0]["created_at"], made["created_at"]);
    let stored = db_stored(&app).await;
    assert_eq!(stored.len(), 1);
    assert!(!stored[0].contains(&token) && !stored[0].contains("ppt_") && !stored[0].contains(name));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_whose_answer_was_lost_can_be_repeated_by_whoever_sent_it_alone() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    // So long that no random text holds it.
    let handle = "somebody-new";
    let new = json!({"handle": handle, "email": "ann@example.org", "password": PASSWORD});
    let first = keyed(&stranger, "/api/v1/accounts", &new, KEY).await;
    first.expect_status(201);
    let again = keyed(&stranger, "/api/v1/accounts", &new, KEY).await;
    assert_eq!(again.expect_status(201).text(), first.text());
    let token = again.json()["access_token"].as_str().expect("a token").to_owned();
    Client::new(&app.url, Some(token.clone())).get("/api/v1/me").await.ok();
    // Another key, another password and no key are somebody else's.
    let mut guessed = new.clone();
    guessed["password"] = json!("another horse battery staple");
    keyed(&stranger, "/api/v1/accounts", &guessed, KEY).await.problem(409, "handle_taken");
    keyed(&stranger, "/api/v1/accounts", &new, "another").await.problem(409, "handle_taken");
    stranger.post("/api/v1/accounts", &new).await.problem(409, "handle_taken");
    let stored = db_stored(&app).await;
    assert_eq!(stored.len(), 1);
    assert!(["ppr_", handle, &token].iter().all(|secret| !stored[0].contains(*secret)));
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

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_is_booked_once_for_each_key() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let wanted = json!({"first_day": "2026-12-24", "last_day": "2026-12-26"});
    let other = json!({"first_day": "2026-12-24", "last_day": "2026-12-27"});
    let booked = repeated(&ann, "/api/v1/me/holidays", &wanted, &other).await.json();
    let listed = ann.get("/api/v1/me/holidays").await.ok();
    assert_eq!(listed["holidays"], json!([booked]));
    // Without the key, and with another one, it is a second holiday on the same days.
    ann.post("/api/v1/me/holidays", &wanted).await.problem(409, "calendar_refused");
    keyed(&ann, "/api/v1/me/holidays", &wanted, "another").await.problem(409, "calendar_refused");
    // What was refused has not used up its key.
    let free = json!({"first_day": "2026-12-27", "last_day": "2026-12-28"});
    keyed(&ann, "/api/v1/me/holidays", &free, "another").await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gift_and_a_proposal_are_made_once_and_answered_as_before_whatever_has_come_since() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let view = ann.get(&game).await.ok();
    let (to_act, giver) = (view["to_act"].clone(), if view["my_turn"] == true { &bob } else { &ann });
    let gift = |hours: u8| json!({"to": to_act, "hours": hours, "line": 0});
    let given = repeated(giver, &format!("{game}/gifts"), &gift(2), &gift(3)).await.json();
    assert_eq!(ann.get(&format!("{game}/clock")).await.ok()["line"], given["line"], "one gift");

    let pause = format!("{game}/pause");
    let until = |day: u8| json!({"until": format!("2026-11-{day}T12:00:00Z")});
    let told = async || bob.get("/api/v1/me/mails").await.ok()["mails"].as_array().map(Vec::len);
    let proposed = keyed(&ann, &pause, &until(24), "pause").await;
    let mails = told().await;
    assert_eq!(keyed(&ann, &pause, &until(24), "pause").await.text(), proposed.text());
    assert_eq!(told().await, mails, "nobody is asked twice");
    keyed(&ann, &pause, &until(25), "pause").await.problem(409, "idempotency_key_reused");
    bob.post(&format!("{pause}/agree"), &until(24)).await.ok();
    ann.post(&pause, &until(24)).await.problem(409, "clock_refused");
    assert_eq!(keyed(&ann, &pause, &until(24), "pause").await.text(), proposed.text());
}

/// Operations by POST that take no key, and why nobody needs one.
const WITHOUT_KEY: [(&str, &str); 39] = [
    ("accept_challenge", "Begins one game at most: a repeated request is told so."),
    ("act_on_member", "What is done already changes nothing."),
    ("agree_to_pause", "Says yes to one proposal, however often."),
    ("analyse_game", "Reads."),
    ("cancel_tournament", "Ends one tournament."),
    ("challenge_on_ladder", "One challenge between two at a time: a repeated request is told so."),
    ("challenge_webhook", "Makes the last challenge the one that counts, and sends it."),
    ("change_password", "Takes the old password, which then is none."),
    ("check_receipt", "Reads."),
    ("confirm_email", "Takes a link that counts once."),
    ("decline_pause", "Takes one proposal away."),
    ("delete_account", "Ends the account; there is none for a second time."),
    ("enter_tournament", "Takes one place at most: a repeated request is told so."),
    ("give_app_tokens", "As OAuth 2.1 has it: takes a code or a refresh token that counts once."),
    ("give_device_codes", "Codes that nobody types end by themselves."),
    ("join_club", "Whoever is in it or asks stays so."),
    ("join_game", "Takes one seat at most: a repeated request is told so."),
    ("join_ladder", "Takes one place at most: a repeated request is told so."),
    ("leave_club", "Whoever is not in it stays so."),
    ("leave_game", "Gives a seat up."),
    ("leave_ladder", "Gives a place up."),
    ("log_in", "A session that nobody uses ends by itself."),
    ("move_sandbox_clock", "Creates nothing; `to` moves once."),
    ("offer_seat", "A seat is offered once."),
    ("preview_move", "Reads."),
    ("receive_mail", "The mail's own Message-ID tells a repetition."),
    ("redeliver_webhook_event", "Its purpose is to send again; `webhook-id` tells the receiver."),
    ("refresh_session", "Takes a refresh token that counts once."),
    ("report_player", "A player has one open report of another: a repeated request is told so."),
    ("resend_confirmation", "Its purpose is to send again; limited."),
    ("reset_password", "Takes a link that counts once."),
    ("revoke_app_token", "Ends what it names."),
    ("subscribe_to_push", "The same endpoint is one subscription, however often."),
    ("take_seat", "Takes one seat at most: a repeated request is told so."),
    ("verify_record", "Reads."),
    ("verify_webhook", "Takes a challenge that counts once."),
    ("withdraw_from_tournament", "Gives a place up."),
    (
        "answer_sandbox_mail",
        "A mail program has no key either: the position that the mail shows is the condition.",
    ),
    (
        "request_password_reset",
        "Anybody may ask, so no key could be somebody's; limited, and the links expire.",
    ),
];

/// The operations by POST: with their key, and without one.
fn posts() -> [BTreeSet<&'static str>; 2] {
    let items = contract::document()["paths"].as_object().expect("paths").values();
    let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
    for operation in items.filter_map(|item| item.get("post")) {
        let takes = contract::parameters(operation).any(|parameter| parameter["name"] == "Idempotency-Key");
        let name = operation["operationId"].as_str().expect("a name");
        if takes {
            with.insert(name)
        } else {
            without.insert(name)
        };
    }
    [with, without]
}

#[test]
fn whatever_creates_takes_a_key_or_says_why_it_needs_none() {
    let [_, without] = posts();
    let reasoned: BTreeSet<_> = WITHOUT_KEY.iter().map(|(name, _)| *name).collect();
    assert_eq!(without, reasoned);
    let created = contract::document()["paths"].as_object().expect("paths").values();
    for operation in created.filter_map(|item| item.get("post")) {
        let name = operation["operationId"].as_str().expect("a name");
        let creates = operation["responses"].get("201").is_some();
        assert!(!creates || !without.contains(name) || name == "log_in", "{name} answers 201");
    }
}

/// The operations that were asked twice.
struct Creating {
    done: BTreeSet<&'static str>,
}

impl Creating {
    /// Asks twice with the same key: the answers are the same. Returns it.
    async fn twice(&mut self, who: &Client, operation: &'static str, path: &str, body: Value) -> Value {
        let first = keyed(who, path, &body, operation).await;
        assert!(first.status.is_success(), "{operation}: {}", first.text());
        let again = keyed(who, path, &body, operation).await;
        assert_eq!((again.status, again.text()), (first.status, first.text()), "{operation}");
        self.done.insert(operation);
        serde_json::from_slice(&first.body).unwrap_or_default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_takes_a_key_answers_a_repeated_request_as_before() {
    let app = TestApp::with_sender(sender()).await;
    let receiver = Receiver::start();
    let mut all = Creating { done: BTreeSet::new() };
    let (game, [ann, bob]) = pip_pip(&app).await;
    let new = json!({"handle": "carol", "email": "carol@example.org", "password": PASSWORD});
    all.twice(&app.stranger(), "register", "/api/v1/accounts", new).await;
    let made = json!({"name": "App", "homepage": "https://app.example.org/", "redirect_uris": ["http://127.0.0.1/"]});
    all.twice(&ann, "register_app", "/api/v1/me/apps", made).await;
    all.twice(&ann, "create_token", "/api/v1/me/tokens", json!({"name": "bot", "scopes": ["read"]})).await;
    let days = json!({"first_day": "2026-12-24", "last_day": "2026-12-26"});
    all.twice(&ann, "book_holiday", "/api/v1/me/holidays", days).await;
    let hook = json!({"url": receiver.url, "kinds": ["turn"]});
    let hook = all.twice(&ann, "register_webhook", "/api/v1/me/webhooks", hook).await;
    let hook = format!("/api/v1/me/webhooks/{}", hook["id"].as_str().expect("an id"));
    all.twice(&ann, "rotate_webhook_secret", &format!("{hook}/secret"), json!({})).await;
    let open = all.twice(&ann, "create_game", "/api/v1/games", json!({"rules": "pip-pip"})).await;
    let open = format!("/api/v1/games/{}", open["id"].as_str().expect("an id"));
    let tournament = json!({
        "title": "A cup", "rules": "pip-pip", "kind": "swiss", "most_players": 8, "time_control": {"limit_hours": 24},
    });
    all.twice(&ann, "create_tournament", "/api/v1/tournaments", tournament).await;
    all.twice(&ann, "make_club", "/api/v1/clubs", json!({"name": "Dice", "open": true})).await;
    let stranger = json!({"email": "stranger@example.org"});
    all.twice(&ann, "invite", &format!("{open}/invitations"), stranger).await;

    all.twice(&ann, "say_message", &format!("{game}/messages"), json!({"text": "hello"})).await;
    let until = json!({"until": "2026-11-24T12:00:00Z"});
    all.twice(&ann, "propose_pause", &format!("{game}/pause"), until).await;
    let view = ann.get(&game).await.ok();
    let (mover, other) = if view["my_turn"] == true { (&ann, &bob) } else { (&bob, &ann) };
    let gift = json!({"to": view["to_act"], "hours": 2, "line": 0});
    all.twice(other, "give_time", &format!("{game}/gifts"), gift).await;
    let legal = mover.get(&format!("{game}/actions")).await.ok();
    let body = json!({"actions": [legal["actions"][0]], "expected_seq": legal["seq"]});
    all.twice(mover, "make_move", &format!("{game}/moves"), body).await;
    all.twice(other, "abort_game", &format!("{game}/abort"), json!({})).await;
    let dave = app.player("dave").await;
    let second = pip_pip_again(&ann, &dave).await;
    all.twice(&dave, "resign_game", &format!("{second}/resign"), json!({})).await;
    all.twice(&dave, "keep_study", &format!("{second}/studies"), json!({"title": "The end"})).await;
    let [with, _] = posts();
    assert_eq!(all.done, with);
}
