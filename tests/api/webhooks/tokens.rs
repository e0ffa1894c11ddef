//! Webhooks of apps and personal tokens: each manages its own, and they end with it.

use pippost::accounts::apps::APP_REFRESH_LIFETIME;
use serde_json::{Value, json};
use time::Duration;

use super::{EVERYTHING, Hook, WEBHOOKS, deliver, registered, verified, worker};
use support::games::pip_pip_again;
use support::post::Post;
use support::receiver::{Receiver, sender};
use support::{Client, PASSWORD, TestApp, apps};

const TOKENS: &str = "/api/v1/me/tokens";

/// A client with a new personal token, and the token's path.
async fn personal(app: &TestApp, owner: &Client) -> (Client, String) {
    let wanted = json!({"name": "script", "scopes": ["webhooks"]});
    let made = owner.post(TOKENS, &wanted).await.expect_status(201).json();
    let token = made["token"].as_str().expect("a token").to_owned();
    (Client::new(&app.url, Some(token)), format!("{TOKENS}/{}", made["id"].as_str().expect("an id")))
}

/// How many webhooks somebody sees.
async fn count(who: &Client) -> usize {
    who.get(WEBHOOKS).await.ok()["webhooks"].as_array().expect("a list").len()
}

async fn expect_unknown(who: &Client, hook: &Hook) {
    let path = &hook.path;
    who.get(path).await.problem(404, "not_found");
    who.patch(path, &json!({"url": "http://127.0.0.1:9/"})).await.problem(404, "not_found");
    who.delete(path).await.problem(404, "not_found");
    who.get(&format!("{path}/deliveries")).await.problem(404, "not_found");
    for (operation, body) in [
        ("secret", json!({})),
        ("challenge", json!({})),
        ("verify", json!({"challenge": "x"})),
        ("redeliver", json!({"event": format!("{}:0", uuid::Uuid::now_v7())})),
    ] {
        who.post(&format!("{path}/{operation}"), &body).await.problem(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_manages_what_it_has_registered_and_a_session_all() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    let wanted = json!({"url": receiver.url, "kinds": ["turn"]});
    let (first, second) = (apps::register(&ann).await, apps::register(&ann).await);
    let of_first = apps::client(&app, &apps::tokens(&app, &first, "webhooks", "ann").await);
    let of_second = apps::client(&app, &apps::tokens(&app, &second, "webhooks", "ann").await);
    let (script, _) = personal(&app, &ann).await;
    let mut hooks = Vec::new();
    for holder in [&ann, &of_first, &of_second, &script] {
        hooks.push(registered(holder, &wanted).await);
    }
    for (number, holder) in [(1, &of_first), (2, &of_second), (3, &script)] {
        assert_eq!(count(holder).await, 1);
        for (other, hook) in hooks.iter().enumerate() {
            if other == number {
                hook.show(holder).await;
            } else {
                expect_unknown(holder, hook).await;
            }
        }
    }
    assert_eq!(count(&ann).await, 4);
    for hook in &hooks {
        assert_eq!(ann.patch(&hook.path, &json!({"kinds": ["event"]})).await.ok()["kinds"], json!(["event"]));
    }
    // The same app on another machine.
    let again = apps::client(&app, &apps::tokens(&app, &first, "webhooks", "ann").await);
    assert_eq!(count(&again).await, 1);
    again.delete(&hooks[1].path).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_token_has_registered_ends_with_it_verified_or_not() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    let wanted = json!({"url": receiver.url, "kinds": ["turn"]});
    registered(&ann, &wanted).await;
    let (script, path) = personal(&app, &ann).await;
    verified(&script, &receiver, &EVERYTHING).await;
    registered(&script, &wanted).await;
    assert_eq!(count(&ann).await, 3);
    ann.delete(&path).await.expect_status(204);
    assert_eq!(count(&ann).await, 1);

    let id = apps::register(&ann).await;
    let tokens = apps::tokens(&app, &id, "webhooks", "ann").await;
    registered(&apps::client(&app, &tokens), &wanted).await;
    assert_eq!(count(&ann).await, 2);
    let form = [("client_id", id.as_str()), ("token", tokens["access_token"].as_str().expect("a token"))];
    apps::send_form(&app, apps::REVOKE, &form).await.expect_status(200);
    assert_eq!(count(&ann).await, 1);

    // A refresh token that is used twice revokes what its app was allowed.
    let tokens = apps::tokens(&app, &id, "webhooks", "ann").await;
    registered(&apps::client(&app, &tokens), &wanted).await;
    apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await.ok();
    apps::refused(&apps::refresh(&app, &id, &tokens["refresh_token"], &[]).await, "invalid_grant");
    assert_eq!(count(&ann).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_reset_ends_webhooks_as_it_ends_tokens() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    registered(&ann, &json!({"url": receiver.url, "kinds": ["turn"]})).await;
    for (keeps, left) in [(true, 1), (false, 0)] {
        let asked = json!({"email": "ann@example.org"});
        app.stranger().post("/api/v1/password-resets", &asked).await.expect_status(202);
        let mail = Post::of(&app).last("ann").await;
        let token = mail.text.split("token=").nth(1).and_then(|rest| rest.split_whitespace().next());
        let body = json!({"token": token.expect("a token"), "new_password": PASSWORD, "keep_tokens": keeps});
        app.stranger().post("/api/v1/password-resets/confirm", &body).await.expect_status(204);
        assert_eq!(count(&app.log_in("ann").await).await, left);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_only_listens_is_not_forgotten() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (ann, _) = (app.player("ann").await, app.player("bob").await);
    let id = apps::register(&ann).await;
    let program = apps::client(&app, &apps::tokens(&app, &id, "webhooks", "ann").await);
    let hook = verified(&program, &receiver, &EVERYTHING).await;
    // It makes no room for further grants of its app.
    for _ in 0..6 {
        apps::tokens(&app, &id, "webhooks", "ann").await;
    }
    hook.show(&program).await;
    app.app.clock.advance(APP_REFRESH_LIFETIME + Duration::days(1));
    while app.app.accounts.clean_up().await.expect("cleaned up") > 0 {}
    let players = [app.log_in("ann").await, app.log_in("bob").await];
    pip_pip_again(&players[0], &players[1]).await;
    deliver(&worker).await;
    assert_eq!(receiver.got().len(), 1);
    let grants = |listed: Value| listed["grants"].as_array().expect("a list").clone();
    let listed = grants(players[0].get(apps::MY_GRANTS).await.ok());
    assert_eq!(listed.len(), 1, "the player sees what is told");
    players[0].delete(&hook.path).await.expect_status(204);
    assert!(grants(players[0].get(apps::MY_GRANTS).await.ok()).is_empty());

    let tokens = apps::tokens(&app, &id, "webhooks", "ann").await;
    registered(&apps::client(&app, &tokens), &json!({"url": receiver.url, "kinds": ["turn"]})).await;
    app.app.clock.advance(APP_REFRESH_LIFETIME + Duration::days(1));
    while app.app.accounts.clean_up().await.expect("cleaned up") > 0 {}
    let ann = app.log_in("ann").await;
    let listed = grants(ann.get(apps::MY_GRANTS).await.ok());
    let grant = listed[0]["id"].as_str().expect("an id");
    ann.delete(&format!("{}/{grant}", apps::MY_GRANTS)).await.expect_status(204);
    assert_eq!(count(&ann).await, 0);
}
