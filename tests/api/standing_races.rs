//! Standing orders that are given just after the other has moved, as a client does whose view is a moment old.

use pippost::games::standing_orders;
use pippost::store::Changes;
use reqwest::Method;
use serde_json::{Value, json};

use support::client::Answer;
use support::{Client, TestApp};

/// Games in which the move and the orders are sent at once.
const RACES: usize = 12;

/// A started game of ann, who has the first turn, and bob.
async fn begin(ann: &Client, bob: &Client) -> String {
    let wanted =
        json!({"rules": "pippinzip", "options": {"variant": "pipline", "size": 5}, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    game
}

async fn place(player: &Client, game: &str, cell: &str) {
    player.post(&format!("{game}/moves"), &json!({"notation": cell})).await.ok();
}

/// Gives orders for the position after event `seq`, as the body says it and as the header does.
async fn order(player: &Client, game: &str, seqs: (Option<u64>, Option<u64>)) -> Answer {
    let mut orders = json!({"branches": [{"if": ["c3"], "then": ["c4"]}]});
    if let Some(seq) = seqs.0 {
        orders["expected_seq"] = seq.into();
    }
    let tag = seqs.1.map(|seq| format!("\"{seq}\""));
    let headers: Vec<_> = tag.iter().map(|tag| ("If-Match", tag.as_str())).collect();
    player.send(Method::PUT, &format!("{game}/standing-orders"), Some(orders.to_string()), &headers).await
}

async fn orders(player: &Client, game: &str) -> Value {
    player.get(&format!("{game}/standing-orders")).await.ok()
}

async fn newest(player: &Client, game: &str) -> Value {
    player.get(game).await.ok()["seq"].clone()
}

async fn carry_out(app: &TestApp) {
    standing_orders::carry_out(&app.app.games, &Changes::All).await.expect("orders");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_for_a_position_that_is_over_are_refused_or_said_not_to_be_active() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = begin(&ann, &bob).await;
    let seen = newest(&bob, &game).await.as_u64();
    place(&ann, &game, "c3").await;

    let late = order(&bob, &game, (seen, None)).await.problem(409, "stale_seq");
    assert_eq!((&late["game"]["seq"], &late["game"]["my_turn"]), (&json!(1), &json!(true)));
    order(&bob, &game, (None, seen)).await.problem(412, "precondition_failed");
    order(&bob, &game, (Some(1), seen)).await.problem(409, "preconditions_disagree");
    assert_eq!(orders(&bob, &game).await["seq"], Value::Null, "nothing was taken");

    // Without a condition they are taken, for what comes after bob's move, and say that nothing is played before it.
    let taken = order(&bob, &game, (None, None)).await.ok();
    assert_eq!((&taken["is_active"], &taken["seq"]), (&json!(false), &json!(1)), "{taken}");
    carry_out(&app).await;
    assert_eq!(newest(&bob, &game).await, 1, "nothing was played");
    assert_eq!(orders(&bob, &game).await, taken);
    place(&bob, &game, "a1").await;
    let ended = orders(&bob, &game).await;
    assert_eq!((&ended["is_active"], &ended["stopped"]), (&json!(false), &json!("own_move")), "{ended}");

    let asked = newest(&bob, &game).await.as_u64();
    assert_eq!(order(&bob, &game, (asked, asked)).await.ok()["is_active"], true);
    ann.post(&format!("{game}/resign"), &json!({})).await.ok();
    assert_eq!(orders(&bob, &game).await["is_active"], false, "the game is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_that_come_at_once_with_the_move_are_played_or_refused() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (mut taken, mut refused) = (0, 0);
    for race in 0..RACES {
        let game = begin(&ann, &bob).await;
        // Every third is sent after the move, every third before it.
        let (moves, gives) = (place(&ann, &game, "c3"), order(&bob, &game, (Some(0), None)));
        let answer = match race % 3 {
            0 => tokio::join!(moves, gives).1,
            1 => {
                moves.await;
                gives.await
            }
            _ => {
                let answer = gives.await;
                moves.await;
                answer
            }
        };
        carry_out(&app).await;
        let played = newest(&bob, &game).await == 2;
        if answer.status == 200 {
            assert!(answer.json()["is_active"] == true && played, "{}", answer.text());
            taken += 1;
        } else {
            answer.problem(409, "stale_seq");
            assert!(!played);
            refused += 1;
        }
    }
    assert!(taken >= RACES / 3 && refused >= RACES / 3, "{taken} taken, {refused} refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_that_cannot_fit_any_more_are_not_active() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = begin(&ann, &bob).await;
    assert_eq!(order(&bob, &game, (None, None)).await.ok()["is_active"], true);
    place(&ann, &game, "d4").await;
    // The worker has not looked yet.
    assert_eq!(orders(&bob, &game).await["is_active"], false);
    carry_out(&app).await;
    let ended = orders(&bob, &game).await;
    assert_eq!((&ended["is_active"], &ended["stopped"]), (&json!(false), &json!("not_foreseen")));
    assert_eq!(newest(&bob, &game).await, 1);
    let silent = json!({"branches": [{"then": []}]});
    place(&bob, &game, "a1").await;
    let given = bob.put(&format!("{game}/standing-orders"), &silent).await.ok();
    assert_eq!(given["is_active"], false, "it leaves the move to bob");
}
