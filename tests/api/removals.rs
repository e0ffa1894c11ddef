//! Texts that an operator has removed: shown to nobody, on no way, until the act is lifted.

use pippost::store::commit;
use pippost::store::moderation::{self, ActKind, Decision, ReportReason, Verdict};
use serde_json::{Value, json};
use uuid::Uuid;

use support::games::pip_pip;
use support::post::Post;
use support::{Client, TestApp};

const REPORTS: &str = "/api/v1/me/reports";
const INSTEAD: &str = "[removed by the operator]";

async fn say(client: &Client, game: &str, text: &str) -> Value {
    let said = client.post(&format!("{game}/messages"), &json!({"text": text})).await;
    said.expect_status(201).json()["id"].clone()
}

/// A report of a message at the table of a game.
fn of_message(game: &str, message: &Value) -> Value {
    json!({"game": game.rsplit('/').next(), "message": message, "reason": "insult"})
}

/// An operator removes the text of the oldest report; `None` if it names none that is shown.
async fn remove(app: &TestApp) -> Option<Uuid> {
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind: ActKind::Removal, words: "Be kind.", ends_at: None };
    moderation::decide(database, open.id, &decision, now).await.expect("a decision")
}

async fn lift(app: &TestApp, act: Uuid) -> bool {
    let now = app.app.clock.now();
    commit::judge(&app.app.database, act, Verdict::Lifted, now).await.expect("a verdict")
}

/// The ids and texts of all messages, as a player is shown them.
async fn listed(client: &Client, game: &str) -> (Vec<Value>, Vec<String>) {
    let page = client.get(&format!("{game}/messages")).await.ok();
    let all = page["messages"].as_array().expect("a list").clone();
    let text = |said: &Value| said["text"].as_str().expect("a text").to_owned();
    (all.iter().map(|said| said["id"].clone()).collect(), all.iter().map(text).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_stands_in_the_place_of_a_removed_message_until_the_act_is_lifted() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    say(&bob, &game, "hello").await;
    let message = say(&bob, &game, "you are slow").await;
    say(&ann, &game, "sorry").await;
    let (ids, before) = listed(&ann, &game).await;
    assert_eq!(before, ["hello", "you are slow", "sorry"]);
    let head = ann.get(&game).await.ok()["head"].clone();
    ann.post(REPORTS, &of_message(&game, &message)).await.expect_status(204);
    let act = remove(&app).await.expect("an act");
    for client in [&ann, &bob] {
        let (same, texts) = listed(client, &game).await;
        assert_eq!(same, ids, "in the same order");
        assert_eq!(texts, ["hello", INSTEAD, "sorry"]);
    }
    let newer = bob.get(&format!("{game}/messages?limit=2")).await.ok();
    assert_eq!(newer["messages"][0]["text"], INSTEAD, "it counts as before");
    assert!(head.is_string() && ann.get(&game).await.ok()["head"] == head, "the record has no messages");
    ann.post(REPORTS, &of_message(&game, &message)).await.problem(404, "not_found");

    let acts = moderation::acts(&app.app.database, None, 9).await.expect("acts");
    let told = (acts[0].id, acts[0].kind, acts[0].reason, acts[0].evidence.as_deref());
    assert_eq!(told, (act, ActKind::Removal, ReportReason::Insult, Some("you are slow")));
    assert!(lift(&app, act).await && !lift(&app, act).await, "once");
    for client in [&ann, &bob] {
        assert_eq!(listed(client, &game).await, (ids.clone(), before.clone()));
    }
    ann.post(REPORTS, &of_message(&game, &message)).await.expect_status(204);
    assert!(remove(&app).await.is_some(), "and again");
    assert_eq!(listed(&bob, &game).await.1[1], INSTEAD);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_names_no_text_waits_on_when_its_text_is_to_be_removed() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    say(&bob, &game, "hello").await;
    ann.post(REPORTS, &json!({"handle": "bob", "reason": "name"})).await.expect_status(204);
    assert_eq!(remove(&app).await, None);
    let open = moderation::open_reports(&app.app.database, 9).await.expect("reports");
    assert_eq!((open.len(), open[0].decided_at), (1, None), "nothing was decided");
    assert_eq!(app.db_count("select count(*) as number from moderation_acts").await, 0);
    assert_eq!(listed(&ann, &game).await.1, ["hello"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_mail_that_is_not_sent_yet_repeats_what_was_removed_and_its_author_is_told() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let (game, [ann, bob]) = pip_pip(&app).await;
    ann.patch("/api/v1/me/notification-preferences", &json!({"messages": true})).await.ok();
    post.send().await;
    let message = say(&bob, &game, "you are slow").await;
    ann.post(REPORTS, &of_message(&game, &message)).await.expect_status(204);
    let act = remove(&app).await.expect("an act");
    assert!(post.all("ann").await.iter().all(|mail| mail.kind != "message"), "nothing is left to tell");
    say(&bob, &game, "well played").await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    let mails = post.all("ann").await;
    let over = mails.iter().find(|mail| mail.kind == "game_over").expect("the end");
    assert!(over.text.contains("well played"), "{}", over.text);
    assert!(mails.iter().all(|mail| !mail.text.contains("slow")), "{mails:?}");

    let told = post.all("bob").await.into_iter().find(|mail| mail.kind == "moderation").expect("a mail");
    let text = told.text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["has removed what you wrote", "Be kind.", "Insult or threat", "/moderation/act?token="] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(lift(&app, act).await);
    assert_eq!(listed(&ann, &game).await.1, ["you are slow", "well played"]);
}
