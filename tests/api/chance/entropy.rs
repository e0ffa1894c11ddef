//! Players add entropy to a game's chance after its commitment is published and before the chance is determined.

use serde_json::{Value, json};

use support::TestApp;
use support::games::open_game;

fn added(view: &Value) -> Vec<&str> {
    let players = view["players"].as_array().expect("players");
    players.iter().map(|player| player["entropy"].as_str().expect("entropy")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn entropy_is_taken_once_the_commitment_could_be_seen_and_until_the_game_is_full() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let early = json!({"rules": "pip-pip", "entropy": "chosen before the commitment"});
    ann.post("/api/v1/games", &early).await.problem(422, "invalid_value");

    let game = open_game(&ann).await;
    let path = format!("{game}/entropy");
    let before = ann.get(&game).await.ok();
    assert_eq!((added(&before), &before["status"]), (vec![""], &json!("open")));
    assert!(before["commitment"].is_string());
    for (body, status, code) in [
        (json!({"entropy": "x".repeat(65)}), 422, "invalid_value"),
        (json!({"entropy": "tab\t"}), 422, "invalid_value"),
        (json!({}), 422, "invalid_value"),
    ] {
        ann.put(&path, &body).await.problem(status, code);
    }
    bob.put(&path, &json!({"entropy": "not his game"})).await.problem(403, "not_in_game");
    assert_eq!(added(&ann.put(&path, &json!({"entropy": "first"})).await.ok()), ["first"]);
    assert_eq!(added(&ann.put(&path, &json!({"entropy": "second"})).await.ok()), ["second"]);
    assert_eq!(added(&eve.get(&game).await.ok()), ["second"], "it is public");

    let joined = bob.post(&format!("{game}/join"), &json!({"entropy": "bob's"})).await.ok();
    assert_eq!(added(&joined), ["second", "bob's"]);
    ann.put(&path, &json!({"entropy": "late"})).await.problem(409, "game_started");
    let record = ann.get(&format!("{game}/record")).await.text();
    let header: Value = serde_json::from_str(record.lines().next().expect("a header")).expect("JSON");
    assert_eq!(added(&header), ["second", "bob's"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_has_no_entropy_for_those_who_are_not_in_it() {
    let app = TestApp::start().await;
    let (ann, eve) = (app.player("ann").await, app.player("eve").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await;
    let created = created.expect_status(201).json();
    let path = format!("/api/v1/games/{}/entropy", created["id"].as_str().expect("an id"));
    eve.put(&path, &json!({"entropy": "x"})).await.problem(404, "not_found");
    ann.put(&path, &json!({"entropy": "x"})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_entropies_that_race_with_the_last_join_those_count_that_were_accepted() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    for _ in 0..5 {
        let game = open_game(&ann).await;
        let put = |number: usize| {
            let (ann, path) = (ann.clone(), format!("{game}/entropy"));
            async move { ann.put(&path, &json!({"entropy": format!("number {number}")})).await }
        };
        let (join, body) = (format!("{game}/join"), json!({}));
        let puts = futures_util::future::join_all((0..6).map(put));
        let (puts, joined) = tokio::join!(puts, bob.post(&join, &body));
        joined.expect_status(200);
        let mut accepted = vec![String::new()];
        for (number, answer) in puts.iter().enumerate() {
            match answer.status.as_u16() {
                200 => accepted.push(format!("number {number}")),
                _ => drop(answer.problem(409, "game_started")),
            }
        }
        let record = ann.get(&format!("{game}/record")).await;
        pippost::record::verify(&record.body).expect("a sound record");
        let text = record.text();
        let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
        let counted = header["players"][0]["entropy"].as_str().expect("entropy");
        assert!(accepted.iter().any(|accepted| accepted == counted), "{counted} of {accepted:?}");
        assert!(accepted.len() == 1 || !counted.is_empty(), "what was accepted is not lost: {accepted:?}");
        assert_eq!(added(&ann.get(&game).await.ok())[0], counted);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_and_joins_again_is_the_last_begins_with_no_entropy_and_has_seen_no_chance() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let wanted = json!({"rules": "dominion", "options": {"size": 4}, "seats": 3, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    ann.put(&format!("{game}/entropy"), &json!({"entropy": "ann's first"})).await.ok();
    bob.post(&format!("{game}/join"), &json!({"entropy": "bob's"})).await.ok();
    ann.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
    eve.post(&format!("{game}/join"), &json!({"entropy": "eve's"})).await.ok();
    // Neither the creator nor anybody else starts a game: there is no such request, and only the last to join does.
    let waits = ann.get(&game).await.ok();
    assert_eq!((&waits["status"], &waits["commitment"]), (&json!("open"), &created["commitment"]));
    assert_eq!(waits["seq"], json!(null), "no event, so no chance was drawn");
    ann.get(&format!("{game}/record")).await.problem(409, "game_not_started");
    let started = ann.post(&format!("{game}/join"), &json!({"entropy": "ann's second"})).await.ok();
    assert_eq!(
        (&started["status"], added(&started)),
        (&json!("running"), vec!["bob's", "eve's", "ann's second"])
    );
    assert_eq!(started["my_seat"], 2, "the place in the game is the new one");
    for player in [&ann, &bob, &eve] {
        player.post(&format!("{game}/leave"), &json!({})).await.problem(409, "game_started");
        player
            .put(&format!("{game}/entropy"), &json!({"entropy": "late"}))
            .await
            .problem(409, "game_started");
    }
    let record = ann.get(&format!("{game}/record")).await;
    pippost::record::verify(&record.body).expect("a sound record");
}
