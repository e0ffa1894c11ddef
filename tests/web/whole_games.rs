//! Two browsers, one on a phone, play a game of every rule set to its end by clicking, replay it, and check it.

use serde_json::{Value, json};

use support::game_page::{in_browser, play_on, start, start_of};
use support::sample::Sampler;
use support::window::{Window, browser, play_to_the_end};
use support::{Client, TestApp};

/// The fewest events that all steps of `replay` need.
const MIN_EVENTS: u64 = 4;

/// Plays a game in two windows; then one replays it by slider and keys, and lets the second verifier check it.
async fn play_and_check(
    rules: &str,
    options: Value,
    enough: fn(&Value) -> bool,
    preferred: &'static [&'static str],
) {
    let app = TestApp::start().await;
    let (mut game, mut page, players) = start(&app, rules, options.clone()).await;
    // The dice may leave nothing to choose, even from the start: such a game is over with few events.
    while !played_and_checked(&app, (&game, &page), &players, enough, preferred).await {
        (game, page) = start_of(&[&players[0], &players[1]], rules, options.clone(), false).await;
    }
}

/// Whether the game had enough events to be replayed.
async fn played_and_checked(
    app: &TestApp,
    (game, page): (&str, &str),
    players: &[Client],
    enough: fn(&Value) -> bool,
    preferred: &'static [&'static str],
) -> bool {
    play_on(game, players, &mut Sampler::new(5), enough).await;
    let (url, page) = (app.url.clone(), page.to_owned());
    in_browser(move || {
        let browser = browser();
        let windows = ["ann", "bob"].map(|handle| Window::logged_in(&browser, &url, handle));
        // Ann has a phone, on which the board stays in view.
        windows[0].look(360, 640, false);
        for window in &windows {
            window.go(&page);
        }
        play_to_the_end(&windows, 7, preferred);
        for window in &windows {
            assert!(
                window.targets().is_empty()
                    && window.evaluate("document.querySelector('#move') === null") == json!(true)
            );
        }
        let ends = ["You won", "You lost", "A draw"];
        for window in &windows {
            let headline = window.text("#headline strong");
            assert!(ends.iter().any(|end| headline.starts_with(end)), "{headline}");
            assert!(window.text("#onward").starts_with("Play again"));
            assert!(window.text("#ended .told").ends_with('.'), "what decided: {}", window.text("#ended"));
            assert!(window.text("#ended").contains("Your games with"), "{}", window.text("#ended"));
        }
        if windows[0].state("seq").parse::<u64>().expect("a number") >= MIN_EVENTS {
            replay(&windows[0], &page);
        }
        check(&windows[1], &page);
    })
    .await;
    let end = app.stranger().unchecked().get(game).await.ok();
    assert!(["play", "round_limit"].contains(&end["result"]["reason"].as_str().expect("a reason")), "{end}");
    end["seq"].as_u64().expect("a number") >= MIN_EVENTS
}

/// Steps through the newest events by keys, goes to the start by the slider, and to a moment by its link.
fn replay(window: &Window, page: &str) {
    window.go(&format!("{page}/replay"));
    let seq = || window.evaluate("Number(document.getElementById('now').dataset.seq)");
    let newest =
        window.evaluate("Number(document.getElementById('now').dataset.newest)").as_u64().expect("a number");
    assert_eq!(seq(), json!(newest), "it begins with the newest event");
    let goes_to =
        |wanted: u64| window.wait(&format!("document.getElementById('now').dataset.seq === '{wanted}'"));
    window.press("ArrowLeft");
    goes_to(newest - 1);
    window.press("Home");
    goes_to(0);
    assert!(!window.text(".told-now").is_empty());
    window.press("ArrowRight");
    goes_to(1);
    assert_eq!(window.evaluate("location.search"), json!("?seq=1"), "the address leads to this moment");
    window.press("PageDown");
    window.wait("Number(document.getElementById('now').dataset.turn) >= 2");
    window.evaluate("(() => { const slider = document.getElementById('slider'); slider.value = 2; slider.dispatchEvent(new Event('input', { bubbles: true })); })()");
    goes_to(2);
    let shown = window.evaluate("document.querySelector('#board g').innerHTML");
    window.go(&format!("{page}/replay?seq=2"));
    assert_eq!(window.evaluate("document.querySelector('#board g').innerHTML"), shown);
    let at_speed = |milliseconds: u32| {
        window.evaluate(&format!(
            "(() => {{ const speed = document.getElementById('speed'); speed.value = '{milliseconds}'; speed.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ));
    };
    let says = |wanted: &str| {
        window.wait(&format!("document.getElementById('play').textContent === '{wanted}'"));
    };
    // Slowly enough that it is stopped before it goes on by itself to the end.
    at_speed(2000);
    window.click("#play");
    goes_to(3);
    window.click("#play");
    says("Play");
    assert!(seq().as_u64() < Some(newest), "it stopped on the way");
    // Played on from shortly before the end, it stops by itself there.
    window.go(&format!("{page}/replay?seq={}", newest - 1));
    at_speed(200);
    window.click("#play");
    goes_to(newest);
    says("Play");
}

fn check(window: &Window, page: &str) {
    window.go(&format!("{page}/check"));
    window.wait("document.getElementById('report')?.hidden === false");
    assert_eq!(window.text("#verdict"), "Accepted, and proved");
}

#[tokio::test(flavor = "multi_thread")]
async fn pip_pip_is_played_by_clicking() {
    play_and_check("pip-pip", json!({}), |_| true, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pippinzip_is_played_by_clicking() {
    play_and_check("pippinzip", json!({"variant": "zipline", "size": 5}), |_| true, &["done"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dominion_is_played_by_clicking() {
    play_and_check("dominion", json!({"size": 3, "round_limit": 3}), |_| true, &["pass"]).await;
}

/// The first seven hands are played by the API, so that a test of a long game stays short.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_hand_of_serpent_is_played_by_clicking() {
    play_and_check("serpent", json!({}), |game| game["view"]["hand"].as_u64() == Some(8), &[]).await;
}
