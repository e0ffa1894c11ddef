//! Who may register on a server that is by invitation, or where the operator makes all accounts.

use futures_util::future::join_all;
use pippost::accounts::{
    AccountError, AccountLimits, MAX_OPEN_INVITATIONS, RegistrationPolicy, SERVER_INVITATION_LIFETIME,
};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::{ACCOUNTS, Session, email, registration};
use support::client::Answer;
use support::post::Post;
use support::{Client, PASSWORD, TestApp};

const OPEN: &str = "select count(*) as number from server_invitations";

async fn with_policy(registration_policy: RegistrationPolicy) -> TestApp {
    TestApp::with_limits(AccountLimits { registration_policy, ..AccountLimits::generous() }).await
}

/// A server by invitation, and a player of it.
async fn by_invitation() -> (TestApp, Client, Uuid) {
    let app = with_policy(RegistrationPolicy::Invited).await;
    // Another process on the same database lets everybody in.
    let ann = app.twin().await.player("ann").await;
    let id = app.app.accounts.player_named("ann").await.expect("herself").id;
    let ann = Client::new(&app.url, ann.token.clone());
    (app, ann, id)
}

async fn invitation(app: &TestApp, player_id: Option<Uuid>) -> String {
    app.app.accounts.invite_to_server(player_id).await.expect("an invitation").reveal()
}

fn invited(handle: &str, invitation: &str) -> Value {
    let mut body = registration(handle);
    body["invitation"] = json!(invitation);
    body
}

