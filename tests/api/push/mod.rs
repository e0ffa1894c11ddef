//! Web push: browsers and programs are told of notices through push services.

mod failing;
mod in_firefox;
mod subscribing;
mod telling;

use pippost::worker::PushWorker;
use serde_json::json;

use support::games::pip_pip;
use support::post::Post;
use support::push_service::PushService;
use support::receiver::sender;
use support::{Client, TestApp};

const SUBSCRIPTIONS: &str = "/api/v1/me/push-subscriptions";
const PREFERENCES: &str = "/api/v1/me/notification-preferences";

/// A server's workers of mails and of web push.
struct Workers {
    post: Post,
    pushes: PushWorker,
}

impl Workers {
    fn of(app: &TestApp) -> Self {
        let pushes = PushWorker::new(app.app.pushes.clone(), app.app.outbox_signal.clone());
        Self { post: Post::of(app), pushes }
    }

    /// Sends what is due.
    async fn send(&self) {
        self.post.send().await;
        while self.pushes.step().await.expect("a step") > 0 {}
    }
}

/// A game whose start was told, with a push service.
struct Table {
    app: TestApp,
    service: PushService,
    workers: Workers,
    game: String,
    players: [Client; 2],
    /// The number of the player whose turn comes next.
    next: usize,
}

impl Table {
    async fn start() -> Self {
        let app = TestApp::with_sender(sender()).await;
        let (service, workers) = (PushService::start(), Workers::of(&app));
        let (game, players) = pip_pip(&app).await;
        workers.send().await;
        let next = 1 - to_act(&game, &players).await;
        Self { app, service, workers, game, players, next }
    }
}

/// The number of the player to act.
async fn to_act(game: &str, players: &[Client; 2]) -> usize {
    let view = players[0].get(game).await.ok();
    usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat")
}

/// The player to act moves until another one is; returns that one's number.
async fn play_turn(game: &str, players: &[Client; 2]) -> usize {
    let before = to_act(game, players).await;
    loop {
        let legal = players[before].get(&format!("{game}/actions")).await.ok();
        players[before].post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
        let now = to_act(game, players).await;
        if now != before {
            return now;
        }
    }
}

/// How many subscriptions somebody sees.
async fn count(who: &Client) -> usize {
    who.get(SUBSCRIPTIONS).await.ok()["push_subscriptions"].as_array().expect("a list").len()
}
