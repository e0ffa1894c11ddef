//! Groups of stones say what they are when somebody points at them, or reaches them by keys.

use serde_json::json;

use support::TestApp;
use support::game_page::{in_browser, start};
use support::window::{Window, browser};

#[tokio::test(flavor = "multi_thread")]
async fn a_group_says_its_size_on_hover_and_on_focus() {
    let app = TestApp::start().await;
    let (game, page, players) = start(&app, "pippinzip", json!({"size": 5})).await;
    for (player, notation) in [(0, "a1 e5"), (1, "c3")] {
        let made = players[player].post(&format!("{game}/moves"), &json!({"notation": notation})).await;
        made.expect_status(200);
    }
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let stranger = Window::of(&browser, &url);
        for path in [page.clone(), format!("{page}/replay"), format!("{page}/analysis")] {
            stranger.go(&path);
            stranger.wait("document.documentElement.dataset.scripted === 'yes'");
            let labels = stranger.evaluate(
                "[...document.querySelectorAll('#board .part')].map((part) => part.getAttribute('aria-label'))",
            );
            let labels: Vec<String> = serde_json::from_value(labels).expect("labels");
            assert!(labels.len() >= 2, "{path}: {labels:?}");
            let usual = stranger.text("#part-label");
            // By the mouse.
            let place = stranger.evaluate(
                "(() => { const board = document.getElementById('board'); board.scrollIntoView({ block: 'center', behavior: 'instant' });
                    const box = document.querySelector('#board .part:last-of-type rect, #board .part rect').getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2]; })()",
            );
            let [x, y] = [0, 1].map(|index| place[index].as_f64().expect("a number"));
            stranger.tab.point_at(x, y).expect("the mouse moves");
            stranger.wait("document.querySelector('#board .part:hover') !== null");
            let told = stranger.text("#part-label");
            assert!(labels.contains(&told), "{path}: {told} of {labels:?}");
            stranger.tab.point_at(2.0, 2.0).expect("the mouse moves");
            stranger.wait("document.querySelector('#board .part:hover') === null");
            assert_eq!(stranger.text("#part-label"), usual, "{path}");
            // By keys: one part is reached by Tab, arrows lead to the others.
            stranger.evaluate("document.querySelector('#board .part[tabindex=\"0\"]').focus()");
            let mut heard = vec![stranger.text("#part-label")];
            for _ in 1..labels.len() {
                stranger.press("ArrowRight");
                heard.push(stranger.text("#part-label"));
            }
            assert_eq!(heard, labels, "{path}");
        }
    })
    .await;
}
