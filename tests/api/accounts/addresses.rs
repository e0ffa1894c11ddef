//! Only a player learns the own mail address.

use pippost::store::schema::notices;
use serde_json::{Value, json};
use time::Duration;

use super::{
    ACCOUNTS, CONFIRM, ME, Mailbox, RESEND, RESET, RESETS, Session, email, log_in, registration, text,
};
use support::client::Answer;
use support::{PASSWORD, TestApp};

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// The body of a registration with that address.
fn with_address(handle: &str, address: &str) -> Value {
    let mut body = registration(handle);
    body["email"] = json!(address);
    body
}

/// What distinguishes answers: status, headers and the structure of the body.
fn visible(answer: &Answer) -> (u16, Vec<String>, Value) {
    let mut headers: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
    headers.sort();
    let mut body = if answer.body.is_empty() { Value::Null } else { answer.json() };
    for (member, fixed) in [("access_token", "a"), ("refresh_token", "r")] {
        if body.get(member).is_some() {
            body[member] = json!(fixed);
        }
    }
    for player in ["/player", ""] {
        if let Some(player) = body.pointer_mut(player).filter(|player| player.get("handle").is_some()) {
            for member in ["id", "handle", "email", "pending_email"] {
                player[member] = json!(player[member].is_null());
            }
        }
    }
    (answer.status.as_u16(), headers, body)
}

