//! Changing a password, and replacing a forgotten one.

use futures_util::future::join_all;
use serde_json::{Value, json};
use time::Duration;

use super::{ME, MY_PASSWORD, Mailbox, RESET, RESETS, Session, email, log_in, personal_token};
use support::client::Answer;
use support::{PASSWORD, TestApp};

const NEW_PASSWORD: &str = "a new passphrase, longer";

fn change(current: &str, new: &str) -> Value {
    json!({"current_password": current, "new_password": new})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_password_ends_all_other_sessions() {
    let app = TestApp::start().await;
    let (here, there) = (Session::register(&app, "ann").await, Session::log_in(&app, "ann", PASSWORD).await);
    let bob = Session::register(&app, "bob").await;
    there.client.get(ME).await.ok();
    here.client.post(MY_PASSWORD, &change(PASSWORD, NEW_PASSWORD)).await.expect_status(204);

    there.client.get(ME).await.problem(401, "session_revoked");
    there.refresh(&app).await.problem(403, "refresh_refused");
    here.client.get(ME).await.ok();
    here.refresh(&app).await.expect_status(200);
    bob.client.get(ME).await.ok();
    log_in(&app, "ann", PASSWORD).await.problem(403, "wrong_credentials");
    Session::log_in(&app, "ann", NEW_PASSWORD).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_changed_by_whoever_knows_it_and_to_a_possible_one() {
    let app = TestApp::start().await;
    let ann = Session::register(&app, "ann").await.client;
    ann.post(MY_PASSWORD, &change("a wrong password", NEW_PASSWORD)).await.problem(403, "wrong_credentials");
    let short = ann.post(MY_PASSWORD, &change(PASSWORD, "short")).await.problem(422, "invalid_value");
    assert_eq!(short["field"], "new_password");
    app.stranger().post(MY_PASSWORD, &change(PASSWORD, NEW_PASSWORD)).await.problem(401, "unauthenticated");
    let bot = personal_token(&ann, &["read", "play"]).await;
    bot.post(MY_PASSWORD, &change(PASSWORD, NEW_PASSWORD)).await.problem(403, "missing_scope");
    Session::log_in(&app, "ann", PASSWORD).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_racing_changes_of_one_password_one_wins() {
    let app = TestApp::start().await;
    let ann = Session::register(&app, "ann").await.client;
    let new = |number: usize| format!("passphrase number {number}");
    let tries = (0..6).map(|number| {
        let ann = &ann;
        async move { ann.post(MY_PASSWORD, &change(PASSWORD, &new(number))).await }
    });
    let answers = join_all(tries).await;
    let winners: Vec<_> = (0..6).filter(|&number| answers[number].status == 204).collect();
    assert_eq!(winners.len(), 1);
    Session::log_in(&app, "ann", &new(winners[0])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_password_is_replaced_by_a_link_and_all_sessions_end() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let sessions = [Session::register(&app, "ann").await, Session::log_in(&app, "ann", PASSWORD).await];
    for _ in 0..2 {
        app.stranger().post(RESETS, &json!({"email": "ANN@example.org"})).await.expect_status(202);
    }
    let tokens = mailbox.resets(&email("ann")).await;
    assert_eq!(tokens.len(), 2);
    let reset = |token: &str, password: &str| json!({"token": token, "new_password": password});
    let short = app.stranger().post(RESET, &reset(&tokens[0], "short")).await.problem(422, "invalid_value");
    assert_eq!(short["field"], "new_password");
    app.stranger().post(RESET, &reset(&tokens[0], NEW_PASSWORD)).await.expect_status(204);

    for session in &sessions {
        session.client.get(ME).await.problem(401, "session_revoked");
        session.refresh(&app).await.problem(403, "refresh_refused");
    }
    for token in &tokens {
        app.stranger().post(RESET, &reset(token, PASSWORD)).await.problem(409, "link_invalid");
    }
    log_in(&app, "ann", PASSWORD).await.problem(403, "wrong_credentials");
    let me = Session::log_in(&app, "ann", NEW_PASSWORD).await.client.get(ME).await.ok();
    assert_ne!(me["email_confirmed_at"], Value::Null, "the link proved the address");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_for_a_password_is_good_for_two_hours_once_and_for_nothing_else() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    Session::register(&app, "ann").await;
    app.stranger().post(RESETS, &json!({"email": email("ann")})).await.expect_status(202);
    let old = mailbox.resets(&email("ann")).await.remove(0);
    app.app.clock.advance(Duration::hours(2));
    let reset = |token: &str| json!({"token": token, "new_password": NEW_PASSWORD});
    app.stranger().post(RESET, &reset(&old)).await.problem(409, "link_invalid");
    let confirmation = mailbox.confirmations(&email("ann")).await.remove(0);
    app.stranger().post(RESET, &reset(&confirmation)).await.problem(409, "link_invalid");

    app.stranger().post(RESETS, &json!({"email": email("ann")})).await.expect_status(202);
    let token = mailbox.resets(&email("ann")).await.remove(1);
    app.stranger().post(super::CONFIRM, &json!({"token": token})).await.problem(409, "link_invalid");
    let stranger = app.stranger();
    let answers = join_all((0..4).map(|_| {
        let (stranger, body) = (&stranger, reset(&token));
        async move { stranger.post(RESET, &body).await.status.as_u16() }
    }));
    let mut statuses = answers.await;
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409, 409, 409]);
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_for_a_link_does_not_tell_whether_an_address_has_an_account() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    Session::register(&app, "ann").await;
    let stranger = app.stranger();
    let ask = |address: &'static str| {
        let stranger = &stranger;
        async move { stranger.post(RESETS, &json!({"email": address})).await }
    };
    let (known, unknown) = (ask("ann@example.org").await, ask("nobody@example.org").await);
    let visible = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        headers.remove("x-request-id");
        headers.remove("date");
        // Counts down with every request.
        headers.remove("ratelimit");
        (answer.status, headers, answer.body.clone())
    };
    assert_eq!(known.expect_status(202).body, b"");
    assert_eq!(visible(&known), visible(&unknown));
    assert_eq!(mailbox.resets("ann@example.org").await.len(), 1);
    assert!(mailbox.resets("nobody@example.org").await.is_empty());
    let bad = stranger.post(RESETS, &json!({"email": "nobody"})).await.problem(422, "invalid_value");
    assert_eq!(bad["field"], "email");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_takes_an_account_back_from_somebody_who_registered_with_a_foreign_address() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let squatter = Session::register(&app, "ann").await.client;
    let squatters_bot = personal_token(&squatter, &["play", "read"]).await;
    squatters_bot.get(ME).await.ok();
    app.stranger().post(RESETS, &json!({"email": email("ann")})).await.expect_status(202);
    let token = mailbox.resets(&email("ann")).await.remove(0);
    app.stranger()
        .post(RESET, &json!({"token": token, "new_password": NEW_PASSWORD}))
        .await
        .expect_status(204);
    squatter.get(ME).await.problem(401, "session_revoked");
    squatters_bot.get(ME).await.problem(401, "unauthenticated");

    // After confirming the address the player may keep the personal tokens; otherwise they are revoked.
    let ann = Session::log_in(&app, "ann", NEW_PASSWORD).await.client;
    let bot = personal_token(&ann, &["read"]).await;
    for (number, kept) in [(1, true), (2, false)] {
        app.stranger().post(RESETS, &json!({"email": email("ann")})).await.expect_status(202);
        let token = mailbox.resets(&email("ann")).await.remove(number);
        let mut body = json!({"token": token, "new_password": PASSWORD});
        if kept {
            body["keep_tokens"] = json!(true);
        }
        app.stranger().post(RESET, &body).await.expect_status(204);
        bot.get(ME).await.expect_status(if kept { 200 } else { 401 });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_is_none_of_the_commonest() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let ann = app.player("ann").await;
    app.stranger().post(RESETS, &json!({"email": email("ann")})).await.expect_status(202);
    let token = mailbox.resets(&email("ann")).await.remove(0);
    for common in ["1234567890", "QWERTYuiop", "Ann@Example.org"] {
        let problem =
            ann.post(MY_PASSWORD, &change(PASSWORD, common)).await.problem(409, "password_too_common");
        assert_eq!(problem["field"], "new_password");
        let body = json!({"token": token, "new_password": common});
        let problem = app.stranger().post(RESET, &body).await.problem(409, "password_too_common");
        assert_eq!(problem["field"], "new_password");
    }
    // The link is still valid, and a wrong password is still reported as wrong.
    ann.post(MY_PASSWORD, &change("a wrong password", "1234567890")).await.problem(403, "wrong_credentials");
    app.stranger()
        .post(RESET, &json!({"token": token, "new_password": NEW_PASSWORD}))
        .await
        .expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_password_ends_tokens_if_asked_to() {
    for end in [false, true] {
        let app = TestApp::start().await;
        let ann = Session::register(&app, "ann").await.client;
        let bot = personal_token(&ann, &["read"]).await;
        bot.get(ME).await.ok();
        let change = json!({"current_password": PASSWORD, "new_password": NEW_PASSWORD, "end_tokens": end});
        ann.post(MY_PASSWORD, &change).await.expect_status(204);
        bot.get(ME).await.expect_status(if end { 401 } else { 200 });
        ann.get(ME).await.ok();
    }
}
