//! Ladders by the API: a program joins, challenges, accepts and is told what it may do.

use pippost::games::ladders::step;
use serde_json::{Value, json};
use support::TestApp;
use support::client::Client;

const LADDER: &str = "/api/v1/ladders/pip-pip";

async fn post(player: &Client, path: &str, status: u16) {
    player.post(&format!("{LADDER}/{path}"), &json!({})).await.expect_status(status);
}

async fn refused(player: &Client, path: &str) -> String {
    let problem = player.post(&format!("{LADDER}/{path}"), &json!({})).await.problem(409, "ladder_refused");
    problem["detail"].as_str().expect("a sentence").to_owned()
}

fn handles(ladder: &Value) -> Vec<&str> {
    ladder["players"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["handle"].as_str().expect("text"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ladder_is_climbed_by_programs() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    app.stranger().get("/api/v1/ladders/chess").await.problem(404, "not_found");
    let carol = app.unconfirmed_player("carol").await;
    carol.post(&format!("{LADDER}/join"), &json!({})).await.problem(403, "email_not_confirmed");
    post(&ann, "join", 204).await;
    assert!(refused(&ann, "join").await.contains("already"));
    assert!(refused(&bob, "challenges/ann").await.contains("not on the ladder"));
    post(&bob, "join", 204).await;
    bob.post(&format!("{LADDER}/challenges/nobody"), &json!({})).await.problem(404, "not_found");
    let seen = bob.get(LADDER).await.ok();
    assert_eq!(handles(&seen), ["ann", "bob"]);
    let may: Vec<_> =
        seen["players"].as_array().expect("a list").iter().map(|one| &one["may_challenge"]).collect();
    assert_eq!(may, [&json!(true), &json!(false)]);
    assert!(refused(&ann, "challenges/bob/accept").await.contains("no such challenge"));
    assert!(refused(&ann, "challenges/bob").await.contains("above"));
    post(&bob, "challenges/ann", 204).await;
    let waiting = ann.get(LADDER).await.ok();
    assert!(waiting["challenges"][0]["answer_by"].is_string(), "{waiting}");
    let others = app.stranger().get(LADDER).await.ok();
    assert!(others["challenges"][0]["answer_by"].is_null(), "for both of its players alone");
    assert!(refused(&bob, "challenges/bob/accept").await.contains("no such challenge"));
    let accepted = ann.post(&format!("{LADDER}/challenges/bob/accept"), &json!({})).await;
    let game = accepted.ok()["id"].as_str().expect("an id").to_owned();
    ann.post(&format!("/api/v1/games/{game}/resign"), &json!({})).await.ok();
    step(&app.app.games).await.expect("a step");
    let ended = app.stranger().get(LADDER).await.ok();
    assert_eq!(handles(&ended), ["bob", "ann"]);
    let events: Vec<_> = ended["events"].as_array().expect("a list").iter().map(|one| &one["kind"]).collect();
    assert_eq!(events, ["ended", "accepted", "challenged", "joined", "joined"]);
    assert_eq!((&ended["events"][0]["game"], &ended["challenges"]), (&json!(game), &json!([])));
    let listed = ann.get("/api/v1/ladders").await.ok();
    let own = listed["ladders"].as_array().expect("a list").iter().find(|one| one["rules"] == "pip-pip");
    assert_eq!(own.map(|own| (&own["players"], &own["place"])), Some((&json!(2), &json!(2))));
    post(&ann, "leave", 204).await;
    assert!(refused(&ann, "leave").await.contains("not on the ladder"));
}
