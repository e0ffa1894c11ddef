//! The formats of chats: their bodies, and the challenge that a person reads there.

use serde_json::json;
use time::Duration;

use super::{deliver, move_once, registered, verified, worker};
use support::games::pip_pip;
use support::receiver::{Behavior, Receiver, sender};
use support::{Client, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn chats_get_a_sentence_with_a_link_after_their_owner_has_confirmed_the_code() {
    let app = TestApp::with_sender(sender()).await;
    let worker = worker(&app);
    let (game, players) = pip_pip(&app).await;
    let german = json!({"language": "de"});
    players[1].patch("/api/v1/me/notification-preferences", &german).await.ok();
    for (format, member, turn) in [
        ("discord", "content", "Du bist dran: Pip•Pip gegen ann"),
        ("slack", "text", "Du bist dran: Pip•Pip gegen ann"),
    ] {
        let receiver = Receiver::start();
        receiver.behave(Behavior::IgnoringChallenges);
        let wanted = json!({"url": receiver.url, "kinds": ["turn"], "format": format});
        let hook = registered(&players[1], &wanted).await;
        assert_eq!(hook.challenge(&players[1]).await["webhook"]["state"], "unverified");
        let said = receiver.got()[0].json()[member].as_str().expect("a text").to_owned();
        let code = said.split(' ').next_back().expect("a code");
        assert_eq!(code.len(), 26, "{said}");
        let verify = format!("{}/verify", hook.path);
        players[1].post(&verify, &json!({"challenge": "wrong"})).await.problem(409, "wrong_challenge");
        players[0].post(&verify, &json!({"challenge": code})).await.problem(404, "not_found");
        let shown = players[1].post(&verify, &json!({"challenge": code})).await.ok();
        assert_eq!(shown["state"], "active");
        players[1].post(&verify, &json!({"challenge": code})).await.problem(409, "wrong_challenge");
        while players[1].get(&game).await.ok()["to_act"] != 0 {
            move_once(&game, &players).await;
        }
        deliver(&worker).await;
        receiver.got();
        while players[1].get(&game).await.ok()["to_act"] != 1 {
            move_once(&game, &players).await;
        }
        deliver(&worker).await;
        let got = receiver.got();
        assert_eq!(got.len(), 1);
        let text = got[0].json()[member].as_str().expect("a text").to_owned();
        assert!(text.starts_with(turn) && text.contains("/games/"), "{text}");
        assert!(got[0].is_signed_by(&hook.secret));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_good_for_a_quarter_of_an_hour_and_for_the_address_that_it_went_to() {
    let app = TestApp::with_sender(sender()).await;
    let receiver = Receiver::start();
    receiver.behave(Behavior::IgnoringChallenges);
    let ann = app.player("ann").await;
    let hook = registered(&ann, &json!({"url": receiver.url, "kinds": ["turn"]})).await;
    let challenge = async |ann: &Client| {
        hook.challenge(ann).await;
        receiver.got()[0].json()["data"]["challenge"].clone()
    };
    let verify = format!("{}/verify", hook.path);
    let first = challenge(&ann).await;
    app.app.clock.advance(Duration::minutes(9));
    let second = challenge(&ann).await;
    ann.post(&verify, &json!({"challenge": first})).await.problem(409, "wrong_challenge");
    app.app.clock.advance(Duration::minutes(15));
    let ann = app.log_in("ann").await;
    ann.post(&verify, &json!({"challenge": second})).await.problem(409, "wrong_challenge");
    let third = challenge(&ann).await;
    let moved = ann.patch(&hook.path, &json!({"url": format!("{}/else", receiver.url)})).await.ok();
    assert_eq!(moved["state"], "unverified");
    ann.post(&verify, &json!({"challenge": third})).await.problem(409, "wrong_challenge");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_not_called_to_a_turn_that_has_passed() {
    let app = TestApp::with_sender(sender()).await;
    let worker = worker(&app);
    let (game, players) = pip_pip(&app).await;
    let (chat, program) = (Receiver::start(), Receiver::start());
    let wanted = json!({"url": chat.url, "kinds": ["turn"], "format": "slack"});
    let hook = registered(&players[0], &wanted).await;
    hook.challenge(&players[0]).await;
    let said = chat.got()[0].json()["text"].as_str().expect("a text").to_owned();
    let code = said.split(' ').next_back().expect("a code");
    players[0].post(&format!("{}/verify", hook.path), &json!({"challenge": code})).await.ok();
    verified(&players[0], &program, &["turn"]).await;
    // Several turns of both, until it is ann's once more.
    for _ in 0..12 {
        move_once(&game, &players).await;
    }
    while players[0].get(&game).await.ok()["to_act"] != 1 {
        move_once(&game, &players).await;
    }
    while players[0].get(&game).await.ok()["to_act"] != 0 {
        move_once(&game, &players).await;
    }
    deliver(&worker).await;
    assert!(program.got().len() > 1, "a program is told of each");
    assert_eq!(chat.got().len(), 1, "a person of the last");
    // A delivery by hand was asked for.
    let before = players[0].get(&format!("{game}/events?limit=500")).await.ok();
    let calls = |event: &&serde_json::Value| event["to_act"] == 0 && event["seat"] != 0;
    let first = before["events"].as_array().expect("events").iter().find(calls).expect("a call");
    let event = json!({"event": format!("{}:{}", super::id_of(&game), first["seq"])});
    players[0].post(&format!("{}/redeliver", hook.path), &event).await.ok();
    assert_eq!(chat.got().len(), 1);
}
