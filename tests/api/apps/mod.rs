//! Apps that act for players, by OAuth 2.1: registering them, allowing them, their tokens, and ending them.

mod attacks;
mod consent;
mod devices;
mod limited;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use futures_util::future::join_all;
use pippost::store::schema::{app_codes, app_grants, app_tokens};
use serde_json::{Value, json};
use time::Duration;

use support::apps::{self, APPS, MY_GRANTS, REDIRECT, REVOKE, TOKEN};
use support::post::Post;
use support::{PASSWORD, TestApp};

const ME: &str = "/api/v1/me";

#[tokio::test(flavor = "multi_thread")]
async fn a_player_allows_an_app_it_acts_and_the_player_ends_it() {
    let app = TestApp::start().await;
    let (dev, ann) = (app.player("dev").await, app.player("ann").await);
    let id = apps::register(&dev).await;
    let page = apps::open(&app, &apps::request(&id, "read play", &[])).await;
    let back = apps::sent_to(&apps::allow(&app, &page, "ann").await).expect("a way back");
    assert_eq!(back.as_str().split('?').next(), Some(REDIRECT));
    assert_eq!(apps::parameter(&back, "state").as_deref(), Some("a state & more"));
    assert_eq!(apps::parameter(&back, "iss").as_deref(), Some(app.url.as_str()));
    let code = apps::parameter(&back, "code").expect("a code");
    let answer = apps::send_form(&app, TOKEN, &apps::exchange(&id, &code)).await;
    let tokens = answer.ok();
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert_eq!(answer.headers["pragma"], "no-cache");
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(600)));
    assert_eq!(tokens["scope"], "read play");

    let bot = apps::client(&app, &tokens);
    assert_eq!(bot.get(ME).await.ok()["handle"], "ann");
    bot.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.problem(403, "missing_scope");
    let listed = ann.get(MY_GRANTS).await.ok();
    let expected = json!({
        "id": listed["grants"][0]["id"], "app": id, "name": "Board at hand", "homepage": "https://app.example.org/",
        "scopes": ["read", "play"], "game": null, "created_at": "2026-11-21T12:00:00.000000Z", "last_used_on": "2026-11-21",
    });
    assert_eq!(listed["grants"], json!([expected]));
    assert_eq!(dev.get(MY_GRANTS).await.ok(), json!({"grants": []}));
    let grant = format!("{MY_GRANTS}/{}", listed["grants"][0]["id"].as_str().expect("an id"));
    dev.delete(&grant).await.problem(404, "not_found");
    bot.get(MY_GRANTS).await.problem(403, "missing_scope");
    ann.delete(&grant).await.expect_status(204);
    bot.get(ME).await.problem(401, "unauthenticated");
    apps::refused(&apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await, "invalid_grant");
    ann.delete(&grant).await.problem(404, "not_found");
    assert_eq!(ann.get(MY_GRANTS).await.ok(), json!({"grants": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn access_tokens_are_short_lived_and_refresh_tokens_rotate() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let first = apps::tokens(&app, &id, "read", "ann").await;
    app.app.clock.advance(Duration::minutes(10) - Duration::seconds(1));
    apps::client(&app, &first).get(ME).await.ok();
    app.app.clock.advance(Duration::seconds(1));
    apps::client(&app, &first).get(ME).await.problem(401, "unauthenticated");
    let second = apps::refresh(&app, &id, &first["refresh_token"], &[]).await.ok();
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    apps::client(&app, &second).get(ME).await.ok();
    // A second use of the first ends all.
    apps::refused(&apps::refresh(&app, &id, &first["refresh_token"], &[]).await, "invalid_grant");
    apps::client(&app, &second).get(ME).await.problem(401, "unauthenticated");
    apps::refused(&apps::refresh(&app, &id, &second["refresh_token"], &[]).await, "invalid_grant");
    assert_eq!(app.log_in("ann").await.get(MY_GRANTS).await.ok(), json!({"grants": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_uses_of_one_refresh_token_at_once_at_most_one_succeeds_and_the_grant_ends() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let tokens = apps::tokens(&app, &id, "read", "ann").await;
    let tries = (0..6).map(|_| apps::refresh(&app, &id, &tokens["refresh_token"], &[]));
    let answers = join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status == 200) {
        apps::client(&app, &answer.json()).get(ME).await.problem(401, "unauthenticated");
    }
    assert_eq!(ann.get(MY_GRANTS).await.ok(), json!({"grants": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_that_nobody_uses_for_sixty_days_ends_and_is_removed() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let tokens = apps::tokens(&app, &id, "read", "ann").await;
    app.app.clock.advance(Duration::days(60));
    apps::refused(&apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await, "invalid_grant");
    assert_eq!(app.log_in("ann").await.get(MY_GRANTS).await.ok(), json!({"grants": []}));
    while app.app.accounts.clean_up().await.expect("a clean-up") > 0 {}
    let mut connection = app.app.database.get().await.expect("a connection");
    let codes = app_codes::table.count().get_result::<i64>(&mut connection).await.expect("a number");
    let grants = app_grants::table.count().get_result::<i64>(&mut connection).await.expect("a number");
    let tokens = app_tokens::table.count().get_result::<i64>(&mut connection).await.expect("a number");
    assert_eq!([codes, grants, tokens], [0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_may_give_up_its_tokens() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let (id, other) = (apps::register(&ann).await, apps::register(&ann).await);
    for member in ["access_token", "refresh_token"] {
        let tokens = apps::tokens(&app, &id, "read", "ann").await;
        let token = tokens[member].as_str().expect("a token");
        let bot = apps::client(&app, &tokens);
        // Another app's request, and one for nothing, are answered alike and do nothing.
        for (token, client_id) in [(token, other.as_str()), ("ppa_x", id.as_str())] {
            let pairs = [("token", token), ("client_id", client_id)];
            apps::send_form(&app, REVOKE, &pairs).await.expect_status(200);
        }
        bot.get(ME).await.ok();
        let pairs = [("token", token), ("client_id", id.as_str()), ("token_type_hint", "nonsense")];
        for _ in 0..2 {
            apps::send_form(&app, REVOKE, &pairs).await.expect_status(200);
            bot.get(ME).await.problem(401, "unauthenticated");
        }
        apps::refused(&apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await, "invalid_grant");
    }
    apps::refused(&apps::send_form(&app, REVOKE, &[("client_id", &id)]).await, "invalid_request");
    apps::refused(&apps::send_form(&app, REVOKE, &[("token", "x")]).await, "invalid_request");
    let nobody = [("token", "x"), ("client_id", "01a1fe2a-89df-7515-9c5d-9fde96828ff2")];
    apps::refused(&apps::send_form(&app, REVOKE, &nobody).await, "invalid_client");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_apps_as_it_ends_personal_tokens() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let bot = apps::client(&app, &apps::tokens(&app, &id, "read", "ann").await);
    let change = json!({"current_password": PASSWORD, "new_password": PASSWORD});
    ann.post("/api/v1/me/password", &change).await.expect_status(204);
    bot.get(ME).await.ok();
    for keeps in [true, false] {
        let unused = apps::code(&app, &id, "read", "ann").await;
        app.stranger()
            .post("/api/v1/password-resets", &json!({"email": "ann@example.org"}))
            .await
            .expect_status(202);
        let mail = Post::of(&app).last("ann").await;
        let token = mail.text.split("token=").nth(1).and_then(|rest| rest.split_whitespace().next());
        let body = json!({"token": token.expect("a token"), "new_password": PASSWORD, "keep_tokens": keeps});
        app.stranger().post("/api/v1/password-resets/confirm", &body).await.expect_status(204);
        let answer = bot.get(ME).await;
        assert_eq!(answer.status, if keeps { 200 } else { 401 });
        // A code that was given with the old password is void in any case.
        let exchanged = apps::send_form(&app, TOKEN, &apps::exchange(&id, &unused)).await;
        apps::refused(&exchanged, "invalid_grant");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_five_grants_of_an_app_and_the_oldest_makes_room() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let id = apps::register(&ann).await;
    let mut bots = Vec::new();
    for _ in 0..6 {
        bots.push(apps::client(&app, &apps::tokens(&app, &id, "read", "ann").await));
    }
    bots[0].get(ME).await.problem(401, "unauthenticated");
    for bot in &bots[1..] {
        bot.get(ME).await.ok();
    }
    assert_eq!(ann.get(MY_GRANTS).await.ok()["grants"].as_array().map(Vec::len), Some(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn apps_are_registered_by_confirmed_players_and_removed_with_all_that_was_allowed() {
    let app = TestApp::start().await;
    let (dev, ann) = (app.player("dev").await, app.player("ann").await);
    let wanted = |member: &str, value: Value| {
        let mut wanted = json!({"name": "Board at hand", "homepage": "https://app.example.org/", "redirect_uris": [REDIRECT]});
        wanted[member] = value;
        wanted
    };
    let good = wanted("name", json!("Other"));
    app.unconfirmed_player("new").await.post(APPS, &good).await.problem(403, "email_not_confirmed");
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("a\u{202e}b")),
        ("homepage", json!("http://app.example.org/")),
        ("redirect_uris", json!([])),
        ("redirect_uris", json!(["http://app.example.org/done"])),
        ("redirect_uris", json!(["http://localhost/done"])),
        ("redirect_uris", json!(["javascript:alert(1)"])),
        ("redirect_uris", json!([REDIRECT, REDIRECT])),
    ] {
        assert_eq!(dev.post(APPS, &wanted(field, value)).await.problem(422, "invalid_value")["field"], field);
    }
    let key = [("Idempotency-Key", "one")];
    let once = || dev.send(reqwest::Method::POST, APPS, Some(good.to_string()), &key);
    let (first, again) = (once().await.expect_status(201).json(), once().await.expect_status(201).json());
    assert_eq!(first, again);
    assert_eq!(dev.get(APPS).await.ok(), json!({"apps": [first]}));
    let answers = join_all((0..12).map(|_| dev.post(APPS, &good))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 9);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.problem(409, "too_many_apps");
    }
    let id = first["id"].as_str().expect("an id");
    let tokens = apps::tokens(&app, id, "read", "ann").await;
    let bot = apps::client(&app, &tokens);
    bot.get(ME).await.ok();
    ann.delete(&format!("{APPS}/{id}")).await.problem(404, "not_found");
    dev.delete(&format!("{APPS}/{id}")).await.expect_status(204);
    bot.get(ME).await.problem(401, "unauthenticated");
    assert_eq!(ann.get(MY_GRANTS).await.ok(), json!({"grants": []}));
    apps::refused(&apps::refresh(&app, id, &tokens["refresh_token"], &[]).await, "invalid_client");
    dev.delete(&format!("{APPS}/{id}")).await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metadata_leads_to_the_endpoints() {
    let app = TestApp::start().await;
    let found = app.stranger().get("/.well-known/oauth-authorization-server").await.ok();
    assert_eq!(found["issuer"], app.url);
    for (member, path) in [
        ("authorization_endpoint", apps::AUTHORIZE),
        ("token_endpoint", TOKEN),
        ("revocation_endpoint", REVOKE),
        ("jwks_uri", "/.well-known/jwks.json"),
    ] {
        assert_eq!(found[member], format!("{}{path}", app.url));
    }
    assert_eq!(found["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(found["scopes_supported"], json!(["read", "play", "manage", "mail", "webhooks"]));
    assert_eq!(found["authorization_response_iss_parameter_supported"], true);
}