#[tokio::test(flavor = "multi_thread")]
async fn registering_tells_nobody_but_its_owner_that_an_address_has_an_account() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let ann = app.player("ann").await;
    let known = app.stranger().post(ACCOUNTS, &with_address("eve", "ANN@Example.org")).await;
    let unknown = app.stranger().post(ACCOUNTS, &with_address("bob", "nobody@example.org")).await;
    known.expect_status(201);
    assert_eq!(visible(&known), visible(&unknown));
    // Nor later.
    let (eve, bob) = (Session::of(&app, &known).client, Session::of(&app, &unknown).client);
    let (eves, bobs) =
        (mailbox.confirmations("ANN@Example.org").await, mailbox.confirmations("nobody@example.org").await);
    assert_eq!((eves.len(), bobs.len()), (0, 1));
    for player in [&eve, &bob] {
        player.post(RESEND, &json!({})).await.expect_status(202);
    }
    mailbox.confirmations("nobody@example.org").await;
    assert_eq!(visible(&eve.get(ME).await), visible(&bob.get(ME).await));
    let mails =
        [eve.get("/api/v1/me/mails").await.ok(), bob.get("/api/v1/me/mails").await.ok()].map(|mails| {
            let mails = mails["mails"].as_array().expect("mails").clone();
            mails
                .iter()
                .map(|mail| [mail["kind"].clone(), mail["fate"].clone(), mail["reason"].clone()])
                .collect::<Vec<_>>()
        });
    assert_eq!(mails[0], mails[1]);
    assert_eq!(mails[0], vec![[json!("confirm_email"), json!("sent"), Value::Null]; 2]);

    // Ann is told, and only about her own account.
    let sent = mailbox.mailer.sent();
    let told: Vec<_> = sent.iter().filter(|sent| sent.mail.kind == "address_in_use").collect();
    assert_eq!(told.len(), 2);
    for mail in told {
        assert_eq!(mail.mail.to.email.to_string(), "ann@example.org");
        assert!(mail.mail.text.contains("account ann."), "{}", mail.mail.text);
        assert!(!mail.mail.text.contains("eve"), "{}", mail.mail.text);
    }
    // The link in it sets her password, not the stranger's.
    let offered = mailbox.resets("ann@example.org").await;
    let body = json!({"token": offered[0], "new_password": "a new passphrase of ann"});
    app.stranger().post(RESET, &body).await.expect_status(204);
    ann.get(ME).await.problem(401, "session_revoked");
    eve.get(ME).await.ok();
    Session::log_in(&app, "ann@example.org", "a new passphrase of ann").await;
    log_in(&app, "ann@example.org", PASSWORD).await.problem(403, "wrong_credentials");
    Session::log_in(&app, "eve", PASSWORD).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_address_tells_nobody_but_its_owner_that_it_has_an_account() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let change = |address: &str| json!({"email": address, "password": PASSWORD});
    let (known, unknown) =
        (bob.patch(ME, &change("ANN@example.org")).await, eve.patch(ME, &change("new@example.org")).await);
    known.expect_status(200);
    assert_eq!(visible(&known), visible(&unknown));
    assert_eq!(known.json()["pending_email"], "ANN@example.org");
    assert!(mailbox.confirmations("ANN@example.org").await.is_empty());
    let sent = mailbox.mailer.sent();
    let told: Vec<_> = sent.iter().filter(|sent| sent.mail.kind == "address_in_use").collect();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].mail.to.email.to_string(), "ann@example.org");
    assert_eq!(ann.get(ME).await.ok()["email"], "ann@example.org");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_belongs_to_whoever_confirms_it_first() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    for handle in ["ann", "bob"] {
        app.stranger().post(ACCOUNTS, &with_address(handle, "shared@example.org")).await.expect_status(201);
    }
    log_in(&app, "shared@example.org", PASSWORD).await.problem(403, "wrong_credentials");
    let tokens = mailbox.confirmations("shared@example.org").await;
    assert_eq!(tokens.len(), 2);
    app.stranger().post(CONFIRM, &json!({"token": tokens[1]})).await.expect_status(204);
    app.stranger().post(CONFIRM, &json!({"token": tokens[0]})).await.problem(409, "email_taken");
    let bob = Session::log_in(&app, "shared@example.org", PASSWORD).await.client;
    assert_eq!(bob.get(ME).await.ok()["handle"], "bob");
    let ann = Session::log_in(&app, "ann", PASSWORD).await.client;
    assert_eq!(ann.get(ME).await.ok()["email_confirmed_at"], Value::Null);
    // A new password for the address belongs to the account that has confirmed it.
    app.stranger().post(RESETS, &json!({"email": "shared@example.org"})).await.expect_status(202);
    let token = mailbox.resets("shared@example.org").await.remove(0);
    app.stranger()
        .post(RESET, &json!({"token": token, "new_password": "a new passphrase"}))
        .await
        .expect_status(204);
    Session::log_in(&app, "bob", "a new passphrase").await;
    Session::log_in(&app, "ann", PASSWORD).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_address_is_told_of_a_change_if_it_was_the_players() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let (ann, bob) = (app.player("ann").await, Session::register(&app, "bob").await.client);
    for (player, address) in [(&ann, "ann@example.net"), (&bob, "bob@example.net")] {
        player.patch(ME, &json!({"email": address, "password": PASSWORD})).await.ok();
        let token = mailbox.confirmations(address).await.remove(0);
        app.stranger().post(CONFIRM, &json!({"token": token})).await.expect_status(204);
    }
    mailbox.confirmations("").await;
    let sent = mailbox.mailer.sent();
    let told: Vec<_> = sent.iter().filter(|sent| sent.mail.kind == "address_changed").collect();
    assert_eq!(told.len(), 1, "nobody had confirmed bob's first address");
    assert_eq!(told[0].mail.to.email.to_string(), "ann@example.org");
    let text = &told[0].mail.text;
    assert!(
        text.contains("account ann") && !text.contains("ann@example.net") && !text.contains("token="),
        "{text}"
    );
    let mails = ann.get("/api/v1/me/mails").await.ok();
    assert_eq!(
        (&mails["mails"][0]["kind"], &mails["mails"][0]["fate"]),
        (&json!("address_changed"), &json!("sent"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_takes_back_a_change_of_address_that_waits() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    let thief = app.player("ann").await;
    thief.patch(ME, &json!({"email": "thief@example.net", "password": PASSWORD})).await.ok();
    let token = mailbox.confirmations("thief@example.net").await.remove(0);
    app.stranger().post(RESETS, &json!({"email": email("ann")})).await.expect_status(202);
    let reset = mailbox.resets(&email("ann")).await.remove(0);
    let body = json!({"token": reset, "new_password": "a new passphrase of ann"});
    app.stranger().post(RESET, &body).await.expect_status(204);
    app.stranger().post(CONFIRM, &json!({"token": token})).await.problem(409, "link_invalid");
    let ann = Session::log_in(&app, "ann", "a new passphrase of ann").await.client;
    assert_eq!(ann.get(ME).await.ok()["email"], "ann@example.org");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_to_the_owner_of_an_address_that_is_tried_again_carries_the_same_link() {
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    app.player("ann").await;
    app.stranger().post(ACCOUNTS, &with_address("eve", "ann@example.org")).await.expect_status(201);
    let first = mailbox.resets("ann@example.org").await.remove(0);
    // As if the worker had died before it could record that the mail was sent.
    let mut connection = app.app.database.get().await.expect("a connection");
    let again = diesel::update(notices::table.filter(notices::kind.eq("confirm_email")))
        .set((notices::state.eq("waiting"), notices::next_attempt_at.eq(app.app.clock.now())));
    again.execute(&mut connection).await.expect("an update");
    app.app.clock.advance(Duration::minutes(5));
    let both = mailbox.resets("ann@example.org").await;
    assert_eq!(both, [first.clone(), first]);
    assert!(!text(&json!(both[0])).is_empty());
}
