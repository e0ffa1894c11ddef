//! Orders for later in answers: `if … then …`.

use pippost::games::standing_orders;
use pippost::store::Changes;
use serde_json::{Value, json};

use super::{Got, Post, Sent, deliver};
use support::{Client, TestApp};

/// A game of Ann and Bob in which every cell is free, and Ann has the first turn.
async fn pippinzip(app: &TestApp) -> (String, Client, Client) {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted =
        json!({"rules": "pippinzip", "options": {"variant": "pipline", "size": 5}, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    (game, ann, bob)
}

async fn place(player: &Client, game: &str, cell: &str) {
    player.post(&format!("{game}/moves"), &json!({"notation": cell})).await.ok();
}

async fn carry_out(app: &TestApp) {
    standing_orders::carry_out(&app.app.games, &Changes::All).await.expect("orders");
}

/// The answer to an answer.
async fn answered(app: &TestApp, post: &Post, handle: &str, to: &Got, text: &str) -> Got {
    let sent = Sent::answer(handle, to, text);
    assert_eq!(deliver(app, &sent).await, "taken", "{text}");
    // Delivered again, it does nothing.
    assert_eq!(deliver(app, &sent).await, "repeated");
    let answer = post.last(handle).await;
    assert_eq!(answer.kind, "answer");
    answer
}

async fn cells(app: &TestApp, game: &str) -> Vec<Value> {
    let page = app.stranger().get(&format!("{game}/events?limit=500")).await.ok();
    let events = page["events"].as_array().expect("events");
    events.iter().filter_map(|event| event["action"]["cells"].get(0)).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_below_the_move_are_played_when_what_they_wait_for_happens() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let text = "Hi Bob,\n\nc3\n\nIf D4, then e5 if a2 then\na3.\nif d4 then e5 if b2 then b3\notherwise b1\n\
                Always forced\n\nSee you, Ann\n\nOn Sat, Nov 21, 2026, pippost wrote:\n> if a1 then a2\n";
    let answer = answered(&app, &post, "ann", &turn, text).await;
    assert_eq!(answer.subject, "Pippinzip against bob: c3 done (#1)");
    let told = "From now on these orders for later hold. Nobody else knows of them, and anything that they do not \
                say ends them:";
    assert!(answer.text.replace('\n', " ").contains(told), "{}", answer.text);
    let lines =
        "\n  if d4 then e5 if a2 then a3\n  if d4 then e5 if b2 then b3\n  otherwise b1\n  always forced\n";
    assert!(answer.text.contains(lines), "{}", answer.text);
    let given = ann.get(&format!("{game}/standing-orders")).await.ok();
    assert_eq!(given["branches"][0]["next"].as_array().map(Vec::len), Some(2), "{given}");
    assert_eq!((&given["branches"][1]["if"], &given["only_legal"]), (&Value::Null, &json!(true)));
    for (of_bob, of_ann) in [("d4", "e5"), ("b2", "b3")] {
        place(&bob, &game, of_bob).await;
        carry_out(&app).await;
        let played = cells(&app, &game).await;
        assert_eq!(played[played.len() - 2..], [json!(of_bob), json!(of_ann)]);
    }
    assert_eq!(cells(&app, &game).await, ["c3", "d4", "e5", "b2", "b3"]);
    let mails = post.all("bob").await;
    assert!(mails.iter().all(|mail| !mail.text.contains("otherwise b1")), "orders are private");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_shown_and_cancelled_in_every_language_and_refused_with_why() {
    let app = TestApp::start().await;
    let (game, ann, bob) = pippinzip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let early = answered(&app, &post, "ann", &turn, "if d4 then e5").await;
    assert_eq!(early.subject, "Pippinzip against bob: your orders for later (#1)");
    assert!(early.text.contains("It is still your turn"), "{}", early.text);
    let broken = answered(&app, &post, "ann", &turn, "c3\nif d4 then z9").await;
    assert!(
        broken.text.contains("Your orders for later were not taken")
            || broken.text.contains("\"if d4 then z9\"")
    );
    assert_eq!(cells(&app, &game).await, ["c3"], "the move above it was done");
    assert_eq!(ann.get(&format!("{game}/standing-orders")).await.ok()["is_active"], false);
    let none = answered(&app, &post, "ann", &broken, "orders").await;
    assert!(none.text.contains("You have no orders for later in this game."), "{}", none.text);
    let given = answered(&app, &post, "ann", &none, "wenn d4 dann e5\nsonst a1").await;
    assert!(given.text.contains("\n  if d4 then e5\n  otherwise a1\n"), "{}", given.text);
    let shown = answered(&app, &post, "ann", &given, "Aufträge").await;
    assert!(shown.text.contains("These are your orders for later:\n\n  if d4 then e5\n"), "{}", shown.text);
    let gone = answered(&app, &post, "ann", &shown, "orders off").await;
    assert!(gone.text.contains("Your orders for later are cancelled."), "{}", gone.text);
    place(&bob, &game, "d4").await;
    carry_out(&app).await;
    assert_eq!(cells(&app, &game).await, ["c3", "d4"], "nothing is played after the cancellation");
    let late = answered(&app, &post, "ann", &gone, "if d5 then e5").await;
    assert!(late.text.contains("The game has moved on since the mail that you answered"), "{}", late.text);
    assert_eq!(ann.get(&format!("{game}/standing-orders")).await.ok()["is_active"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_in_doubt_are_neither_given_nor_cancelled() {
    let app = TestApp::start().await;
    let (game, ann, _) = pippinzip(&app).await;
    let post = Post::of(&app);
    let path = format!("{game}/standing-orders");
    let turn = post.last("ann").await;
    for text in
        ["Do not\nalways forced", "always forced\nis what I would do", "Always forced\n\nI take that back."]
    {
        let unsure = answered(&app, &post, "ann", &turn, text).await;
        assert!(unsure.text.replace('\n', " ").contains("did not say clearly"), "{text}: {}", unsure.text);
        assert_eq!(ann.get(&path).await.ok()["is_active"], false, "{text}");
    }
    let given = answered(&app, &post, "ann", &turn, "Hi,\n\nalways forced\n\nThanks,\nAnn").await;
    assert!(given.text.contains("\n  always forced\n"), "{}", given.text);
    let unsure = answered(&app, &post, "ann", &given, "orders off\n\nNo wait, not yet.").await;
    assert!(unsure.text.replace('\n', " ").contains("did not say clearly"), "{}", unsure.text);
    assert_eq!(ann.get(&path).await.ok()["only_legal"], true);
    assert_eq!(cells(&app, &game).await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_gives_orders_with_a_mail_of_the_player() {
    let app = TestApp::start().await;
    let (game, ann, _) = pippinzip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let stranger = Sent { from: "eve@example.org".into(), ..Sent::answer("ann", &turn, "always forced") };
    deliver(&app, &stranger).await;
    assert_eq!(ann.get(&format!("{game}/standing-orders")).await.ok()["is_active"], false);
    let own = answered(&app, &post, "ann", &turn, "always forced").await;
    assert!(own.text.contains("\n  always forced\n"), "{}", own.text);
    app.app.clock.advance(time::Duration::days(61));
    deliver(&app, &Sent::answer("ann", &turn, "orders off")).await;
    let ann = app.log_in("ann").await;
    assert_eq!(
        ann.get(&format!("{game}/standing-orders")).await.ok()["only_legal"],
        true,
        "the mail was too old"
    );
}
