//! What is told, when, and what not.

use serde_json::json;
use time::Duration;

use super::{PREFERENCES, SUBSCRIPTIONS, Workers, play_turn, to_act};
use crate::api::games::pip_pip;
use crate::support::push_service::PushService;
use crate::support::receiver::sender;
use crate::support::{START, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_told_to_the_browser_alone_signed_and_with_the_event_that_it_shows() {
    let app = TestApp::with_sender(sender()).await;
    let (service, workers) = (PushService::start(), Workers::of(&app));
    let (game, players) = pip_pip(&app).await;
    workers.send().await;
    let waiting = 1 - to_act(&game, &players).await;
    let browser = service.browser("a");
    browser.subscribe(&players[waiting]).await;
    workers.send().await;
    assert!(service.got().is_empty(), "what was told before is not told again");
    assert_eq!(play_turn(&game, &players).await, waiting);
    workers.send().await;
    workers.send().await;
    let got = service.got();
    assert_eq!(got.len(), 1, "told once");
    let key = players[waiting].get(SUBSCRIPTIONS).await.ok()["public_key"].as_str().expect("a key").to_owned();
    let claims = got[0].claims(&key);
    assert_eq!(claims["aud"], service.url.as_str());
    assert_eq!(claims["sub"], "https://play.example.org".replace("https://play.example.org", &app.app.public_url));
    assert_eq!(claims["exp"], (START + Duration::hours(12)).unix_timestamp());
    let message = browser.read(&got[0]);
    let view = players[waiting].get(&game).await.ok();
    assert_eq!(message["kind"], "turn");
    assert_eq!(message["seq"], view["seq"], "the newest event");
    assert_eq!(message["game"], view["id"]);
    let link = message["link"].as_str().expect("a link");
    assert_eq!(link, format!("{}/games/{}", app.app.public_url, view["id"].as_str().expect("an id")));
    assert!(message["title"].as_str().expect("a title").contains("your turn"), "{message}");
    assert!(!message["body"].as_str().expect("a body").is_empty());
    assert_eq!((got[0].topic.as_str(), got[0].urgency.as_str()), (message["tag"].as_str().expect("a tag"), "normal"));
    assert!(got[0].topic.len() <= 32);
    assert_eq!(got[0].ttl, 3 * 24 * 60 * 60);
}
