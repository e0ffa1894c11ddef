//! Restarts, repetitions, previews and refusals between two events do not change the next draw.

use reqwest::Method;
use serde_json::{Value, json};

use support::games::pip_pip;
use support::post::{Post, Sent, deliver};
use support::{Client, TestApp};

/// Sends many requests that must not make an event, from both players.
async fn ask_in_vain(game: &str, players: &[Client]) {
    for player in players {
        for body in [
            json!({"notation": "store; roll"}),
            json!({"notation": "store; c6 n1"}),
            json!({"notation": "roll; store", "each": true}),
            json!({"notation": "blargh"}),
            json!({"actions": [{"type": "store"}, {"type": "store"}]}),
            json!({"actions": [{"type": "store"}], "expected_seq": 77}),
            json!({}),
        ] {
            player.post(&format!("{game}/preview"), &body).await;
            let refused = player.post(&format!("{game}/moves"), &body).await;
            assert!(refused.status.is_client_error(), "{body}: {}", refused.text());
        }
        for path in
            ["", "/feed?snapshot=first", "/replay", "/choices", "/news", "/board.svg", "/actions", "/record"]
        {
            player.get(&format!("{game}{path}")).await;
        }
    }
}

async fn store(game: &str, player: &Client) -> Value {
    let key = [("Idempotency-Key", "the-store")];
    let body = json!({"notation": "store", "expected_seq": 1}).to_string();
    player.send(Method::POST, &format!("{game}/moves"), Some(body), &key).await.ok()["events"][0].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_between_two_events_does_not_change_the_next_draw() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();

    // Two copies of the same state, masters included. In one of them ann moves at once.
    let (calm, restless) = (app.copied().await, app.copied().await);
    let drawn = store(&game, &ann.at(&calm.url)).await;

    let mut server = restless;
    for _ in 0..2 {
        let players = [ann.at(&server.url), bob.at(&server.url)];
        ask_in_vain(&game, &players).await;
        let order = Sent::answer("ann", &turn, "roll; store\n");
        assert_eq!(deliver(&server, &order).await, "taken");
        server = server.copied().await;
    }
    let ann = ann.at(&server.url);
    assert_eq!(store(&game, &ann).await, drawn);
    assert_eq!(store(&game, &ann).await, drawn, "a repeat is the same event");
}