async fn register(app: &TestApp, handle: &str, invitation: &str) -> Answer {
    app.stranger().post(ACCOUNTS, &invited(handle, invitation)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_of_a_player_or_the_operator_makes_one_account() {
    let (app, _, ann) = by_invitation().await;
    let refused = app.stranger().post(ACCOUNTS, &registration("bob")).await.problem(403, "invitation_needed");
    assert!(refused["detail"].as_str().expect("words").contains("by invitation"), "{refused}");
    for (handle, by) in [("bob", Some(ann)), ("cat", None)] {
        let token = invitation(&app, by).await;
        assert!(token.starts_with("ppi_"), "{token}");
        register(&app, handle, &token).await.expect_status(201);
        register(&app, "eve", &token).await.problem(403, "invitation_needed");
    }
    assert_eq!(app.db_count(OPEN).await, 0, "what is used is gone");

    // Whoever tries learns nothing about a token: used, expired, withdrawn and made up are one.
    let used = invitation(&app, None).await;
    register(&app, "dan", &used).await.expect_status(201);
    let (expired, withdrawn) = (invitation(&app, None).await, invitation(&app, Some(ann)).await);
    let open = app.app.accounts.invitations_to_server(ann).await.expect("a list");
    assert_eq!(open.len(), 1);
    app.app.accounts.withdraw_invitation(ann, open[0].id).await.expect("withdrawn");
    app.app.clock.advance(SERVER_INVITATION_LIFETIME);
    let mut told = Vec::new();
    for token in [used, expired, withdrawn, "ppi_made-up".to_owned()] {
        let refused = register(&app, "eve", &token).await.problem(403, "invitation_needed");
        told.push(refused["detail"].clone());
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    app.app.accounts.clean_up().await.expect("a step");
    assert_eq!(app.db_count(OPEN).await, 0, "what has expired is removed");
    app.stranger().get("/api/v1/players/eve").await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_registrations_at_once_by_one_invitation_one_is_taken_and_a_refused_one_uses_nothing_up() {
    let (app, _, _) = by_invitation().await;
    let token = invitation(&app, None).await;
    register(&app, "ann", &token).await.problem(409, "handle_taken");
    let handles: Vec<String> = (0..8).map(|number| format!("bob-{number}")).collect();
    let statuses = join_all(handles.iter().map(|handle| register(&app, handle, &token))).await;
    let mut statuses: Vec<u16> = statuses.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403, 403, 403, 403, 403, 403, 403]);
    assert_eq!(app.db_count("select count(*) as number from players").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_registration_gets_its_answer_though_the_invitation_is_used() {
    let (app, _, _) = by_invitation().await;
    let (body, key) = (invited("bob", &invitation(&app, None).await), [("idempotency-key", "once")]);
    let send = async || {
        let post = reqwest::Method::POST;
        app.stranger().send(post, ACCOUNTS, Some(body.to_string()), &key).await
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(first.expect_status(201).json(), again.expect_status(201).json());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_few_open_invitations_and_a_confirmed_address() {
    let (app, _, ann) = by_invitation().await;
    let invite = || app.app.accounts.invite_to_server(Some(ann));
    let made = join_all((0..MAX_OPEN_INVITATIONS + 3).map(|_| invite())).await;
    let refused = made.iter().filter(|made| matches!(made, Err(AccountError::TooManyInvitations { .. })));
    assert_eq!((refused.count(), app.db_count(OPEN).await), (3, MAX_OPEN_INVITATIONS));
    let open = app.app.accounts.invitations_to_server(ann).await.expect("a list");
    app.app.accounts.withdraw_invitation(ann, open[0].id).await.expect("withdrawn");
    invite().await.expect("one more");
    assert!(matches!(invite().await, Err(AccountError::TooManyInvitations { .. })));
    app.app.clock.advance(SERVER_INVITATION_LIFETIME);
    invite().await.expect("the others have expired");

    let token = invitation(&app, None).await;
    register(&app, "bob", &token).await.expect_status(201);
    let bob = app.app.accounts.player_named("bob").await.expect("himself").id;
    let unconfirmed = app.app.accounts.invite_to_server(Some(bob)).await;
    assert!(matches!(unconfirmed, Err(AccountError::AddressNotConfirmed)));
    let foreign = app.app.accounts.invitations_to_server(ann).await.expect("a list")[0].id;
    let withdrawn = app.app.accounts.withdraw_invitation(bob, foreign).await;
    assert!(matches!(withdrawn, Err(AccountError::NotFound)), "it is not his");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_to_a_game_by_mail_admits_the_address_that_it_was_sent_to_once() {
    let (app, ann, _) = by_invitation().await;
    let new = json!({"rules": "pip-pip", "private": true});
    let created = ann.post("/api/v1/games", &new).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let token = ann.get(&game).await.ok()["invitation"].as_str().expect("a token").to_owned();
    register(&app, "bob", &token).await.problem(403, "invitation_needed");
    ann.post(&format!("{game}/invitations"), &json!({"email": "Bob@example.org"})).await.expect_status(202);
    let post = Post::of(&app);
    post.send().await;
    register(&app, "eve", &token).await.problem(403, "invitation_needed");
    let bob = Session::of(&app, register(&app, "bob", &token).await.expect_status(201)).client;
    bob.post(&format!("{game}/join"), &json!({"invitation": token})).await.ok();
    let again = json!({"handle": "bob-2", "email": email("bob"), "password": PASSWORD, "invitation": token});
    app.stranger().post(ACCOUNTS, &again).await.problem(403, "invitation_needed");
    // Where everybody may register, no invitation is looked at.
    app.second().await.stranger().post(ACCOUNTS, &again).await.expect_status(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_closed_server_the_operator_makes_the_accounts() {
    let app = with_policy(RegistrationPolicy::Closed).await;
    let token = invitation(&app, None).await;
    let refused = register(&app, "bob", &token).await.problem(403, "invitation_needed");
    assert!(refused["detail"].as_str().expect("words").contains("operator makes all accounts"), "{refused}");
    app.app.accounts.create_confirmed("bob", "bob@example.org", PASSWORD).await.expect("an account");
    Session::log_in(&app, "bob", PASSWORD).await;
    let bob = app.app.accounts.player_named("bob").await.expect("himself").id;
    let refused = app.app.accounts.invite_to_server(Some(bob)).await;
    assert!(matches!(refused, Err(AccountError::NotAdmitted(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_open_invitations_of_an_account_are_exported_and_end_with_it() {
    let (app, _, ann) = by_invitation().await;
    let client = Session::log_in(&app, "ann", PASSWORD).await.client;
    let token = invitation(&app, Some(ann)).await;
    let zip = client.get("/api/v1/me/data.zip").await.expect_status(200).body.clone();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip)).expect("an archive");
    let lines =
        std::io::read_to_string(zip.by_name("server-invitations.ndjson").expect("a part")).expect("text");
    let line: Value = serde_json::from_str(lines.trim()).expect("one line");
    let members: Vec<&String> = line.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["created_at", "expires_at", "id"]);
    client.post("/api/v1/me/deletion", &json!({"password": PASSWORD})).await.expect_status(204);
    assert_eq!(app.db_count(OPEN).await, 0);
    app.app.clock.advance(Duration::seconds(1));
    register(&app, "bob", &token).await.problem(403, "invitation_needed");
}
