//! What is delivered: after a challenge, signed, each event in its game's order, under its id.

use serde_json::{Value, json};
use time::Duration;

use super::{EVERYTHING, WEBHOOKS, deliver, events, id_of, ids, move_once, registered, verified, worker};
use support::games::{pip_pip, pip_pip_again, play_to_the_end};
use support::receiver::{Behavior, Got, Receiver, sender};
use support::{Client, TestApp, contract};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_a_challenge_is_sent_before_it_is_met_and_then_everything_since_the_registration() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = registered(&players[0], &json!({"url": receiver.url, "kinds": EVERYTHING})).await;
    assert_eq!(hook.show(&players[0]).await["cursor"], format!("{}:0", id_of(&game)));
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert!(receiver.got().is_empty());

    receiver.behave(Behavior::IgnoringChallenges);
    let challenged = hook.challenge(&players[0]).await;
    assert_eq!(challenged["webhook"]["state"], "unverified");
    assert_eq!(
        (&challenged["delivery"]["outcome"], &challenged["delivery"]["event"]),
        (&json!("delivered"), &json!(null))
    );
    let got = receiver.got();
    assert!(got[0].is_signed_by(&hook.secret));
    assert!(contract::errors("/components/schemas/WebhookChallenge", &got[0].json()).is_empty());
    deliver(&worker).await;
    assert!(receiver.got().is_empty());

    receiver.behave(Behavior::Accepting);
    assert_eq!(hook.challenge(&players[0]).await["webhook"]["state"], "active");
    receiver.got();
    move_once(&game, &players).await;
    deliver(&worker).await;
    let got = receiver.got();
    assert_eq!(ids(&got), events(&game, 1, 2));
    let record = app.stranger().get(&format!("{game}/events")).await.ok();
    for got in &got {
        let body = got.json();
        let errors = contract::errors("/components/schemas/WebhookMessage", &body);
        assert!(errors.is_empty(), "{errors:?}");
        assert!(got.is_signed_by(&hook.secret) && !got.is_signed_by("whsec_AAAA"));
        assert_eq!(got.timestamp, app.app.clock.now().unix_timestamp());
        let seq = usize::try_from(body["data"]["event"]["seq"].as_u64().expect("a number")).expect("small");
        assert_eq!(body["data"]["event"], record["events"][seq]);
        assert_eq!(body["timestamp"], body["data"]["event"]["at"]);
        assert_eq!(
            body["data"]["game"]["players"],
            json!([{"seat": 0, "handle": "ann"}, {"seat": 1, "handle": "bob"}])
        );
    }
    assert_eq!(hook.show(&players[0]).await["cursor"], format!("{}:2", id_of(&game)));
    deliver(&worker).await;
    assert!(receiver.got().is_empty(), "once");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_webhook_is_told_of_the_kinds_and_the_game_that_it_wants() {
    let app = TestApp::with_sender(sender()).await;
    let worker = worker(&app);
    let (first, players) = pip_pip(&app).await;
    let receivers: Vec<Receiver> = (0..4).map(|_| Receiver::start()).collect();
    let kinds: [&[&str]; 4] = [&["turn"], &["game_over", "game_started"], &EVERYTHING, &["event"]];
    for (receiver, kinds) in receivers.iter().zip(kinds).take(3) {
        verified(&players[1], receiver, kinds).await;
    }
    let wanted = json!({"url": receivers[3].url, "kinds": kinds[3], "game": id_of(&first)});
    let hook = registered(&players[1], &wanted).await;
    hook.challenge(&players[1]).await;
    receivers[3].got();
    let second = pip_pip_again(&players[0], &players[1]).await;
    play_to_the_end(&second, &players).await;
    move_once(&first, &players).await;
    deliver(&worker).await;
    let got: Vec<Vec<Value>> =
        receivers.iter().map(|receiver| receiver.got().iter().map(Got::json).collect()).collect();
    let record = app.stranger().get(&format!("{second}/events?limit=500")).await.ok();
    let all = record["events"].as_array().expect("events");
    let calls = |event: &&Value| event["to_act"] == 1 && event["seat"] != 1;
    let told = |got: &[Value], game: &str| -> Vec<u64> {
        let of = got.iter().filter(|body| body["data"]["game"]["id"] == id_of(game));
        of.map(|body| body["data"]["event"]["seq"].as_u64().expect("a number")).collect()
    };
    let called: Vec<u64> =
        all.iter().filter(calls).map(|event| event["seq"].as_u64().expect("a number")).collect();
    assert!(called.len() > 3);
    assert_eq!(told(&got[0], &second), called);
    assert!(got[0].iter().all(|body| body["type"] == "turn" && body["data"]["my_turn"] == true));
    let kinds: Vec<&Value> = got[1].iter().map(|body| &body["type"]).collect();
    assert_eq!(kinds, ["game_started", "game_over"]);
    assert_eq!(told(&got[2], &second), (0..all.len() as u64).collect::<Vec<_>>());
    assert_eq!(got[2].iter().filter(|body| body["type"] == "game_over").count(), 1);
    assert_eq!((told(&got[3], &first), told(&got[3], &second)), (vec![1], vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_secrets_sign_for_a_day_after_a_rotation() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    let rotate = |client: Client, key: &'static str| async {
        let path = format!("{}/secret", hook.path);
        let answer = client.send(reqwest::Method::POST, &path, None, &[("Idempotency-Key", key)]).await;
        let secret = answer.expect_status(201).json()["secret"].as_str().expect("a secret").to_owned();
        (client, secret)
    };
    let (ann, second) = rotate(players[0].clone(), "first").await;
    let (ann, again) = rotate(ann, "first").await;
    assert_eq!(second, again, "a repeated request rotates once");
    move_once(&game, &players).await;
    deliver(&worker).await;
    let got = receiver.got().remove(0);
    assert!(got.is_signed_by(&hook.secret) && got.is_signed_by(&second));
    assert!(hook.show(&ann).await["previous_secret_until"].is_string());
    app.app.clock.advance(Duration::hours(24));
    let players = [app.log_in("ann").await, app.log_in("bob").await];
    move_once(&game, &players).await;
    deliver(&worker).await;
    let got = receiver.got().remove(0);
    assert!(!got.is_signed_by(&hook.secret) && got.is_signed_by(&second));
    assert_eq!(hook.show(&players[0]).await["previous_secret_until"], json!(null));
    // Two rotations in a day: the oldest of the three signs no more.
    let (ann, third) = rotate(players[0].clone(), "second").await;
    let (ann, fourth) = rotate(ann, "third").await;
    move_once(&game, &[ann, players[1].clone()]).await;
    deliver(&worker).await;
    let got = receiver.got().remove(0);
    assert!(!got.is_signed_by(&second) && got.is_signed_by(&third) && got.is_signed_by(&fourth));
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_delivered_again_by_hand_and_from_any_place_of_the_feed() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    for _ in 0..4 {
        move_once(&game, &players).await;
    }
    deliver(&worker).await;
    let first = receiver.got();
    assert_eq!(ids(&first), events(&game, 1, 4));
    let again = format!("{}/redeliver", hook.path);
    let event = json!({"event": first[1].id});
    let delivery = players[0].post(&again, &event).await.ok();
    assert_eq!((&delivery["outcome"], &delivery["event"]), (&json!("delivered"), &event["event"]));
    assert_eq!(receiver.got()[0].text, first[1].text, "the same body");
    let back = json!({"after": first[0].id});
    assert_eq!(players[0].patch(&hook.path, &back).await.ok()["cursor"], first[0].id);
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 2, 4));
    let foreign = json!({"event": format!("{}:0", uuid::Uuid::now_v7())});
    players[0].post(&again, &foreign).await.problem(404, "not_found");
    let foreign = json!({"after": foreign["event"]});
    players[0].patch(&hook.path, &foreign).await.problem(404, "not_found");
    players[0].patch(&hook.path, &json!({"after": "x"})).await.problem(422, "invalid_value");
    // A webhook may begin in the past.
    let wanted = json!({"url": receiver.url, "kinds": ["event"], "after": first[2].id});
    let late = registered(&players[0], &wanted).await;
    players[0].post(&format!("{}/redeliver", late.path), &event).await.problem(409, "webhook_not_verified");
    late.challenge(&players[0]).await;
    receiver.got();
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 4, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_players_hidden_hand_is_in_no_body_of_anybody() {
    let app = TestApp::with_sender(sender()).await;
    let worker = worker(&app);
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (of_ann, of_bob) = (Receiver::start(), Receiver::start());
    verified(&ann, &of_ann, &EVERYTHING).await;
    verified(&bob, &of_bob, &EVERYTHING).await;
    let made = ann.post("/api/v1/games", &json!({"rules": "serpent", "seating": "joined"})).await;
    let game = format!("/api/v1/games/{}", made.expect_status(201).json()["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let players = [ann, bob];
    for _ in 0..6 {
        move_once(&game, &players).await;
    }
    deliver(&worker).await;
    let record = app.stranger().get(&format!("{game}/events")).await.ok();
    let (of_ann, of_bob) = (of_ann.got(), of_bob.got());
    assert_eq!((of_ann.len(), of_bob.len()), (7, 7));
    for (index, (ann, bob)) in of_ann.iter().zip(&of_bob).enumerate() {
        let (ann, bob) = (ann.json(), bob.json());
        for body in [&ann, &bob] {
            assert_eq!(body["data"]["event"], record["events"][index], "what strangers see as well");
            let members: Vec<&String> = body["data"].as_object().expect("an object").keys().collect();
            assert_eq!(members, ["event", "game", "id", "my_turn"]);
        }
        assert_eq!(ann["data"]["game"]["players"], bob["data"]["game"]["players"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_woken_by_other_processes_and_looks_by_itself_when_nobody_wakes_it() {
    let app = TestApp::with_sender(sender()).await;
    let receiver = Receiver::start();
    let (game, players) = pip_pip(&app).await;
    verified(&players[0], &receiver, &EVERYTHING).await;
    let other = app.second().await.sending_by(sender());
    let worker = worker(&other);
    deliver(&worker).await;
    move_once(&game, &players).await;
    // This process's signal does not reach the other, which listens to nobody.
    deliver(&worker).await;
    assert!(receiver.got().is_empty());
    app.app.clock.advance(pippost::worker::webhooks::LOOK_INTERVAL);
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 1));
    move_once(&game, &players).await;
    other.app.outbox_signal.notify_of(&[id_of(&game).parse().expect("an id")]);
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 2, 2));
    assert_eq!(players[0].get(WEBHOOKS).await.ok()["webhooks"].as_array().map(Vec::len), Some(1));
}
