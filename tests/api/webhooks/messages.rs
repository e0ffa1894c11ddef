//! Messages at the table, which webhooks are told of if they want that.

use pippost::store::moderation::{self, ActKind, Decision};
use serde_json::{Value, json};
use time::Duration;

use super::{deliver, id_of, move_once, registered, verified, worker};
use support::games::pip_pip;
use support::receiver::{Behavior, Receiver, sender};
use support::{Client, TestApp, contract};

async fn say(client: &Client, game: &str, text: &str) -> Value {
    let said = client.post(&format!("{game}/messages"), &json!({"text": text})).await;
    said.expect_status(201).json()["id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_wants_them_is_told_each_message_of_others_once() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, other, worker) = (Receiver::start(), Receiver::start(), worker(&app));
    let (game, [ann, bob]) = pip_pip(&app).await;
    say(&bob, &game, "too early").await;
    let hook = verified(&ann, &receiver, &["turn", "message"]).await;
    verified(&ann, &other, &["event"]).await;
    deliver(&worker).await;
    receiver.got();
    let id = say(&bob, &game, "Good luck!\n<b>bold</b>").await;
    say(&ann, &game, "you too").await;
    deliver(&worker).await;
    let got = receiver.got();
    assert_eq!(got.len(), 1, "not what its player wrote");
    assert!(other.got().is_empty());
    assert_eq!(json!(got[0].id), id);
    assert!(got[0].is_signed_by(&hook.secret));
    let body = got[0].json();
    assert!(contract::errors("/components/schemas/WebhookSaid", &body).is_empty());
    assert_eq!(body["type"], "message");
    let link = format!("{}/games/{}", app.app.public_url, id_of(&game));
    assert_eq!(
        body["data"],
        json!({
            "id": id,
            "game": {
                "id": id_of(&game), "rules": "pip-pip", "my_seat": 0, "page": link,
                "players": [{"seat": 0, "handle": "ann"}, {"seat": 1, "handle": "bob"}],
            },
            "message": {"id": id, "handle": "bob", "seq": 0, "text": "Good luck!\n<b>bold</b>", "at": body["timestamp"]},
        })
    );
    let log = hook.deliveries(&ann).await;
    assert_eq!((&log[0]["outcome"], &log[0]["event"]), (&json!("delivered"), &Value::Null));
    deliver(&worker).await;
    assert!(receiver.got().is_empty(), "once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_fails_is_tried_again_for_three_days_and_forgotten_by_whoever_does_not_want_it() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &["event", "message"]).await;
    receiver.behave(Behavior::Refusing(500));
    say(&players[1], &game, "first").await;
    deliver(&worker).await;
    assert_eq!(receiver.got().len(), 1);
    receiver.behave(Behavior::Accepting);
    move_once(&game, &players).await;
    app.app.clock.advance(Duration::seconds(6));
    deliver(&worker).await;
    let kinds: Vec<Value> = receiver.got().iter().map(|got| got.json()["type"].clone()).collect();
    assert_eq!(kinds, ["event", "message"]);

    receiver.behave(Behavior::Refusing(500));
    say(&players[1], &game, "second").await;
    deliver(&worker).await;
    receiver.got();
    receiver.behave(Behavior::Accepting);
    app.app.clock.advance(Duration::days(3));
    let ann = app.log_in("ann").await;
    deliver(&worker).await;
    assert!(receiver.got().is_empty(), "too old");

    receiver.behave(Behavior::Refusing(500));
    let bob = app.log_in("bob").await;
    say(&bob, &game, "third").await;
    deliver(&worker).await;
    receiver.got();
    receiver.behave(Behavior::Accepting);
    for kinds in [json!(["event"]), json!(["event", "message"])] {
        ann.patch(&hook.path, &json!({"kinds": kinds})).await.ok();
    }
    app.app.clock.advance(Duration::seconds(40));
    deliver(&worker).await;
    assert!(receiver.got().is_empty(), "not wanted meanwhile");
    let waiting = "select count(*) as number from webhook_messages";
    assert_eq!(app.db_count(waiting).await, 0);
    say(&bob, &game, "fourth").await;
    ann.delete(&hook.path).await.expect_status(204);
    assert_eq!(app.db_count(waiting).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_reads_who_has_written_and_a_webhook_of_one_game_hears_of_no_other() {
    let app = TestApp::with_sender(sender()).await;
    let (chat, worker) = (Receiver::start(), worker(&app));
    let (game, [ann, bob]) = pip_pip(&app).await;
    let other = support::games::pip_pip_again(&ann, &bob).await;
    let wanted = json!({"url": chat.url, "kinds": ["message"], "format": "discord", "game": id_of(&game)});
    let hook = registered(&ann, &wanted).await;
    hook.challenge(&ann).await;
    let text = chat.got()[0].json()["content"].as_str().expect("a text").to_owned();
    let code = text.split_whitespace().next_back().expect("a code").to_owned();
    ann.post(&format!("{}/verify", hook.path), &json!({"challenge": code})).await.ok();
    say(&bob, &other, "elsewhere").await;
    say(&bob, &game, &"*".repeat(1000)).await;
    deliver(&worker).await;
    let got = chat.got();
    assert_eq!(got.len(), 1);
    let content = got[0].json()["content"].as_str().expect("a text").to_owned();
    assert!(content.starts_with("bob writes in Pip•Pip against bob: \\*"), "{content}");
    assert!(content.contains('…') && content.chars().count() < 2000, "{content}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_an_operator_removes_before_it_is_told_is_not_told() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, [ann, bob]) = pip_pip(&app).await;
    verified(&ann, &receiver, &["message"]).await;
    receiver.got();
    let removed = say(&bob, &game, "you are slow").await;
    let report = json!({"game": id_of(&game), "message": removed, "reason": "insult"});
    ann.post("/api/v1/me/reports", &report).await.expect_status(204);
    let database = &app.app.database;
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind: ActKind::Removal, words: "Be kind.", ends_at: None };
    let act = moderation::decide(database, open.id, &decision, app.app.clock.now()).await;
    assert!(act.expect("a decision").is_some());
    let kept = say(&bob, &game, "well played").await;
    deliver(&worker).await;
    let got = receiver.got();
    assert_eq!(got.iter().map(|got| json!(got.id)).collect::<Vec<_>>(), [kept]);
}
