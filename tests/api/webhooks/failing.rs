//! Receivers that fail, and workers that are killed: every event comes at least once and in order, and long failure ends it.

use std::collections::HashMap;

use pippost::worker::webhooks::LEASE;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc2822;

use super::{EVERYTHING, deliver, events, ids, move_once, verified, worker};
use support::games::{pip_pip, pip_pip_again, play_to_the_end};
use support::post::Post;
use support::receiver::{Behavior, Got, Receiver, sender};
use support::{START, TestApp};

/// Fails unless the events of each game come in order, each perhaps again before the next; returns the last of each game.
fn check_order(got: &[Got]) -> HashMap<String, u64> {
    let mut last: HashMap<String, u64> = HashMap::new();
    for got in got {
        let (game, seq) = got.id.split_once(':').expect("the id of an event");
        let seq: u64 = seq.parse().expect("a number");
        let expected = last.get(game).map_or(0, |last| last + 1);
        assert!(seq == expected || seq + 1 == expected, "{} after {expected}", got.id);
        last.insert(game.to_owned(), seq);
    }
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_at_random_has_every_event_in_order() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let hook = verified(&ann, &receiver, &EVERYTHING).await;
    let players = [ann, bob];
    let games =
        [pip_pip_again(&players[0], &players[1]).await, pip_pip_again(&players[0], &players[1]).await];
    let mut chance = ChaCha8Rng::seed_from_u64(21);
    let (mut got, mut refused) = (Vec::new(), 0);
    for round in 0..36 {
        move_once(&games[round % 2], &players).await;
        let behaviors = (0..4).map(|_| match chance.next_u32() % 3 {
            0 => Behavior::Refusing(503),
            _ => Behavior::Accepting,
        });
        receiver.behave_next(behaviors.collect::<Vec<_>>());
        deliver(&worker).await;
        got.extend(receiver.got());
        // Long enough for the retry that is due next, and no session ends.
        app.app.clock.advance(Duration::seconds(15));
        refused += usize::from(hook.show(&players[0]).await["failing_since"].is_string());
    }
    receiver.behave_next([]);
    for _ in 0..20 {
        app.app.clock.advance(Duration::seconds(30));
        deliver(&worker).await;
    }
    got.extend(receiver.got());
    assert!(refused > 3, "{refused}");
    let last = check_order(&got);
    let ann = app.log_in("ann").await;
    for game in &games {
        let view = ann.get(game).await.ok();
        assert_eq!(last.get(super::id_of(game)).copied(), view["seq"].as_u64());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_killed_is_followed_by_another_when_its_lease_is_over() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, killed) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    for _ in 0..3 {
        move_once(&game, &players).await;
    }
    receiver.behave_next([Behavior::Accepting, Behavior::Silent]);
    let running = tokio::spawn(async move { killed.step().await });
    receiver.holds(2).await;
    // The challenge and the first event are in the log; the second event is under way.
    assert_eq!(hook.deliveries(&players[0]).await.len(), 2);
    assert_eq!(ids(&receiver.got()), events(&game, 1, 2));
    running.abort();
    assert!(running.await.expect_err("killed").is_cancelled());
    let next = worker(&app);
    app.app.outbox_signal.notify_of(&[super::id_of(&game).parse().expect("an id")]);
    deliver(&next).await;
    assert!(receiver.got().is_empty(), "the lease lasts");
    app.app.clock.advance(LEASE);
    deliver(&next).await;
    assert_eq!(ids(&receiver.got()), events(&game, 2, 3), "the one that was under way comes again");
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_of_two_processes_share_webhooks_and_deliver_each_event_once() {
    let app = TestApp::with_sender(sender()).await;
    let other = app.second().await.sending_by(sender());
    let workers = [worker(&app), worker(&other)];
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let receivers: Vec<Receiver> = (0..6).map(|_| Receiver::start()).collect();
    for receiver in &receivers {
        verified(&ann, receiver, &EVERYTHING).await;
    }
    let players = [ann, bob];
    let game = pip_pip_again(&players[0], &players[1]).await;
    play_to_the_end(&game, &players).await;
    futures_util::join!(deliver(&workers[0]), deliver(&workers[1]));
    let newest = players[0].get(&game).await.ok()["seq"].as_u64().expect("a number");
    for receiver in &receivers {
        assert_eq!(ids(&receiver.got()), events(&game, 0, newest));
    }
}

/// Lets time pass until the next retry; returns the seconds.
async fn next_retry(app: &TestApp, hook: &super::Hook) -> Option<i64> {
    let shown = hook.show(&app.log_in("ann").await).await;
    let at = shown["retry_at"].as_str()?;
    let at = time::OffsetDateTime::parse(at, &time::format_description::well_known::Rfc3339).expect("a time");
    let wait = at - app.app.clock.now();
    app.app.clock.advance(wait);
    Some(wait.whole_seconds())
}

#[tokio::test(flavor = "multi_thread")]
async fn long_failure_disables_a_webhook_with_a_mail_and_nothing_is_lost() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker, post) = (Receiver::start(), worker(&app), Post::of(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    move_once(&game, &players).await;
    receiver.behave(Behavior::Refusing(500));
    let (mut waits, began) = (Vec::new(), app.app.clock.now());
    loop {
        deliver(&worker).await;
        match next_retry(&app, &hook).await {
            Some(wait) => waits.push(wait),
            None => break,
        }
    }
    assert_eq!(waits[..8], [5, 30, 120, 600, 1800, 3600, 7200, 14_400]);
    assert_eq!(app.app.clock.now() - began, Duration::days(3));
    let got = receiver.got();
    assert_eq!(got.len(), waits.len() + 1);
    assert!(got.iter().all(|again| again.text == got[0].text && again.id == events(&game, 1, 1)[0]));
    let ann = app.log_in("ann").await;
    let shown = hook.show(&ann).await;
    assert_eq!((&shown["state"], &shown["retry_at"]), (&json!("disabled"), &Value::Null));
    let log = hook.deliveries(&ann).await;
    assert_eq!((&log[0]["outcome"], &log[0]["status"]), (&json!("refused"), &json!(500)));
    let mail = post.last("ann").await;
    assert_eq!(mail.kind, "webhook_disabled");
    assert!(mail.text.contains("127.0.0.1") && !mail.text.contains("/hook"), "{}", mail.text);
    app.app.clock.advance(Duration::days(1));
    deliver(&worker).await;
    assert!(receiver.got().is_empty());

    receiver.behave(Behavior::Accepting);
    let ann = app.log_in("ann").await;
    assert_eq!(hook.challenge(&ann).await["webhook"]["state"], "active");
    receiver.got();
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 2));
    assert_eq!(hook.show(&ann).await["failing_since"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_asks_to_wait_is_waited_for_but_not_for_ever() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    let date = app.app.clock.now() + Duration::hours(2);
    let date = date.format(&Rfc2822).expect("a date").replace("+0000", "GMT");
    for (status, asked, expected) in [
        (429, "100", 100..=100),
        (503, date.as_str(), 7_100..=7_100),
        // The next ones are the back-off's own.
        (503, "3", 120..=120),
        (500, "7200", 600..=600),
        (429, "4000000000", 86_400..=86_400),
        (503, "soon", 3_600..=3_600),
    ] {
        receiver.behave(Behavior::AskingToWait(status, asked.to_owned()));
        deliver(&worker).await;
        let wait = next_retry(&app, &hook).await.expect("a retry");
        assert!(expected.contains(&wait), "{status} {asked}: {wait}");
    }
    receiver.behave(Behavior::Accepting);
    receiver.got();
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn days_in_which_this_server_was_down_disable_no_webhook() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    receiver.behave_next([Behavior::Refusing(503), Behavior::Refusing(503)]);
    deliver(&worker).await;
    app.app.clock.advance(Duration::days(4));
    deliver(&worker).await;
    assert_eq!(hook.show(&app.log_in("ann").await).await["state"], "active");
    assert_eq!(next_retry(&app, &hook).await, Some(30));
    deliver(&worker).await;
    assert_eq!(receiver.got().len(), 3);
    assert_eq!(hook.show(&app.log_in("ann").await).await["failing_since"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_success_makes_good_for_all_failures_before_it() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    move_once(&game, &players).await;
    receiver.behave_next([Behavior::Refusing(500)]);
    deliver(&worker).await;
    app.app.clock.advance(Duration::days(4));
    receiver.behave_next([Behavior::Accepting, Behavior::Refusing(500)]);
    deliver(&worker).await;
    assert_eq!(next_retry(&app, &hook).await, Some(5), "the first failure of a new row");
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), [1, 1, 2, 2].map(|seq| events(&game, seq, seq).remove(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_says_it_is_gone_is_disabled_at_once() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker, post) = (Receiver::start(), worker(&app), Post::of(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    move_once(&game, &players).await;
    receiver.behave(Behavior::Refusing(410));
    deliver(&worker).await;
    assert_eq!(hook.show(&players[0]).await["state"], "disabled");
    assert_eq!(post.last("ann").await.kind, "webhook_disabled");
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_sandbox_retries_come_while_the_clock_is_moved() {
    let app = TestApp::sandbox().await.sending_by(sender());
    let receiver = Receiver::start();
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    receiver.behave_next([Behavior::Refusing(500), Behavior::Refusing(500)]);
    move_once(&game, &players).await;
    let moved = players[0].post("/api/v1/sandbox/clock", &json!({"advance_seconds": 3600})).await.ok();
    assert_eq!(moved["stops"], 2, "{moved}");
    let got = receiver.got();
    assert_eq!(ids(&got), vec![events(&game, 1, 1).remove(0); 3]);
    // Receivers compare with their own clocks, which were not moved.
    let real = START.unix_timestamp();
    assert!(app.app.clock.now().unix_timestamp() >= real + 3600);
    assert!(got.iter().all(|got| got.timestamp == real), "{got:?}");
    let log = hook.deliveries(&app.log_in("ann").await).await;
    let outcomes: Vec<&Value> = log.iter().map(|attempt| &attempt["outcome"]).collect();
    assert_eq!(outcomes, ["delivered", "refused", "refused", "delivered"], "the challenge first");
}
