//! A newcomer's first hour: from the front page to a first move, and the game kept.

use serde_json::json;

use support::game_page::in_browser;
use support::sample::Sampler;
use support::window::{Window, browser};
use support::{PASSWORD, TestApp};

/// The most clicks from the front page to a move that is made.
const MAX_CLICKS: usize = 6;

/// Clicks what leads to another page.
fn onward(window: &Window, selector: &str, to: &str) {
    window.click(selector);
    window.wait(&format!("location.pathname.startsWith('{to}') && document.readyState === 'complete'"));
}

/// Makes a move by clicks; returns how many.
fn move_by_clicks(window: &Window) -> usize {
    let mut sampler = Sampler::new(3);
    let mut clicks = 1;
    while window.evaluate("document.getElementById('send') === null") == json!(true) {
        let targets = window.targets();
        window.pick(&targets[sampler.below(targets.len())]);
        clicks += 1;
    }
    window.and_wait(|| window.click("#send"));
    clicks
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_makes_the_first_move_of_every_game_within_six_clicks_and_no_typed_text() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        for rules in ["pip-pip", "serpent", "pippinzip", "dominion"] {
            let newcomer = Window::of(&browser, &url);
            newcomer.look(360, 640, false);
            newcomer.go("/");
            onward(&newcomer, "main a[href='/games/new']", "/games/new");
            onward(&newcomer, &format!("main button[value={rules}]"), "/games/0");
            let clicks = 2 + move_by_clicks(&newcomer);
            assert!(clicks <= MAX_CLICKS, "{rules}: {clicks} clicks");
            assert_ne!(newcomer.state("seq"), "0", "{rules}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_keeps_the_game_by_a_form_on_its_page() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let guest = Window::of(&browser, &url);
        guest.go("/");
        onward(&guest, "main form[action='/play'] button[value=pip-pip]", "/games/0");
        assert_eq!(guest.state("myTurn"), "yes");
        let page = guest.evaluate("location.pathname");
        guest.click("[popovertarget=rules]");
        guest.wait("document.getElementById('rules').matches(':popover-open')");
        assert!(guest.text("#rules").contains("Writing moves"), "{}", guest.text("#rules"));
        guest.click("#rules button");
        guest.wait("!document.getElementById('rules').matches(':popover-open')");
        for (field, text) in [("handle", "ann"), ("email", "ann@example.org"), ("password", PASSWORD)] {
            guest.fill(&format!("#keep [name={field}]"), text);
        }
        guest.click("#keep button");
        guest.wait("document.querySelector('main') && !document.getElementById('keep')");
        assert_eq!(guest.evaluate("location.pathname"), page);
        assert!(guest.text("header").contains("ann"), "{}", guest.text("header"));
        let clicks = move_by_clicks(&guest);
        assert!(clicks > 1 && guest.state("seq") == "1");
    })
    .await;
}
