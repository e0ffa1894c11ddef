//! Registering, confirming an address, changing it.

use futures_util::future::join_all;
use serde_json::{Value, json};
use time::Duration;

use super::{ACCOUNTS, CONFIRM, ME, Mailbox, RESEND, Session, email, log_in, registration, text};
use support::{Client, PASSWORD, TestApp};

/// The account as other answers have it: what games take is shown to who asks for the account alone.
async fn without_quotas(client: &Client) -> Value {
    let mut me = client.get(ME).await.ok();
    assert!(me.as_object_mut().expect("an object").remove("quotas").is_some());
    me
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_player_is_logged_in_and_confirms_the_address_by_the_link_in_the_mail() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let answer = app.stranger().post(ACCOUNTS, &registration("Ann")).await;
    let player = answer.expect_status(201).json()["player"].clone();
    assert_eq!(player["handle"], "Ann");
    assert_eq!(player["email"], "Ann@example.org");
    assert_eq!(player["mail_enabled"], true);
    assert_eq!(player["email_confirmed_at"], Value::Null);
    let ann = Session::of(&app, &answer);
    assert_eq!(without_quotas(&ann.client).await, player);

    let tokens = mailbox.confirmations("Ann@example.org").await;
    assert_eq!(tokens.len(), 1);
    let link = json!({"token": tokens[0]});
    app.stranger().post(CONFIRM, &link).await.expect_status(204);
    assert_eq!(ann.client.get(ME).await.ok()["email_confirmed_at"], "2026-11-21T12:00:00.000000Z");
    // Whoever clicks twice, or whose mail program has looked at the link, is told the same.
    app.stranger().post(CONFIRM, &link).await.expect_status(204);
    assert_eq!(ann.client.get(ME).await.ok()["email_confirmed_at"], "2026-11-21T12:00:00.000000Z");

    let public = app.stranger().get("/api/v1/players/ANN").await.ok();
    let reliability = json!({
        "games_finished": 0, "games_left": 0, "games_timed_out": 0, "games_aborted": 0,
        "answers": 0, "median_seconds": null, "percentile_90_seconds": null,
    });
    assert_eq!(
        public,
        json!({
            "id": player["id"], "handle": "Ann", "created_at": "2026-11-21T12:00:00.000000Z", "bot": false,
            "reliability": reliability, "results": [], "ratings": [],
        })
    );
    app.stranger().get("/api/v1/players/nobody").await.problem(404, "not_found");
    app.stranger().get("/api/v1/players/%00").await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handle_belongs_to_one_player_whatever_its_case() {
    let app = TestApp::start().await;
    Session::register(&app, "ann").await;
    let with = |member: &str, value: &str| {
        let mut body = registration("bob");
        body[member] = json!(value);
        body
    };
    let taken = app.stranger().post(ACCOUNTS, &with("handle", "ANN")).await.problem(409, "handle_taken");
    assert_eq!(taken["field"], "handle");
    // The refused registration left nothing behind.
    app.stranger().get("/api/v1/players/bob").await.problem(404, "not_found");
    Session::register(&app, "bob").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_racing_registrations_of_one_handle_one_gets_it() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    let tries = (0..8).map(|number| {
        let mut body = registration("ann");
        body["email"] = json!(email(&format!("ann{number}")));
        let stranger = &stranger;
        async move { stranger.post(ACCOUNTS, &body).await.status.as_u16() }
    });
    let mut statuses = join_all(tries).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_registered_is_refused_by_field_and_changes_nothing() {
    let app = TestApp::start().await;
    let stranger = app.stranger();
    let wrong = [
        ("handle", json!("a")),
        ("handle", json!("-ann")),
        ("handle", json!("ann lee")),
        ("handle", json!("a".repeat(33))),
        ("email", json!("ann")),
        ("email", json!("ann@example.org\r\nBcc: all@example.org")),
        ("email", json!(format!("{}@example.org", "a".repeat(250)))),
        ("password", json!("too short")),
        ("password", json!("x".repeat(257))),
    ];
    for common in ["Password123", "qwertyuiop", "ann-of-example", "ann@example.org"] {
        let body = json!({"handle": "ann-of-example", "email": email("ann"), "password": common});
        let problem = stranger.post(ACCOUNTS, &body).await.problem(409, "password_too_common");
        assert_eq!(problem["field"], "password");
    }
    for (field, value) in wrong {
        let mut body = registration("ann");
        body[field] = value;
        let problem = stranger.post(ACCOUNTS, &body).await.problem(422, "invalid_value");
        assert_eq!(problem["field"], field);
    }
    let mut surplus = registration("ann");
    surplus["admin"] = json!(true);
    stranger.post(ACCOUNTS, &surplus).await.problem(422, "invalid_value");
    let mut missing = registration("ann");
    missing.as_object_mut().expect("an object").remove("email");
    stranger.post(ACCOUNTS, &missing).await.problem(422, "invalid_value");
    stranger.post(ACCOUNTS, &json!([])).await.problem(422, "invalid_value");
    let post = reqwest::Method::POST;
    stranger.send(post.clone(), ACCOUNTS, Some("{".into()), &[]).await.problem(400, "malformed_body");
    let plain = [("content-type", "text/plain")];
    let body = registration("ann").to_string();
    stranger.send(post.clone(), ACCOUNTS, Some(body), &plain).await.problem(415, "unsupported_media_type");
    let large = json!({"handle": "x".repeat(100_000)}).to_string();
    stranger.send(post, ACCOUNTS, Some(large), &[]).await.problem(413, "body_too_large");
    stranger.get("/api/v1/players/ann").await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_is_sent_again_on_demand_until_one_link_was_used() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let ann = Session::register(&app, "ann").await.client;
    ann.post(RESEND, &json!({})).await.expect_status(202);
    let tokens = mailbox.confirmations(&email("ann")).await;
    assert_eq!(tokens.len(), 2);
    app.stranger().post(CONFIRM, &json!({"token": tokens[0]})).await.expect_status(204);
    app.stranger().post(CONFIRM, &json!({"token": tokens[1]})).await.expect_status(204);
    ann.post(RESEND, &json!({})).await.expect_status(202);
    assert_eq!(mailbox.confirmations(&email("ann")).await.len(), 2, "nothing waits for confirmation");
    app.stranger().post(RESEND, &json!({})).await.problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_too_old_or_made_up_confirms_nothing() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let ann = Session::register(&app, "ann").await;
    let token = mailbox.confirmations(&email("ann")).await.remove(0);
    let other = if token.starts_with('A') { "B" } else { "A" };
    let changed = format!("{other}{}", &token[1..]);
    for bad in ["x", &changed] {
        app.stranger().post(CONFIRM, &json!({"token": bad})).await.problem(409, "link_invalid");
    }
    for none in ["", "a b", &"x".repeat(129)] {
        app.stranger().post(CONFIRM, &json!({"token": none})).await.problem(422, "invalid_value");
    }
    app.app.clock.advance(Duration::days(7));
    app.stranger().post(CONFIRM, &json!({"token": token})).await.problem(409, "link_invalid");
    let fresh = Session::of(&app, ann.refresh(&app).await.expect_status(200));
    assert_eq!(fresh.client.get(ME).await.ok()["email_confirmed_at"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_address_replaces_the_old_one_when_it_is_confirmed_and_not_before() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let ann = app.player("ann").await;
    let change = json!({"email": "ann@example.net", "password": PASSWORD});
    let me = ann.patch(ME, &change).await.ok();
    assert_eq!((&me["email"], &me["pending_email"]), (&json!("ann@example.org"), &json!("ann@example.net")));
    log_in(&app, "ann@example.net", PASSWORD).await.problem(403, "wrong_credentials");
    // The old mailbox has a link that opens the account.
    app.stranger().post(super::RESETS, &json!({"email": "ann@example.org"})).await.expect_status(202);
    let reset = mailbox.resets("ann@example.org").await.remove(0);

    let token = mailbox.confirmations("ann@example.net").await.remove(0);
    app.stranger().post(CONFIRM, &json!({"token": token})).await.expect_status(204);
    let me = ann.get(ME).await.ok();
    assert_eq!((&me["email"], &me["pending_email"]), (&json!("ann@example.net"), &Value::Null));
    Session::log_in(&app, "ann@example.net", PASSWORD).await;
    log_in(&app, "ann@example.org", PASSWORD).await.problem(403, "wrong_credentials");
    let body = json!({"token": reset, "new_password": "a new passphrase"});
    app.stranger().post(super::RESET, &body).await.problem(409, "link_invalid");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_request_for_an_address_counts() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let ann = Session::register(&app, "ann").await.client;
    for address in ["ann@example.net", "ann@example.com"] {
        ann.patch(ME, &json!({"email": address, "password": PASSWORD})).await.ok();
    }
    // No mail goes to addresses that were replaced before their mail was sent.
    assert!(mailbox.confirmations("ann@example.org").await.is_empty());
    assert!(mailbox.confirmations("ann@example.net").await.is_empty());
    ann.post(RESEND, &json!({})).await.expect_status(202);
    let tokens = mailbox.confirmations("ann@example.com").await;
    assert_eq!(tokens.len(), 2);
    app.stranger().post(CONFIRM, &json!({"token": tokens[1]})).await.expect_status(204);
    assert_eq!(ann.get(ME).await.ok()["email"], "ann@example.com");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_address_needs_the_password_and_goes_to_whoever_confirms_first() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let change = |email: &str, password: &str| json!({"email": email, "password": password});
    ann.patch(ME, &change("ann@example.net", "a wrong password")).await.problem(403, "wrong_credentials");
    let lonely = ann.patch(ME, &json!({"email": "ann@example.net"})).await.problem(422, "invalid_value");
    assert_eq!(lonely["field"], "password");
    let lonely = ann.patch(ME, &json!({"password": PASSWORD})).await.problem(422, "invalid_value");
    assert_eq!(lonely["field"], "password");
    assert_eq!(ann.get(ME).await.ok()["pending_email"], Value::Null);

    // Two players want the same new address: the first to confirm it gets it.
    for player in [&ann, &bob] {
        player.patch(ME, &change("shared@example.net", PASSWORD)).await.ok();
    }
    let tokens = mailbox.confirmations("shared@example.net").await;
    assert_eq!(tokens.len(), 2);
    app.stranger().post(CONFIRM, &json!({"token": tokens[1]})).await.expect_status(204);
    app.stranger().post(CONFIRM, &json!({"token": tokens[0]})).await.problem(409, "email_taken");
    let emails = [ann.get(ME).await.ok(), bob.get(ME).await.ok()].map(|me| text(&me["email"]).to_owned());
    assert!(emails.contains(&"shared@example.net".to_owned()) && emails[0] != emails[1], "{emails:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_is_switched_off_and_on() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for enabled in [false, true] {
        let me = ann.patch(ME, &json!({"mail_enabled": enabled})).await.ok();
        assert_eq!(me["mail_enabled"], enabled);
        assert_eq!(without_quotas(&ann).await, me);
    }
    let before = without_quotas(&ann).await;
    assert_eq!(ann.patch(ME, &json!({})).await.ok(), before, "nothing asked, nothing changed");
    ann.patch(ME, &json!({"handle": "bob"})).await.problem(422, "invalid_value");
}
