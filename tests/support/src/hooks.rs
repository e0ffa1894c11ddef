//! Webhooks as their owners register and verify them.

use pippost::worker::WebhookWorker;
use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::{Client, TestApp};

pub const WEBHOOKS: &str = "/api/v1/me/webhooks";

/// All kinds of events.
pub const EVERYTHING: [&str; 4] = ["game_over", "game_started", "turn", "event"];

/// A registered webhook: its path and its secret.
#[derive(Clone, Debug)]
pub struct Hook {
    pub path: String,
    pub secret: String,
}

impl Hook {
    pub async fn show(&self, owner: &Client) -> Value {
        owner.get(&self.path).await.ok()
    }

    pub async fn challenge(&self, owner: &Client) -> Value {
        owner.post(&format!("{}/challenge", self.path), &json!({})).await.ok()
    }

    /// The newest attempts, newest first.
    pub async fn deliveries(&self, owner: &Client) -> Vec<Value> {
        let listed = owner.get(&format!("{}/deliveries", self.path)).await.ok();
        listed["deliveries"].as_array().expect("a list").clone()
    }
}

pub async fn registered(owner: &Client, wanted: &Value) -> Hook {
    let made = owner.post(WEBHOOKS, wanted).await.expect_status(201).json();
    assert_eq!(made["state"], "unverified");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    Hook { path: format!("{WEBHOOKS}/{}", text(&made["id"])), secret: text(&made["secret"]) }
}

/// A webhook that has met its challenge.
pub async fn verified(owner: &Client, receiver: &Receiver, kinds: &[&str]) -> Hook {
    let hook = registered(owner, &json!({"url": receiver.url, "kinds": kinds})).await;
    let challenged = hook.challenge(owner).await;
    assert_eq!(challenged["webhook"]["state"], "active", "{challenged}");
    receiver.got();
    hook
}

pub fn worker(app: &TestApp) -> WebhookWorker {
    WebhookWorker::new(app.app.webhooks.clone(), app.app.outbox_signal.clone())
}

/// Delivers what is due.
pub async fn deliver(worker: &WebhookWorker) {
    while worker.step().await.expect("a step") > 0 {}
}

/// The player to act moves once.
pub async fn move_once(game: &str, players: &[Client; 2]) {
    let view = players[0].get(game).await.ok();
    let player = &players[usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat")];
    let legal = player.get(&format!("{game}/actions")).await.ok();
    player.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
}

pub fn id_of(game: &str) -> &str {
    game.rsplit('/').next().expect("an id")
}
