//! Push services that fail, and addresses that lead elsewhere.

use pippost::push::{RATE_AT_ONCE, RATE_PERIOD};
use pippost::store::{DueMark, push_messages};
use pippost::webhooks::schedule::{FEWEST_FAILURES, GIVE_UP_AFTER};
use pippost::worker::PushWorker;
use pippost::worker::pushes::LEASE;
use serde_json::json;
use time::Duration;

use super::{SUBSCRIPTIONS, Table, Workers, count, play_turn, to_act};
use support::TestApp;
use support::games::pip_pip;
use support::push_service::{Browser, PushService};
use support::receiver::{Behavior, Receiver, sender};

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_that_is_gone_is_removed_with_all_that_waits_for_it() {
    let app = TestApp::with_sender(sender()).await;
    let workers = Workers::of(&app);
    let (game, players) = pip_pip(&app).await;
    workers.send().await;
    for status in [410, 404] {
        let service = PushService::start();
        let next = 1 - to_act(&game, &players).await;
        service.browser("gone").subscribe(&players[next]).await;
        service.answer(status, None);
        play_turn(&game, &players).await;
        workers.send().await;
        assert_eq!(service.got().len(), 1, "{status}");
        assert_eq!(count(&players[next]).await, 0, "{status}");
        assert_eq!(app.db_count("select count(*) as number from push_messages").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_fails_is_asked_again_when_it_says_and_never_told_of_what_has_passed() {
    let Table { app, service, workers, game, players, next } = Table::start().await;
    let browser = service.browser("a");
    browser.subscribe(&players[next]).await;
    service.answer(429, Some(600));
    play_turn(&game, &players).await;
    workers.send().await;
    assert_eq!(service.got().len(), 1);
    let shown = players[next].get(SUBSCRIPTIONS).await.ok();
    assert!(shown["push_subscriptions"][0]["failing_since"].is_string(), "{shown}");
    // Another notice does not come sooner.
    app.app.clock.advance(Duration::seconds(599));
    workers.send().await;
    assert!(service.got().is_empty());
    service.answer(201, None);
    app.app.clock.advance(Duration::seconds(1));
    workers.send().await;
    let got = service.got();
    assert_eq!(got.len(), 1);
    assert_eq!(got[0].ttl, 3 * 24 * 3600 - 600, "not longer than the notice is worth telling");
    let shown = app.log_in(["ann", "bob"][next]).await.get(SUBSCRIPTIONS).await.ok();
    assert!(shown["push_subscriptions"][0]["failing_since"].is_null(), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_days_of_failures_a_subscription_is_removed() {
    let Table { app, service, workers, game, players, next } = Table::start().await;
    // An answer that no push service gives: this is some other server.
    service.answer(200, None);
    service.browser("a").subscribe(&players[next]).await;
    players[1 - next].post(&format!("{game}/resign"), &json!({})).await.ok();
    let (mut attempts, begun) = (0, app.app.clock.now());
    let subscriptions = "select count(*) as number from push_subscriptions";
    while app.db_count(subscriptions).await > 0 {
        workers.send().await;
        attempts += service.got().len();
        app.app.clock.advance(Duration::HOUR);
    }
    assert!(i32::try_from(attempts).expect("few") >= FEWEST_FAILURES && attempts < 30, "{attempts}");
    let took = app.app.clock.now() - begun;
    assert!(took > GIVE_UP_AFTER && took <= GIVE_UP_AFTER + Duration::HOUR * 7, "{took}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_the_usual_settings_sends_to_no_private_address() {
    let app = TestApp::start().await;
    let (inside, workers) = (PushService::start(), Workers::of(&app));
    let (game, players) = pip_pip(&app).await;
    workers.send().await;
    let next = 1 - to_act(&game, &players).await;
    for endpoint in [
        inside.url.as_str(),
        "https://127.0.0.1:8443/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://ann:secret@push.example.org/",
        "https://push.example.org:25/",
        "http://push.example.org/",
    ] {
        let wanted = Browser::at(endpoint).subscription();
        let problem = players[next].post(SUBSCRIPTIONS, &wanted).await.problem(409, "push_endpoint_refused");
        assert_eq!(problem["field"], "endpoint", "{endpoint}");
        assert!(!problem.to_string().contains("secret"));
    }
    // This name leads to this machine.
    Browser::at(&format!("https://localhost:{}/send/a", inside.port)).subscribe(&players[next]).await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert!(inside.got().is_empty());
    let shown = players[next].get(SUBSCRIPTIONS).await.ok();
    assert!(shown["push_subscriptions"][0]["failing_since"].is_string(), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_redirects_or_never_answers_holds_up_nobody_else() {
    let Table { app: _app, service, workers, game, players, next } = Table::start().await;
    // The receiver of webhooks expects their headers, so it never answers what has none.
    let silent = Receiver::start();
    silent.behave(Behavior::Silent);
    Browser::at(&silent.url).subscribe(&players[next]).await;
    let elsewhere = PushService::start();
    service.answer(307, None);
    service.browser("redirecting").subscribe(&players[next]).await;
    let good = PushService::start();
    good.browser("good").subscribe(&players[next]).await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert_eq!((service.got().len(), elsewhere.got().len(), good.got().len()), (1, 0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_send_each_message_once() {
    let app = TestApp::with_sender(sender()).await;
    let (service, workers, second) = (PushService::start(), Workers::of(&app), app.second().await);
    let second = second.sending_by(sender());
    let other = PushWorker::new(second.app.pushes.clone(), second.app.outbox_signal.clone());
    let (game, players) = pip_pip(&app).await;
    workers.send().await;
    for name in 0..8 {
        service.browser(&format!("ann{name}")).subscribe(&players[0]).await;
        service.browser(&format!("bob{name}")).subscribe(&players[1]).await;
    }
    for _ in 0..6 {
        play_turn(&game, &players).await;
        workers.post.send().await;
        let drain = async |worker: &PushWorker| while worker.step().await.expect("a step") > 0 {};
        tokio::join!(drain(&workers.pushes), drain(&other));
        let mut paths: Vec<String> = service.got().into_iter().map(|pushed| pushed.path).collect();
        assert_eq!(paths.len(), 8);
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), 8, "each once");
    }
    assert_eq!(app.db_count("select count(*) as number from push_messages").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_worker_had_claimed_is_sent_by_another_when_the_lease_is_over() {
    let Table { app, service, workers, game, players, next } = Table::start().await;
    service.browser("a").subscribe(&players[next]).await;
    play_turn(&game, &players).await;
    workers.post.send().await;
    let now = app.app.clock.now();
    let mut connection = app.app.database.get().await.expect("a connection");
    let claimed = push_messages::claim(&mut connection, now, now + LEASE, 10, &DueMark::default()).await;
    assert_eq!(claimed.expect("a claim").len(), 1);
    workers.send().await;
    assert!(service.got().is_empty());
    app.app.clock.advance(LEASE);
    workers.send().await;
    assert_eq!(service.got().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_gets_so_much_at_once_and_the_rest_in_time() {
    let Table { app, service, workers, game, players, next } = Table::start().await;
    service.browser("a").subscribe(&players[next]).await;
    let used = i64::from(RATE_AT_ONCE) * RATE_PERIOD.whole_seconds();
    let mut superuser = app.db_superuser().await;
    let free_at = app.app.clock.now().unix_timestamp() + used;
    let statement = format!("update push_subscriptions set rate_free_at = to_timestamp({free_at})");
    diesel_async::SimpleAsyncConnection::batch_execute(&mut superuser, &statement).await.expect("an update");
    play_turn(&game, &players).await;
    workers.send().await;
    assert_eq!(service.got().len(), 1, "the last place");
    play_turn(&game, &players).await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert!(service.got().is_empty());
    app.app.clock.advance(RATE_PERIOD);
    workers.send().await;
    assert_eq!(service.got().len(), 1);
    assert_eq!(players[next].get(&game).await.ok()["to_act"], json!(next));
}
