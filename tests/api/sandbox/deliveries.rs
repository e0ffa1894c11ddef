//! What a sandbox sends to webhooks is read by their owner; a receiver is not needed.

use serde_json::{Value, json};

use super::{DAY, DELIVERIES, advance, game, registered};
use support::push_service::Browser;
use support::receiver::Got;
use support::{Client, TestApp};

const WEBHOOKS: &str = "/api/v1/me/webhooks";

/// The newest deliveries, oldest first.
async fn delivered(owner: &Client) -> Vec<Value> {
    let listed = owner.get(&format!("{DELIVERIES}?limit=100")).await.ok();
    let mut deliveries = listed["deliveries"].as_array().expect("a list").clone();
    deliveries.reverse();
    deliveries
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

/// A delivery as its receiver would get it.
fn got(delivery: &Value) -> Got {
    let headers = &delivery["headers"];
    assert_eq!(
        (&headers["content-type"], &headers["user-agent"]),
        (&json!("application/json"), &json!("pippost"))
    );
    Got {
        id: text(&headers["webhook-id"]),
        timestamp: text(&headers["webhook-timestamp"]).parse().expect("a number"),
        signatures: text(&headers["webhook-signature"]),
        text: text(&delivery["body"]),
    }
}

/// A webhook to a host that nobody has, verified by its challenge as it is read here: its path and its secret.
async fn verified(owner: &Client, kinds: &[&str]) -> (String, String) {
    let wanted = json!({"url": "https://receiver.invalid/hook", "kinds": kinds});
    let made = owner.post(WEBHOOKS, &wanted).await.expect_status(201).json();
    let path = format!("{WEBHOOKS}/{}", text(&made["id"]));
    let challenged = owner.post(&format!("{path}/challenge"), &json!({})).await.ok();
    assert_eq!(challenged["webhook"]["state"], "unverified");
    assert_eq!(challenged["delivery"]["outcome"], "delivered");
    let asked = delivered(owner).await.pop().expect("a delivery");
    assert_eq!(asked["webhook"], made["id"]);
    let challenge = got(&asked).json()["data"]["challenge"].clone();
    let now = owner.post(&format!("{path}/verify"), &json!({"challenge": challenge})).await.ok();
    assert_eq!(now["state"], "active");
    (path, text(&made["secret"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_tried_without_any_receiver() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let (path, secret) = verified(&ann, &["turn", "game_over"]).await;
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "limit_hours": 24});
    let game = game(&ann, &bob, &wanted).await;
    let id = game.rsplit('/').next().expect("an id").to_owned();
    let turn = got(&delivered(&ann).await.pop().expect("a delivery"));
    assert_eq!(turn.id, format!("{id}:0"));
    let body = turn.json();
    assert_eq!((&body["type"], &body["data"]["my_turn"]), (&json!("turn"), &json!(true)), "{body}");
    assert!(turn.is_signed_by(&secret));
    // Her flag falls, and the webhook is told of it when it falls.
    advance(&app, DAY).await;
    let ann = app.log_in("ann").await;
    let all = delivered(&ann).await;
    let kinds: Vec<Value> = all.iter().map(|delivery| got(delivery).json()["type"].clone()).collect();
    assert_eq!(kinds, ["challenge", "turn", "game_over"]);
    assert_eq!(all[2]["sent_at"], "2026-11-22T12:00:00.000000Z");
    assert!(got(&all[2]).timestamp < 1_795_348_800, "signed by the machine's clock");
    let log = ann.get(&format!("{path}/deliveries")).await.ok();
    let outcomes = log["deliveries"].as_array().expect("a list").iter();
    assert!(
        outcomes.into_iter().all(|attempt| attempt["outcome"] == "delivered" && attempt["status"].is_null())
    );

    // Nobody else reads them, and a page ends where it says.
    assert_eq!(delivered(&app.log_in("bob").await).await, [Value::Null; 0]);
    let first = ann.get(&format!("{DELIVERIES}?limit=2")).await.ok();
    assert_eq!(first["deliveries"], json!([all[2], all[1]]));
    let second = ann.get(&format!("{DELIVERIES}?limit=2&cursor={}", text(&first["next_cursor"]))).await.ok();
    assert_eq!(second, json!({"deliveries": [all[0]], "next_cursor": null}));
    ann.get(&format!("{DELIVERIES}?limit=101")).await.problem(422, "invalid_value");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_hundred_are_kept() {
    let app = TestApp::sandbox().await;
    let (ann, _) = registered(&app, "ann").await;
    let (path, _) = verified(&ann, &["turn"]).await;
    for _ in 0..101 {
        ann.post(&format!("{path}/challenge"), &json!({})).await.ok();
    }
    assert_eq!(delivered(&ann).await.len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn web_push_is_read_without_any_push_service() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let mut subscribed = Vec::new();
    for owner in [&ann, &bob] {
        let browser = Browser::at(&format!("https://push.invalid/send/{}", subscribed.len()));
        subscribed.push(browser.subscribe(owner).await);
    }
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "limit_hours": 24});
    let game = game(&ann, &bob, &wanted).await;
    let view = ann.get(&game).await.ok();
    let acting = usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat");
    for (number, owner) in [&ann, &bob].into_iter().enumerate() {
        let delivered = delivered(owner).await;
        assert_eq!(delivered.len(), 1, "{delivered:?}");
        let message: Value = serde_json::from_str(&text(&delivered[0]["body"])).expect("JSON");
        let kind = if number == acting { "turn" } else { "game_started" };
        assert_eq!((message["kind"].as_str(), &message["game"]), (Some(kind), &view["id"]));
        assert!(subscribed[number].ends_with(&text(&delivered[0]["webhook"])));
    }
}
