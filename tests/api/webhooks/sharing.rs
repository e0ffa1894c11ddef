//! Slow receivers: they hold up nobody else.

use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use futures_util::FutureExt;
use pippost::accounts::AccountLimits;
use pippost::webhooks::sender::Lookup;
use pippost::webhooks::{Reach, Sender};
use pippost::worker::Flow;
use serde_json::json;

use super::{EVERYTHING, deliver, events, ids, move_once, registered, verified, worker};
use support::TestApp;
use support::games::{pip_pip, pip_pip_again};
use support::receiver::{ANSWER_TIMEOUT, Behavior, Receiver, sender};

/// A sender that waits longer than a test runs.
fn patient() -> Sender {
    let lookup: Lookup =
        std::sync::Arc::new(|_| std::future::ready(Ok(vec![std::net::Ipv4Addr::LOCALHOST.into()])).boxed());
    let allowed = std::sync::Arc::new(|_| true);
    Sender::with(Reach::Anywhere, allowed, lookup, Duration::from_mins(10)).expect("a sender")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_never_answers_holds_up_nobody() {
    let app = TestApp::with_sender(patient()).await;
    let (game, players) = pip_pip(&app).await;
    let (silent, quick) = (Receiver::start(), Receiver::start());
    verified(&players[0], &silent, &EVERYTHING).await;
    verified(&players[1], &quick, &EVERYTHING).await;
    silent.behave(Behavior::Silent);
    let mut deliveries = Flow::new(worker(&app));
    for seq in 1..4 {
        move_once(&game, &players).await;
        // The claim of the delivery before may not have ended yet.
        while quick.count() < seq {
            deliveries.fill().await.expect("begun");
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(ids(&quick.got()), events(&game, 1, 3));
    silent.holds(1).await;
    assert_eq!(ids(&silent.got()), events(&game, 1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_two_deliveries_under_way_at_a_time() {
    let app = TestApp::with_sender(patient()).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let receiver = Receiver::start();
    for _ in 0..4 {
        verified(&ann, &receiver, &EVERYTHING).await;
    }
    receiver.behave(Behavior::Silent);
    let (mut deliveries, players) = (Flow::new(worker(&app)), [ann, bob]);
    pip_pip_again(&players[0], &players[1]).await;
    assert_eq!(deliveries.fill().await.expect("begun"), 2);
    receiver.holds(2).await;
    assert_eq!(deliveries.fill().await.expect("begun"), 0);
    verified(&players[1], &Receiver::start(), &EVERYTHING).await;
    assert_eq!(deliveries.fill().await.expect("begun"), 1, "another player's");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_decides_whatever_the_receiver_still_says() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    receiver.behave(Behavior::Trickling);
    deliver(&worker).await;
    let log = hook.deliveries(&players[0]).await;
    assert_eq!(log[0]["outcome"], "delivered");
    let took = log[0]["milliseconds"].as_u64().expect("a number");
    assert!(u128::from(took) < ANSWER_TIMEOUT.as_millis(), "{took} ms: the time of an answer without end");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_challenge_of_a_player_at_a_time_and_what_was_busy_does_not_count() {
    let limits = AccountLimits::default();
    let app = TestApp::with_limits(limits).await.sending_by(patient());
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (silent, receiver) = (Receiver::start(), Receiver::start());
    let hook = registered(&ann, &json!({"url": silent.url, "kinds": ["turn"]})).await;
    silent.behave_next([Behavior::Silent]);
    let (waiting, path) = (ann.clone(), format!("{}/challenge", hook.path));
    let first = tokio::spawn({
        let path = path.clone();
        async move { waiting.post(&path, &json!({})).await }
    });
    silent.holds(1).await;
    for _ in 0..40 {
        let refused = ann.post(&path, &json!({})).await.problem(429, "too_many_requests");
        assert_eq!(refused["limit"], "webhook-by-hand", "{refused}");
    }
    verified(&bob, &receiver, &["turn"]).await;
    first.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn news_that_could_not_be_looked_at_is_looked_at_with_the_next_step() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    verified(&players[0], &receiver, &EVERYTHING).await;
    deliver(&worker).await;
    move_once(&game, &players).await;
    let mut superuser = app.db_superuser().await;
    superuser.batch_execute("alter table webhooks rename to away").await.expect("renamed");
    worker.step().await.expect_err("no table");
    superuser.batch_execute("alter table away rename to webhooks").await.expect("renamed");
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 1));
}
