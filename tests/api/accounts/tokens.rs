//! Personal access tokens, for bots and scripts.

use futures_util::future::join_all;
use serde_json::{Value, json};
use time::Duration;

use super::{CURRENT_SESSION, ME, MY_TOKENS, personal_token, text};
use support::{Client, PASSWORD, TestApp};

const GAMES: &str = "/api/v1/games";

#[tokio::test(flavor = "multi_thread")]
async fn a_personal_token_allows_its_scopes_and_never_the_account() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let (reads, plays) = (personal_token(&ann, &["read"]).await, personal_token(&ann, &["play"]).await);
    let new_game = json!({"rules": "pip-pip"});
    for bot in [&reads, &plays] {
        let lacking = bot.post(GAMES, &new_game).await.problem(403, "missing_scope");
        assert_eq!(lacking["scope"], "manage");
    }
    let manages = personal_token(&ann, &["manage"]).await;
    manages.post(GAMES, &new_game).await.expect_status(201);
    let preferences = "/api/v1/me/notification-preferences";
    plays.patch(preferences, &json!({})).await.problem(403, "missing_scope");
    personal_token(&ann, &["mail"]).await.patch(preferences, &json!({})).await.ok();
    assert_eq!(reads.get(ME).await.ok()["handle"], "ann");
    assert_eq!(plays.get(ME).await.problem(403, "missing_scope")["scope"], "read");

    for bot in [reads, plays, manages] {
        bot.patch(ME, &json!({"mail_enabled": false})).await.problem(403, "missing_scope");
        bot.get(MY_TOKENS).await.problem(403, "missing_scope");
        let more = json!({"name": "more", "scopes": ["play"]});
        bot.post(MY_TOKENS, &more).await.problem(403, "missing_scope");
        bot.delete(CURRENT_SESSION).await.problem(403, "missing_scope");
        bot.post(super::RESEND, &json!({})).await.problem(403, "missing_scope");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_personal_token_is_shown_once_listed_and_revoked_at_once() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let request = json!({"name": "my bot", "scopes": ["play", "read"], "expires_in_days": 30});
    let made = ann.post(MY_TOKENS, &request).await.expect_status(201).json();
    assert!(text(&made["token"]).starts_with("ppt_"));
    assert_eq!(made["scopes"], json!(["read", "play"]));
    assert_eq!(made["expires_at"], "2026-12-21T12:00:00.000000Z");
    let mut bot = ann.clone();
    bot.token = Some(text(&made["token"]).to_owned());
    bot.get(ME).await.ok();

    let mut shown = made.clone();
    shown.as_object_mut().expect("an object").remove("token");
    assert_eq!(ann.get(MY_TOKENS).await.ok(), json!({"tokens": [shown]}));
    assert_eq!(bob.get(MY_TOKENS).await.ok(), json!({"tokens": []}));
    let one = format!("{MY_TOKENS}/{}", text(&made["id"]));
    bob.delete(&one).await.problem(404, "not_found");
    bot.get(ME).await.ok();
    ann.delete(&one).await.expect_status(204);
    bot.get(ME).await.problem(401, "unauthenticated");
    ann.delete(&one).await.problem(404, "not_found");
    ann.delete(&format!("{MY_TOKENS}/nonsense")).await.problem(404, "not_found");
    assert_eq!(ann.get(MY_TOKENS).await.ok(), json!({"tokens": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_personal_token_ends_on_its_day() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let forever = personal_token(&ann, &["read"]).await;
    let request = json!({"name": "short", "scopes": ["read"], "expires_in_days": 1});
    let made = ann.post(MY_TOKENS, &request).await.expect_status(201).json();
    let short = Client::new(&app.url, Some(text(&made["token"]).to_owned()));
    short.get(ME).await.ok();
    app.app.clock.advance(Duration::days(1) - Duration::seconds(1));
    short.get(ME).await.ok();
    app.app.clock.advance(Duration::seconds(1));
    short.get(ME).await.problem(401, "unauthenticated");
    forever.get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_revoked_at_one_server_ends_at_the_others_within_ten_seconds() {
    let app = TestApp::start().await;
    let second = app.second().await;
    let ann = app.player("ann").await;
    let bot = personal_token(&ann, &["read"]).await.at(&second.url);
    bot.get(ME).await.ok();
    let id = ann.get(MY_TOKENS).await.ok()["tokens"][0]["id"].clone();
    ann.delete(&format!("{MY_TOKENS}/{}", text(&id))).await.expect_status(204);
    app.app.clock.advance(Duration::seconds(10));
    bot.get(ME).await.problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_at_most_fifty_tokens_however_many_are_asked_for_at_once() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let request = json!({"name": "bot", "scopes": ["read"]});
    let answers = join_all((0..60).map(|_| ann.post(MY_TOKENS, &request))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(made, 50);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.problem(409, "too_many_tokens");
    }
    let tokens = ann.get(MY_TOKENS).await.ok();
    assert_eq!(tokens["tokens"].as_array().map(Vec::len), Some(50));
    let id = text(&tokens["tokens"][0]["id"]).to_owned();
    ann.delete(&format!("{MY_TOKENS}/{id}")).await.expect_status(204);
    ann.post(MY_TOKENS, &request).await.expect_status(201);
    ann.post(MY_TOKENS, &request).await.problem(409, "too_many_tokens");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_a_token_that_cannot_be_is_refused_by_field() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let with = |member: &str, value: Value| {
        let mut request = json!({"name": "bot", "scopes": ["read"], "expires_in_days": 30});
        request[member] = value;
        request
    };
    let wrong = [
        ("name", json!("")),
        ("name", json!("a\u{7}b")),
        ("name", json!("x".repeat(65))),
        ("name", json!(" x")),
        ("scopes", json!([])),
        ("scopes", json!(["read", "read"])),
        ("scopes", json!(["read", "play", "read"])),
        ("expires_in_days", json!(0)),
        ("expires_in_days", json!(3651)),
    ];
    for (field, value) in wrong {
        let problem = ann.post(MY_TOKENS, &with(field, value)).await.problem(422, "invalid_value");
        assert_eq!(problem["field"], field);
    }
    for (member, value) in [
        ("scopes", json!(["admin"])),
        ("scopes", json!(["account"])),
        ("game", json!("nonsense")),
        ("expires_in_days", json!(-1)),
        ("owner", json!("bob")),
    ] {
        ann.post(MY_TOKENS, &with(member, value)).await.problem(422, "invalid_value");
    }
    app.stranger().post(MY_TOKENS, &with("name", json!(PASSWORD))).await.problem(401, "unauthenticated");
    assert_eq!(ann.get(MY_TOKENS).await.ok(), json!({"tokens": []}));
}
