//! The added game is played in browsers by clicking, on the page of all games.

use serde_json::json;

use crate::add_the_game;
use crate::playing::{Game, start};
use support::TestApp;
use support::window::{Window, browser, play_to_the_end};

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_the_added_game_by_clicking() {
    add_the_game();
    let app = TestApp::start().await;
    let Game { path, .. } = start(&app, json!({"target": 10})).await;
    let (url, page) = (app.url.clone(), path.replace("/api/v1", ""));
    let played = tokio::task::spawn_blocking(move || {
        let browser = browser();
        let windows = ["ann", "bob"].map(|handle| Window::logged_in(&browser, &url, handle));
        for window in &windows {
            window.go(&page);
        }
        assert_eq!(windows[0].targets(), ["roll", "pass"]);
        assert_eq!(windows[0].text(".choices a"), "Roll the die");
        play_to_the_end(&windows, 3, &["roll"]);
        windows[1].go(&format!("{page}/check"));
        windows[1].wait("document.getElementById('report')?.hidden === false");
        windows[1].text("#verdict")
    });
    assert_eq!(played.await.expect("the browser's thread"), "Accepted, and proved");
    analysed(&app, &path).await;
    assert_eq!(app.stranger().get(&path).await.ok()["status"], "finished");
}

/// Its analysis board is clicked, too: whoever throws sixes wins.
async fn analysed(app: &TestApp, path: &str) {
    let (url, page) = (app.url.clone(), path.replace("/api/v1", ""));
    let told = tokio::task::spawn_blocking(move || {
        let browser = browser();
        let window = Window::of(&browser, &url);
        window.go(&format!("{page}/analysis?seq=0"));
        window.wait("document.documentElement.dataset.scripted === 'yes'");
        for target in ["roll", "6", "pass", "roll", "6"] {
            window.pick(target);
        }
        window.text("#headline")
    });
    assert_eq!(told.await.expect("the browser's thread"), "ann won.");
}
