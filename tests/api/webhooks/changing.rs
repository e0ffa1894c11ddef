//! Webhooks that are changed, removed or damaged while something is sent to them.

use diesel_async::SimpleAsyncConnection;
use pippost::worker::webhooks::LEASE;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::{
    EVERYTHING, Hook, WEBHOOKS, deliver, events, id_of, ids, move_once, registered, verified, worker,
};
use support::TestApp;
use support::cluster;
use support::games::pip_pip;
use support::post::Post;
use support::receiver::{Behavior, Receiver, sender};

fn number_of(hook: &Hook) -> Uuid {
    id_of(&hook.path).parse().expect("an id")
}

/// Waits until somebody waits for a lock.
async fn until_one_waits(app: &TestApp) {
    let mut watcher = app.db_superuser().await;
    let waits = "do $$ begin if not exists (select from pg_stat_activity where wait_event_type = 'Lock' \
        and datname = current_database()) then raise 'none'; end if; end $$";
    while watcher.batch_execute(waits).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_goes_to_the_address_that_it_verifies() {
    let app = TestApp::with_sender(sender()).await;
    let ann = app.player("ann").await;
    let (before, after) = (Receiver::start(), Receiver::start());
    let hook = registered(&ann, &json!({"url": before.url, "kinds": ["turn"]})).await;
    let id = number_of(&hook);
    let sealed = hex::encode(app.app.secret.seal(id, after.url.as_bytes()));
    let mut other = app.db_superuser().await;
    let change = format!("begin; update webhooks set url_sealed = '\\x{sealed}' where id = '{id}'");
    other.batch_execute(&change).await.expect("another address");
    let challenging = hook.challenge(&ann);
    let committing = async {
        until_one_waits(&app).await;
        other.batch_execute("commit").await.expect("a commit");
    };
    let (challenged, ()) = futures_util::join!(challenging, committing);
    assert!(before.got().is_empty(), "the challenge of an address that it does not verify");
    assert_eq!(after.got().len(), 1);
    assert_eq!(challenged["webhook"]["state"], "active");
    assert_eq!(challenged["webhook"]["url"], after.url);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_during_an_attempt_does_not_make_the_next_come_sooner() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    receiver.behave_next([Behavior::Silent, Behavior::Refusing(500)]);
    let attempt = {
        let worker = worker.clone();
        tokio::spawn(async move { worker.step().await })
    };
    receiver.holds(1).await;
    players[0].patch(&hook.path, &json!({})).await.ok();
    attempt.await.expect("no panic").expect("a step");
    receiver.got();
    deliver(&worker).await;
    assert!(receiver.got().is_empty(), "the failure does not count, and so the lease does");
    app.app.clock.advance(LEASE);
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 1));
    assert!(hook.show(&players[0]).await["failing_since"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_given_the_address_it_has_stays_verified() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    let hook = verified(&ann, &receiver, &["turn"]).await;
    let same = json!({"url": receiver.url, "kinds": ["event"]});
    let changed = ann.patch(&hook.path, &same).await.ok();
    assert_eq!((&changed["state"], &changed["kinds"]), (&json!("active"), &json!(["event"])));
    let other = json!({"url": format!("{}/else", receiver.url)});
    assert_eq!(ann.patch(&hook.path, &other).await.ok()["state"], "unverified");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_is_removed_while_something_is_sent_is_not_found() {
    let app = TestApp::with_sender(sender()).await;
    let (game, players) = pip_pip(&app).await;
    let receiver = Receiver::start();
    for (operation, body) in
        [("challenge", json!({})), ("redeliver", json!({"event": events(&game, 0, 0)[0]}))]
    {
        let hook = verified(&players[0], &receiver, &["turn"]).await;
        receiver.behave_next([Behavior::Silent]);
        let path = format!("{}/{operation}", hook.path);
        let sending = players[0].post(&path, &body);
        let removing = async {
            receiver.holds(1).await;
            players[0].delete(&hook.path).await.expect_status(204);
        };
        let (sent, ()) = futures_util::join!(sending, removing);
        sent.problem(404, "not_found");
        receiver.got();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_cannot_be_read_fails_alone_and_ends_like_any_other() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker, post) = (Receiver::start(), worker(&app), Post::of(&app));
    let (game, players) = pip_pip(&app).await;
    let hooks = [
        verified(&players[0], &receiver, &EVERYTHING).await,
        verified(&players[0], &receiver, &EVERYTHING).await,
    ];
    // As after an exchange of the secret key.
    let mut superuser = app.db_superuser().await;
    let damage = format!(
        "update webhooks set url_sealed = '\\x00', secret_sealed = '\\x00' where id = '{}'",
        number_of(&hooks[0])
    );
    superuser.batch_execute(&damage).await.expect("a damaged row");
    let listed = players[0].get(WEBHOOKS).await.ok();
    assert_eq!(
        (&listed["webhooks"][0]["url"], &listed["webhooks"][1]["url"]),
        (&json!(null), &json!(receiver.url))
    );
    let challenged = hooks[0].challenge(&players[0]).await;
    assert_eq!(challenged["delivery"]["outcome"], "not_readable");
    move_once(&game, &players).await;
    for _ in 0..30 {
        deliver(&worker).await;
        let shown = hooks[0].show(&app.log_in("ann").await).await;
        if shown["state"] == "disabled" {
            break;
        }
        assert!(shown["failing_since"].is_string(), "{shown}");
        app.app.clock.advance(Duration::hours(6));
    }
    assert_eq!(ids(&receiver.got()), events(&game, 1, 1), "the other one");
    let ann = app.log_in("ann").await;
    assert_eq!(hooks[0].show(&ann).await["state"], "disabled");
    let log: Vec<Value> = hooks[0].deliveries(&ann).await;
    assert_eq!((&log[0]["outcome"], &log[0]["status"]), (&json!("not_readable"), &json!(null)));
    let mail = post.last("ann").await;
    assert_eq!(mail.kind, "webhook_disabled");
    assert!(mail.text.contains(&number_of(&hooks[0]).to_string()), "{}", mail.text);
    // Another address and another secret make it good.
    ann.patch(&hooks[0].path, &json!({"url": receiver.url})).await.ok();
    ann.post(&format!("{}/secret", hooks[0].path), &json!({})).await.expect_status(201);
    assert_eq!(hooks[0].challenge(&ann).await["webhook"]["state"], "active");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_a_feed_without_its_events_is_a_failure() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    move_once(&game, &players).await;
    let mut superuser = app.db_superuser().await;
    let damage = "alter table events disable trigger user; delete from events where seq = 1";
    cluster::run_each(&mut superuser, damage).await.expect("a damaged record");
    deliver(&worker).await;
    assert!(receiver.got().is_empty());
    let shown = hook.show(&players[0]).await;
    assert!(shown["failing_since"].is_string() && shown["retry_at"].is_string(), "{shown}");
    let log = hook.deliveries(&players[0]).await;
    assert_eq!(
        (&log[0]["outcome"], &log[0]["event"]),
        (&json!("not_readable"), &json!(events(&game, 1, 1)[0]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_first_event_a_cursor_is_null() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let ann = app.player("ann").await;
    let hook = verified(&ann, &receiver, &EVERYTHING).await;
    let players = [ann, app.player("bob").await];
    let game = support::games::pip_pip_again(&players[0], &players[1]).await;
    // The event has a place in the feed, and was not told.
    players[0].get("/api/v1/me/feed").await.ok();
    assert_eq!(hook.show(&players[0]).await["cursor"], json!(null));
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 0, 0));
    assert_eq!(hook.show(&players[0]).await["cursor"], json!(events(&game, 0, 0)[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_its_player_disables_goes_on_where_it_stopped_without_a_challenge() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = registered(&players[0], &json!({"url": receiver.url, "kinds": EVERYTHING})).await;
    let enable = async |enabled: bool| players[0].patch(&hook.path, &json!({"enabled": enabled})).await;
    enable(true).await.problem(409, "webhook_not_verified");
    assert_eq!(enable(false).await.ok()["state"], "unverified");
    hook.challenge(&players[0]).await;
    receiver.got();
    // Also while it fails; the failures before count still, but a disabled webhook fails no more.
    receiver.behave(Behavior::Refusing(503));
    move_once(&game, &players).await;
    deliver(&worker).await;
    let off = enable(false).await.ok();
    assert_eq!((&off["state"], &off["failing_since"]), (&json!("disabled"), &json!(null)));
    receiver.behave(Behavior::Accepting);
    receiver.got();
    app.app.clock.advance(Duration::minutes(1));
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert!(receiver.got().is_empty());
    assert_eq!(enable(true).await.ok()["state"], "active");
    assert_eq!(enable(true).await.ok()["state"], "active");
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 2));

    // One that failed for too long has to meet a challenge.
    receiver.behave(Behavior::Refusing(410));
    move_once(&game, &players).await;
    deliver(&worker).await;
    let gone = hook.show(&players[0]).await;
    assert!(gone["state"] == "disabled" && gone["failing_since"].is_string(), "{gone}");
    enable(true).await.problem(409, "webhook_not_verified");
    assert_eq!(enable(false).await.ok()["failing_since"], gone["failing_since"]);
}
