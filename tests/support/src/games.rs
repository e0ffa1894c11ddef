//! Games of two players, as many tests begin with.

use serde_json::{Value, json};

use crate::{Client, TestApp};

/// A started Pip•Pip game: its path and the players by seat.
pub async fn pip_pip(app: &TestApp) -> (String, [Client; 2]) {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await;
    created.expect_status(201);
    let game = format!("/api/v1/games/{}", created.json()["id"].as_str().expect("an id"));
    ann.put(&format!("{game}/entropy"), &json!({"entropy": "from ann"})).await.ok();
    let joined = bob.post(&format!("{game}/join"), &json!({"entropy": "from bob"})).await.ok();
    assert_eq!(joined["status"], "running");
    (game, [ann, bob])
}

/// A game that `ann` has created and nobody has joined.
pub async fn open_game(ann: &Client) -> String {
    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await;
    format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"))
}

/// Another started game of the same two players.
pub async fn pip_pip_again(ann: &Client, bob: &Client) -> String {
    let game = open_game(ann).await;
    bob.post(&format!("{game}/join"), &json!({"entropy": ""})).await.ok();
    game
}

/// Plays the first legal action until the game is over; returns the last view.
pub async fn play_to_the_end(game: &str, players: &[Client; 2]) -> Value {
    loop {
        let view = players[0].get(game).await.ok();
        let Some(seat) = view["to_act"].as_u64() else { return view };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        assert_eq!(legal["my_turn"], true);
        let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
        let body = json!({"actions": [action], "expected_seq": view["seq"]});
        player.post(&format!("{game}/moves"), &body).await.ok();
    }
}

/// A game of Pippinzip that bob loses: with event 10 he misses `c3`, the only move that wins at once, and ann plays it. It is between these
/// two, with these members of the request besides.
pub async fn missed_win([ann, bob]: [&Client; 2], more: &Value) -> String {
    let mut wanted =
        json!({"rules": "pippinzip", "options": {"variant": "pipline", "size": 5}, "seating": "joined"});
    wanted.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({"invitation": created["invitation"]})).await.ok();
    // Bob's row 3 lacks c3, and so does ann's diagonal.
    for pair in [["a3 b3 d3", "take"], ["a1", "e3"], ["b2", "b4"], ["d4", "c5"], ["e5", "e1"]] {
        for (player, notation) in [ann, bob].into_iter().zip(pair) {
            player.post(&format!("{game}/moves"), &json!({"notation": notation})).await.ok();
        }
    }
    let last = ann.post(&format!("{game}/moves"), &json!({"notation": "c3"})).await.ok();
    assert_eq!(last["game"]["result"]["places"], json!([1, 2]), "{last}");
    game
}

/// A started game with this time control: its path.
pub async fn timed_game(players: [&Client; 2], control: &Value) -> String {
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "time_control": control});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    assert_eq!(created["time_control"]["limit_hours"], created["limit_hours"]);
    players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    game
}
