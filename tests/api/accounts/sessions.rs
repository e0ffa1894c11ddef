//! Logging in and out, and the tokens of a session.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use pippost::accounts::RETIRED_KEY_GRACE;
use pippost::keys::SigningKeys;
use serde_json::{Value, json};
use time::Duration;

use super::{CURRENT_SESSION, ME, REFRESH, SESSIONS, Session, log_in};
use support::{Client, PASSWORD, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_player_logs_in_by_handle_or_address_and_nobody_learns_which_of_them_exist() {
    let app = TestApp::start().await;
    app.player("ann").await;
    for login in ["ann", "ANN", "ann@example.org", "Ann@Example.org"] {
        let session = Session::log_in(&app, login, PASSWORD).await;
        assert_eq!(session.client.get(ME).await.ok()["handle"], "ann");
    }
    let wrong = log_in(&app, "ann", "a wrong password").await;
    wrong.problem(403, "wrong_credentials");
    for login in ["nobody", "nobody@example.org"] {
        assert_eq!(log_in(&app, login, PASSWORD).await.body, wrong.body, "{login}");
    }
    assert_eq!(log_in(&app, "no name", PASSWORD).await.body, wrong.body);
    let bad = log_in(&app, "", PASSWORD).await.problem(422, "invalid_value");
    assert_eq!(bad["field"], "login");
    let surplus = json!({"login": "ann", "password": PASSWORD, "remember": true});
    app.stranger().post(SESSIONS, &surplus).await.problem(422, "invalid_value");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_is_good_once_and_its_second_use_ends_the_session() {
    let app = TestApp::start().await;
    let first = Session::register(&app, "ann").await;
    let elsewhere = Session::log_in(&app, "ann", PASSWORD).await;
    let second = Session::of(&app, first.refresh(&app).await.expect_status(200));
    assert_ne!(first.refresh_token, second.refresh_token);
    second.client.get(ME).await.ok();

    first.refresh(&app).await.problem(403, "refresh_refused");
    second.refresh(&app).await.problem(403, "refresh_refused");
    for client in [&first.client, &second.client] {
        client.get(ME).await.problem(401, "session_revoked");
    }
    elsewhere.client.get(ME).await.ok();
    elsewhere.refresh(&app).await.expect_status(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_racing_exchanges_of_one_refresh_token_one_wins_and_the_session_ends() {
    let app = TestApp::start().await;
    let session = Session::register(&app, "ann").await;
    let answers = join_all((0..16).map(|_| session.refresh(&app))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status.is_success());
    assert_eq!(won.len(), 1);
    for answer in lost {
        answer.problem(403, "refresh_refused");
    }
    Session::of(&app, won[0]).refresh(&app).await.problem(403, "refresh_refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_expire_and_a_session_goes_on_as_long_as_it_is_refreshed() {
    let app = TestApp::start().await;
    let mut session = Session::register(&app, "ann").await;
    app.app.clock.advance(Duration::minutes(10) - Duration::seconds(1));
    session.client.get(ME).await.ok();
    app.app.clock.advance(Duration::seconds(1));
    session.client.get(ME).await.problem(401, "unauthenticated");
    for _ in 0..3 {
        session = Session::of(&app, session.refresh(&app).await.expect_status(200));
        session.client.get(ME).await.ok();
        app.app.clock.advance(Duration::days(60) - Duration::seconds(1));
    }
    session = Session::of(&app, session.refresh(&app).await.expect_status(200));
    app.app.clock.advance(Duration::days(60));
    session.refresh(&app).await.problem(403, "refresh_refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_ends_the_session_at_once_and_no_other() {
    let app = TestApp::start().await;
    let (here, there) = (Session::register(&app, "ann").await, Session::log_in(&app, "ann", PASSWORD).await);
    here.client.get(ME).await.ok();
    here.client.delete(CURRENT_SESSION).await.expect_status(204);
    here.client.get(ME).await.problem(401, "session_revoked");
    here.client.delete(CURRENT_SESSION).await.problem(401, "session_revoked");
    here.refresh(&app).await.problem(403, "refresh_refused");
    there.client.get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ended_at_one_server_ends_at_the_others_within_ten_seconds() {
    let app = TestApp::start().await;
    let second = app.second().await;
    let session = Session::register(&app, "ann").await;
    let there = session.client.at(&second.url);
    there.get(ME).await.ok();
    session.client.delete(CURRENT_SESSION).await.expect_status(204);
    app.app.clock.advance(Duration::seconds(10));
    there.get(ME).await.problem(401, "session_revoked");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_rotation_old_tokens_stay_good_and_new_ones_are_signed_by_the_published_new_key() {
    let app = TestApp::start().await;
    let session = Session::register(&app, "ann").await;
    let published = |keys: Value| keys["keys"].as_array().expect("keys").clone();
    let before = published(app.stranger().get("/.well-known/jwks.json").await.ok());
    assert_eq!(before.len(), 1);
    SigningKeys::rotate(app.keys.path(), app.app.clock.now()).expect("a second key");
    app.app.clock.advance(Duration::minutes(1));
    let after = published(app.stranger().get("/.well-known/jwks.json").await.ok());
    assert_eq!((after.len(), &after[1]), (2, &before[0]));

    session.client.get(ME).await.ok();
    let refreshed = Session::of(&app, session.refresh(&app).await.expect_status(200));
    let header = |session: &Session| part(session.client.token.as_deref().expect("a token"), 0);
    assert_eq!(header(&session)["kid"], before[0]["kid"]);
    assert_eq!(header(&refreshed), json!({"typ": "at+jwt", "alg": "EdDSA", "kid": after[0]["kid"]}));
    refreshed.client.get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_replaced_lets_nobody_in_after_the_longest_life_of_a_token_and_is_still_published() {
    let app = TestApp::start().await;
    let session = Session::register(&app, "ann").await;
    // A thief has a copy of the first key, and the ids of ann and her session.
    let stolen = SigningKeys::in_folder(app.keys.path()).expect("keys");
    let claims = part(session.client.token.as_deref().expect("a token"), 1);
    let forge = || {
        let (iat, mut claims) = (app.app.clock.now().unix_timestamp(), claims.clone());
        (claims["iat"], claims["exp"]) = (json!(iat), json!(iat + 600));
        Client::new(&app.url, Some(stolen.sign("at+jwt", &claims)))
    };
    forge().get(ME).await.ok();
    SigningKeys::rotate(app.keys.path(), app.app.clock.now()).expect("a second key");
    app.app.clock.advance(Duration::minutes(1));
    app.stranger().get("/.well-known/jwks.json").await.ok();
    app.app.clock.advance(RETIRED_KEY_GRACE - Duration::minutes(1) - Duration::seconds(1));
    let last = forge();
    last.get(ME).await.ok();
    // Not even one that was accepted before.
    app.app.clock.advance(Duration::seconds(11));
    last.get(ME).await.problem(401, "unauthenticated");
    forge().get(ME).await.problem(401, "unauthenticated");
    let keys = app.stranger().get("/.well-known/jwks.json").await.ok();
    assert_eq!(keys["keys"].as_array().map(Vec::len), Some(2), "receipts are checked with it");
    let refreshed = Session::of(&app, session.refresh(&app).await.expect_status(200));
    refreshed.client.get(ME).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_good_for_its_own_player_alone() {
    let app = TestApp::start().await;
    let (ann, bob) = (Session::register(&app, "ann").await, Session::register(&app, "bob").await);
    let claims = |session: &Session| part(session.client.token.as_deref().expect("a token"), 1);
    let keys = SigningKeys::in_folder(app.keys.path()).expect("keys");
    let mut mixed = claims(&ann);
    mixed["sid"] = claims(&bob)["sid"].clone();
    let mixed = Client::new(&app.url, Some(keys.sign("at+jwt", &mixed)));
    mixed.get(ME).await.problem(401, "session_revoked");
    mixed.delete(CURRENT_SESSION).await.problem(401, "session_revoked");
    for session in [&ann, &bob] {
        session.client.get(ME).await.ok();
    }
    // The tokens of a session belong to its player, whoever sends them.
    let answer = ann.client.post(REFRESH, &json!({"refresh_token": bob.refresh_token})).await;
    assert_eq!(answer.ok()["player"]["handle"], "bob");
}

/// A part of a JWS in compact form.
fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).expect("three parts");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).expect("base64url")).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_access_token_says_who_and_until_when_and_nothing_else() {
    let app = TestApp::start().await;
    let session = Session::register(&app, "ann").await;
    let claims = part(session.client.token.as_deref().expect("a token"), 1);
    let me = session.client.get(ME).await.ok();
    assert_eq!((&claims["sub"], &claims["handle"]), (&me["id"], &json!("ann")));
    let seconds = |name: &str| claims[name].as_i64().expect("seconds");
    assert_eq!(
        (seconds("iat"), seconds("exp") - seconds("iat")),
        (app.app.clock.now().unix_timestamp(), 600)
    );
    let names: Vec<_> = claims.as_object().expect("claims").keys().collect();
    assert_eq!(names.len(), 7, "{names:?}");
    assert!(!claims.to_string().contains('@'));
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_were_forged_changed_or_made_elsewhere_are_refused() {
    let (app, other) = (TestApp::start().await, TestApp::start().await);
    let session = Session::register(&app, "ann").await;
    let stranger = Session::register(&other, "ann").await;
    let token = session.client.token.clone().expect("a token");
    let (head, signature) = token.rsplit_once('.').expect("three parts");
    let (header, claims) = head.split_once('.').expect("three parts");
    let none = URL_SAFE_NO_PAD.encode(json!({"typ": "at+jwt", "alg": "none"}).to_string());
    let mut longer = part(&token, 1);
    longer["exp"] = json!(4_000_000_000_u64);
    let longer = URL_SAFE_NO_PAD.encode(longer.to_string());
    let forged = [
        String::new(),
        "nonsense".into(),
        format!("{none}.{claims}."),
        format!("{header}.{longer}.{signature}"),
        format!("{header}.{claims}.{}", "A".repeat(86)),
        stranger.client.token.clone().expect("a token"),
        session.refresh_token.clone(),
        format!("ppt_{}", "A".repeat(43)),
        "x".repeat(5000),
    ];
    for token in forged {
        let client = Client::new(&app.url, Some(token));
        client.get(ME).await.problem(401, "unauthenticated");
        client.get("/api/v1/games").await.problem(401, "unauthenticated");
    }
    for authorization in ["Basic YW5uOng=", "Bearer", "Token x"] {
        let headers = [("authorization", authorization)];
        let answer = app.stranger().send(reqwest::Method::GET, ME, None, &headers).await;
        answer.problem(401, "unauthenticated");
        let challenge = answer.headers["www-authenticate"].to_str().expect("text");
        assert!(challenge.starts_with("Bearer error=\"invalid_token\", "), "{challenge}");
    }
    for token in ["ppr_x", &"x".repeat(128)] {
        let answer = app.stranger().post(REFRESH, &json!({"refresh_token": token})).await;
        answer.problem(403, "refresh_refused");
    }
    for none in [token.as_str(), "", &"x".repeat(1000)] {
        let answer = app.stranger().post(REFRESH, &json!({"refresh_token": none})).await;
        answer.problem(422, "invalid_value");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_expired_is_removed_and_what_is_good_stays() {
    let app = TestApp::start().await;
    let accounts = &app.app.accounts;
    let old = Session::register(&app, "ann").await;
    let kept = Session::log_in(&app, "ann", PASSWORD).await;
    app.app.clock.advance(Duration::days(30));
    let kept = Session::of(&app, kept.refresh(&app).await.expect_status(200));
    assert_eq!(accounts.clean_up().await.expect("cleaned"), 1, "the link of the registration");
    app.app.clock.advance(Duration::days(30));
    assert_eq!(accounts.clean_up().await.expect("cleaned"), 2, "a token of each session");
    assert_eq!(accounts.clean_up().await.expect("cleaned"), 0);
    old.refresh(&app).await.problem(403, "refresh_refused");
    kept.refresh(&app).await.expect_status(200);
}
