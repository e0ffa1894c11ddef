//! A page that is out of date, a connection that is lost, and an opponent who moves meanwhile.

use serde_json::json;

use super::{in_browser, start};
use crate::support::TestApp;
use crate::support::sample::Sampler;
use crate::support::window::{Window, browser};

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_page_says_that_the_game_has_moved_on_and_sends_nothing() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        window.go(&page);
        window.pick("c3");
        let north = window.targets()[0].clone();
        window.pick(&north);
        // The same player moves elsewhere.
        runtime.block_on(async {
            let listed = ann.get(&format!("{game}/actions")).await.ok();
            let action = Sampler::new(1).action(&listed["actions"].as_array().expect("a list")[1..]);
            ann.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
        });
        window.and_wait(|| window.click("#send"));
        assert!(window.text("#problem").contains("moved on"), "{}", window.text("main"));
        assert_eq!((window.state("seq"), window.state("picks")), ("1".to_owned(), "0".to_owned()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_said_and_what_was_chosen_is_sent_once_when_it_is_back() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        window.go(&page);
        window.pick("d4");
        let north = window.targets()[0].clone();
        window.pick(&north);
        window.offline(true);
        window.click("#send");
        window.wait("!document.getElementById('connection').hidden");
        assert!(window.text("#connection").contains("No connection"));
        assert!(window.evaluate("document.getElementById('send').disabled") == json!(false),);
        window.offline(false);
        window.and_wait(|| window.click("#send"));
        assert_eq!((window.state("seq"), window.text("#problem")), ("1".to_owned(), String::new()));
    })
    .await;
    assert_eq!(app.guest().unchecked().get(&game).await.ok()["seq"], json!(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_move_of_another_player_appears_by_itself_is_told_and_leaves_what_is_being_written() {
    let app = TestApp::start().await;
    let (game, page, [ann, bob]) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "bob");
        window.go(&page);
        window.fill("#message", "half a sent");
        runtime.block_on(async {
            let listed = ann.get(&format!("{game}/actions")).await.ok();
            let placed =
                listed["actions"].as_array().expect("a list").iter().find(|action| action["type"] == "place");
            ann.post(&format!("{game}/moves"), &json!({"actions": [placed]})).await.ok();
            bob.post(&format!("{game}/messages"), &json!({"text": "hello <b>ann</b>"})).await;
        });
        window.wait("document.getElementById('state').dataset.seq === '1'");
        assert_eq!(window.state("myTurn"), "yes");
        window.wait("document.getElementById('announcer').textContent.includes('ann placed')");
        assert!(window.text("#announcer").contains("It is your turn"));
        assert_eq!(window.evaluate("document.getElementById('message').value"), json!("half a sent"));
        window.wait("document.getElementById('messages').innerText.includes('hello <b>ann</b>')");
        window.fill("#message", "and <i>you</i>?");
        window.and_wait(|| window.click("#messages button"));
        assert!(window.text("#messages").contains("and <i>you</i>?"));
        assert_eq!(window.evaluate("document.getElementById('message').value"), json!(""));
    })
    .await;
}
