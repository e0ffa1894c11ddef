//! Who subscribes, and when a subscription ends.

use serde_json::{Value, json};

use super::{SUBSCRIPTIONS, Table, count, play_turn};
use support::push_service::{Browser, PushService};
use support::receiver::sender;
use support::{Client, PASSWORD, TestApp, apps};

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_listed_without_its_keys_and_renewed_by_the_same_address() {
    let app = TestApp::with_sender(sender()).await;
    let (service, ann) = (PushService::start(), app.player("ann").await);
    let browser = service.browser("a");
    let path = browser.subscribe(&ann).await;
    assert_eq!(browser.subscribe(&ann).await, path, "the same subscription");
    let mut named = browser.subscription();
    named["label"] = json!(format!("Firefox,\u{7} Linux{}", "x".repeat(100)));
    let made = ann.post(SUBSCRIPTIONS, &named).await.ok();
    assert_eq!(made["label"].as_str().expect("a label").chars().count(), 64);
    assert!(made["label"].as_str().expect("a label").starts_with("Firefox, Linux"));
    let listed = ann.get(SUBSCRIPTIONS).await.ok();
    assert_eq!(listed["push_subscriptions"], json!([made]));
    let keys = browser.subscription()["keys"].clone();
    for secret in [&keys["auth"], &keys["p256dh"], &json!(browser.endpoint)] {
        assert!(!listed.to_string().contains(secret.as_str().expect("text")));
    }
    ann.delete(&path).await.expect_status(204);
    ann.delete(&path).await.problem(404, "not_found");
    assert_eq!(count(&ann).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_key_of_a_browser_is_refused() {
    let app = TestApp::with_sender(sender()).await;
    let (service, ann) = (PushService::start(), app.player("ann").await);
    let good = service.browser("a").subscription();
    let (mut short, mut no_point, mut no_secret) = (good.clone(), good.clone(), good.clone());
    short["keys"]["p256dh"] = json!("AAAA");
    no_point["keys"]["p256dh"] = json!(format!("BA{}", "A".repeat(85)));
    no_secret["keys"]["auth"] = json!("AAAA");
    for (bad, field) in [(short, "p256dh"), (no_point, "p256dh"), (no_secret, "auth")] {
        assert_eq!(ann.post(SUBSCRIPTIONS, &bad).await.problem(422, "invalid_value")["field"], field);
    }
    // Whatever is written, what is stored is bounded.
    let mut long_host = good.clone();
    long_host["endpoint"] = json!(format!("https://{}example.org/", "a.".repeat(400)));
    ann.post(SUBSCRIPTIONS, &long_host).await.problem(409, "push_endpoint_refused");
    let mut padded = good.clone();
    let key = padded["keys"]["p256dh"].as_str().expect("text").to_owned();
    padded["keys"]["p256dh"] = json!(format!("{key}{}", "=".repeat(5000)));
    padded["endpoint"] = json!(format!("{}?{}", good["endpoint"].as_str().expect("text"), "\\".repeat(900)));
    let made = ann.post(SUBSCRIPTIONS, &padded).await.ok();
    let path = format!("{SUBSCRIPTIONS}/{}", made["id"].as_str().expect("an id"));
    ann.delete(&path).await.expect_status(204);
    app.unconfirmed_player("bob").await.post(SUBSCRIPTIONS, &good).await.problem(403, "email_not_confirmed");
    for number in 0..10 {
        service.browser(&number.to_string()).subscribe(&ann).await;
    }
    let more = service.browser("more").subscription();
    ann.post(SUBSCRIPTIONS, &more).await.problem(409, "too_many_push_subscriptions");
    service.browser("9").subscribe(&ann).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_tells_the_player_who_subscribed_last() {
    let Table { app: _app, service, workers, game, players, next } = Table::start().await;
    let browser = service.browser("shared");
    browser.subscribe(&players[next]).await;
    play_turn(&game, &players).await;
    workers.post.send().await;
    browser.subscribe(&players[1 - next]).await;
    assert_eq!((count(&players[next]).await, count(&players[1 - next]).await), (0, 1));
    workers.send().await;
    assert!(service.got().is_empty(), "nothing of the one before");
    play_turn(&game, &players).await;
    workers.send().await;
    assert_eq!(service.got().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_ends_with_what_made_it() {
    let Table { app, service, workers, game, players, next } = Table::start().await;
    let (handle, owner) = (["ann", "bob"][next], &players[next]);
    // Of a session, a personal token and an app; each sees its own, a session all.
    let stranger = app.stranger();
    let logged_in = stranger
        .post("/api/v1/sessions", &json!({"login": handle, "password": PASSWORD}))
        .await
        .expect_status(201)
        .json();
    let session = Client::new(&app.url, logged_in["access_token"].as_str().map(str::to_owned));
    let wanted = json!({"name": "script", "scopes": ["webhooks"]});
    let token = owner.post("/api/v1/me/tokens", &wanted).await.expect_status(201).json();
    let script = Client::new(&app.url, token["token"].as_str().map(str::to_owned));
    let registered = apps::register(owner).await;
    let of_app = apps::client(&app, &apps::tokens(&app, &registered, "webhooks", handle).await);
    for (name, maker) in [("session", &session), ("script", &script), ("app", &of_app)] {
        service.browser(name).subscribe(maker).await;
    }
    assert_eq!((count(owner).await, count(&script).await, count(&of_app).await), (3, 1, 1));
    let reader = json!({"name": "reader", "scopes": ["read", "play", "mail"]});
    let reader = owner.post("/api/v1/me/tokens", &reader).await.expect_status(201).json();
    let reader = Client::new(&app.url, reader["token"].as_str().map(str::to_owned));
    reader.get(SUBSCRIPTIONS).await.problem(403, "missing_scope");

    play_turn(&game, &players).await;
    workers.post.send().await;
    owner
        .delete(&format!("/api/v1/me/tokens/{}", token["id"].as_str().expect("an id")))
        .await
        .expect_status(204);
    session.delete("/api/v1/sessions/current").await.expect_status(204);
    let grants = owner.get("/api/v1/me/grants").await.ok();
    let grant = grants["grants"][0]["id"].as_str().expect("an id").to_owned();
    owner.delete(&format!("/api/v1/me/grants/{grant}")).await.expect_status(204);
    workers.send().await;
    assert!(service.got().is_empty(), "what has ended tells nothing");
    assert_eq!(app.db_count("select count(*) as number from push_subscriptions").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_an_account_removes_its_subscriptions_and_the_export_has_them_without_keys() {
    let app = TestApp::with_sender(sender()).await;
    let (service, ann) = (PushService::start(), app.player("ann").await);
    let browser = service.browser("a");
    browser.subscribe(&ann).await;
    let rows = app.db_count("select count(*) as number from push_subscriptions").await;
    let data = exported(&ann).await;
    assert!(data.contains("\"host\": \"127.0.0.1\"") || data.contains("\"host\":\"127.0.0.1\""), "{data}");
    let keys = browser.subscription()["keys"].clone();
    for secret in [&keys["auth"], &keys["p256dh"], &json!(browser.endpoint)] {
        assert!(!data.contains(secret.as_str().expect("text")));
    }
    ann.post("/api/v1/me/deletion", &json!({"password": PASSWORD})).await.expect_status(204);
    assert_eq!((rows, app.db_count("select count(*) as number from push_subscriptions").await), (1, 0));
}

/// The export's part with subscriptions.
async fn exported(owner: &Client) -> String {
    use std::io::Read;
    let data = owner.get("/api/v1/me/data.zip").await.expect_status(200).body.clone();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(data)).expect("an archive");
    let names: Vec<String> = (0..archive.len())
        .map(|index| archive.by_index(index).expect("a file").name().expect("a name").into_owned())
        .collect();
    let name = names.iter().find(|name| name.contains("push-subscriptions")).expect("the part");
    let mut text = String::new();
    archive.by_name(name).expect("a file").read_to_string(&mut text).expect("text");
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_web_push_offers_no_key_and_takes_no_subscription() {
    let mut off = TestApp::start().await;
    off.app = off.app.clone().with_pushes("mailto:ops@example.org".to_owned(), false);
    assert!(off.app.pushes.public_key().is_none());
    let off = off.sending_by(sender());
    let ann = off.player("ann").await;
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["public_key"], Value::Null);
    let wanted = Browser::at("https://push.example.org/a").subscription();
    ann.post(SUBSCRIPTIONS, &wanted).await.problem(409, "push_off");
}
