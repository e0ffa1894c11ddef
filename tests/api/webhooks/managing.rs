//! Registering, changing and removing webhooks: what is possible, and for whom.

use diesel_async::SimpleAsyncConnection;
use pippost::accounts::AccountLimits;
use pippost::store::webhook_claims;
use serde_json::{Value, json};

use super::{EVERYTHING, WEBHOOKS, deliver, id_of, move_once, registered, verified, worker};
use support::db::plan;
use support::games::{open_game, pip_pip};
use support::receiver::{Receiver, sender};
use support::{TestApp, apps, cluster};

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_at_most_ten_and_sees_no_others() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let receiver = Receiver::start();
    let wanted = json!({"url": receiver.url, "kinds": ["turn", "game_over"]});
    let mut hooks = Vec::new();
    for _ in 0..10 {
        hooks.push(registered(&ann, &wanted).await);
    }
    ann.post(WEBHOOKS, &wanted).await.problem(409, "too_many_webhooks");
    let listed = ann.get(WEBHOOKS).await.ok();
    assert_eq!(listed["webhooks"].as_array().map(Vec::len), Some(10));
    assert!(!listed.to_string().contains("whsec_"), "secrets are shown once");
    assert_eq!(listed["webhooks"][0]["kinds"], json!(["game_over", "turn"]));
    assert_eq!(bob.get(WEBHOOKS).await.ok()["webhooks"], json!([]));
    let path = &hooks[0].path;
    bob.get(path).await.problem(404, "not_found");
    bob.patch(path, &json!({})).await.problem(404, "not_found");
    bob.delete(path).await.problem(404, "not_found");
    bob.post(&format!("{path}/secret"), &json!({})).await.problem(404, "not_found");
    bob.post(&format!("{path}/challenge"), &json!({})).await.problem(404, "not_found");
    bob.get(&format!("{path}/deliveries")).await.problem(404, "not_found");
    bob.post(&format!("{path}/redeliver"), &json!({"event": format!("{}:0", uuid::Uuid::now_v7())}))
        .await
        .problem(404, "not_found");
    ann.delete(path).await.expect_status(204);
    ann.get(path).await.problem(404, "not_found");
    registered(&ann, &wanted).await;
    let carl = app.unconfirmed_player("carl").await;
    carl.post(WEBHOOKS, &wanted).await.problem(403, "email_not_confirmed");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_webhook_is_refused_and_a_repeated_request_registers_once() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (foreign, url) = (open_game(&bob).await, Receiver::start().url.clone());
    for (body, status, code) in [
        (json!({"url": url, "kinds": []}), 422, "invalid_value"),
        (json!({"url": url, "kinds": ["turn", "turn"]}), 422, "invalid_value"),
        (json!({"url": url, "kinds": ["move"]}), 422, "invalid_value"),
        (json!({"url": "x", "kinds": ["turn"]}), 422, "invalid_value"),
        (json!({"url": "https://a b/", "kinds": ["turn"]}), 422, "invalid_value"),
        (json!({"url": format!("https://a/{}", "x".repeat(1100)), "kinds": ["turn"]}), 422, "invalid_value"),
        (json!({"url": url, "kinds": ["turn"], "game": id_of(&foreign)}), 404, "not_found"),
        (json!({"url": url, "kinds": ["turn"], "after": "x"}), 422, "invalid_value"),
    ] {
        ann.post(WEBHOOKS, &body).await.problem(status, code);
    }
    let wanted = json!({"url": url, "kinds": ["turn"]}).to_string();
    let key = [("Idempotency-Key", "once")];
    let first = ann.send(reqwest::Method::POST, WEBHOOKS, Some(wanted.clone()), &key).await;
    let again = ann.send(reqwest::Method::POST, WEBHOOKS, Some(wanted), &key).await;
    assert_eq!(first.expect_status(201).body, again.expect_status(201).body);
    assert_eq!(ann.get(WEBHOOKS).await.ok()["webhooks"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_changed_member_by_member() {
    let app = TestApp::with_sender(sender()).await;
    let (game, players) = pip_pip(&app).await;
    let receiver = Receiver::start();
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    let change = async |body: Value| players[0].patch(&hook.path, &body).await.ok();
    let limited = change(json!({"game": id_of(&game), "kinds": ["turn"]})).await;
    assert_eq!((&limited["game"], &limited["state"]), (&json!(id_of(&game)), &json!("active")));
    assert_eq!(change(json!({})).await, limited);
    let open = change(json!({"game": null})).await;
    assert_eq!((&open["game"], &open["kinds"]), (&json!(null), &json!(["turn"])));
    assert_eq!(change(json!({"format": "standard"})).await["state"], "active", "it had that format");
    assert_eq!(change(json!({"format": "slack"})).await["state"], "unverified");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_app_has_registered_ends_with_what_the_app_is_allowed() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let client_id = apps::register(&players[0]).await;
    let program = apps::client(&app, &apps::tokens(&app, &client_id, "webhooks", "ann").await);
    verified(&program, &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert_eq!(receiver.got().len(), 1);
    let grant =
        players[0].get(apps::MY_GRANTS).await.ok()["grants"][0]["id"].as_str().expect("an id").to_owned();
    players[0].delete(&format!("{}/{grant}", apps::MY_GRANTS)).await.expect_status(204);
    assert_eq!(players[0].get(WEBHOOKS).await.ok()["webhooks"], json!([]));
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert!(receiver.got().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_are_limited() {
    let app = TestApp::with_limits(AccountLimits::default()).await.sending_by(sender());
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    let hook = registered(&ann, &json!({"url": receiver.url, "kinds": ["turn"]})).await;
    for _ in 0..29 {
        hook.challenge(&ann).await;
    }
    ann.patch(&hook.path, &json!({})).await.ok();
    ann.patch(&hook.path, &json!({})).await.problem(429, "too_many_requests");
    let path = format!("{}/challenge", hook.path);
    assert_eq!(
        ann.post(&path, &json!({})).await.problem(429, "too_many_requests")["limit"],
        "send-to-webhook"
    );
    assert_eq!(receiver.got().len(), 29);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_keeps_a_hundred_attempts() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    let hook = registered(&ann, &json!({"url": receiver.url, "kinds": ["turn"]})).await;
    for _ in 0..103 {
        hook.challenge(&ann).await;
    }
    assert_eq!(hook.deliveries(&ann).await.len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_workers_statements_reach_their_rows_by_index() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let rows = "create temporary table many as select gen_random_uuid() as player_id, gen_random_uuid() as game_id, i \
         from generate_series(1, 20000) i; \
         insert into players (id, handle, email, email_key, password_hash, created_at) \
         select player_id, 'p' || i || 'x', i || '@example.org', i || '@example.org', '', now() from many; \
         insert into games (id, rules, rules_version, options, seating, seats, private, commitment, master_sealed, creator_id, \
         status, created_at) select game_id, 'pip-pip', 1, '{}', 'joined', 2, false, '', '', player_id, 'running', now() from many; \
         insert into game_players (game_id, player_id, joined, entropy) select game_id, player_id, 0, '' from many; \
         insert into webhooks (id, player_id, url_sealed, format, kinds, state, created_at, secret_sealed, cursor, look_at) \
         select gen_random_uuid(), player_id, '', 'standard', '{turn}', 'active', now(), '', 0, \
         now() + (i - 100) * interval '1 second' from many; analyze";
    connection.batch_execute(rows).await.expect("many webhooks");
    let filled = |statement: &str, values: &[(&str, &str)]| {
        values.iter().fold(statement.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    let id = "'01a1fe2a-89df-7515-9c5d-9fde96828ff2'::uuid";
    let ids = format!("array[{id}]");
    let claim =
        [("$1", "now()"), ("$2", "now()"), ("$3", "32"), ("$4", "'-infinity'"), ("$5", id), ("$6", "now()")];
    for (statement, indexes) in [
        (filled(&webhook_claims::CLAIM, &claim), vec!["webhooks_due", "webhooks_pkey"]),
        (
            filled(webhook_claims::WAKE, &[("$1", &ids), ("$2", "now()")]),
            vec!["webhooks_player", "game_players_game_id", "webhooks_pkey"],
        ),
    ] {
        let plan = plan(&mut connection, &statement).await;
        for index in indexes {
            assert!(plan.contains(index), "{index} is not used:\n{plan}");
        }
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
