//! Pages of games that have begun.

use serde_json::{Value, json};

use crate::sample::Sampler;
use crate::{Client, TestApp};

/// Starts a game of ann, who has the first turn, and bob; gives its address in the API and its page.
pub async fn start(app: &TestApp, rules: &str, options: Value) -> (String, String, [Client; 2]) {
    let (ann, bob) = (app.player("ann").await.unchecked(), app.player("bob").await.unchecked());
    let (game, page) = start_of(&[&ann, &bob], rules, options, false).await;
    (game, page, [ann, bob])
}

/// Starts a game of these players, who join in this order.
pub async fn start_of(players: &[&Client], rules: &str, options: Value, private: bool) -> (String, String) {
    let wanted = json!({"rules": rules, "options": options, "seating": "joined", "private": private, "seats": players.len()});
    let created = players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id");
    let game = format!("/api/v1/games/{id}");
    for player in &players[1..] {
        player.post(&format!("{game}/join"), &json!({"invitation": created["invitation"]})).await.ok();
    }
    (game.clone(), format!("/games/{id}"))
}

/// Plays listed actions by the API until it is enough or the game is over; returns the last view.
pub async fn play_on(
    game: &str,
    players: &[Client],
    sampler: &mut Sampler,
    enough: impl Fn(&Value) -> bool,
) -> Value {
    loop {
        let now = players[0].get(game).await.ok();
        let seat = now["to_act"].as_u64().filter(|_| !enough(&now));
        let Some(seat) = seat else { return now };
        let player = &players[usize::try_from(seat).expect("small")];
        let listed = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(listed["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
}

/// Whether it is the turn of the first player, some moves after the beginning.
pub fn is_first_players_turn(now: &Value, least_seq: u64) -> bool {
    now["to_act"] == 0 && now["seq"].as_u64() >= Some(least_seq)
}

/// Runs what uses a browser, which waits for its answers.
pub async fn in_browser(run: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(run).await.expect("the browser's thread");
}
