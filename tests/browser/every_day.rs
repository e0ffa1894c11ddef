//! Every day in a browser: how many games wait, a session that ends while a move is chosen, messages as they come, and who sits down.

use serde_json::json;

use support::browsing::Browsing;
use support::game_page::{in_browser, start};
use support::games::{open_game, pip_pip};
use support::window::{NO_POLLING, Window, browser};
use support::{PASSWORD, TestApp};

/// Ends all sessions of the player but the one of this browser.
async fn end_others(browser: &Browsing) {
    let html = browser.get("/preferences/access").await.expect(200).html;
    for rest in html.split("action=\"/preferences/end-session\"").skip(1) {
        let id = rest.split("name=\"id\" value=\"").nth(1).expect("an id")[..36].to_owned();
        browser.post("/preferences/end-session", &[("id", &id)]).await.expect(303);
    }
}

/// What a page does when somebody comes back to it.
const COME_BACK: &str = "document.dispatchEvent(new Event('visibilitychange'))";

#[tokio::test(flavor = "multi_thread")]
async fn title_icon_and_header_of_every_page_say_how_many_games_wait() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        for path in ["/rules", "/about", game.trim_start_matches("/api/v1")] {
            window.go(path);
            window.wait("document.title.startsWith('(1) ')");
            window.wait("document.querySelector('link[rel=icon]').href.startsWith('data:image/svg+xml,')");
            assert_eq!(
                window.evaluate("document.querySelector('[data-waiting]').textContent"),
                json!("\u{a0}(1)")
            );
        }
        window.go("/rules");
        window.wait("document.title.startsWith('(1) ')");
        runtime.block_on(ann.post(&format!("{game}/resign"), &json!({})));
        window.evaluate(COME_BACK);
        window.wait("!document.title.startsWith('(')");
        window.wait("document.querySelector('link[rel=icon]').getAttribute('href').startsWith('/static/')");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_in_mid_move_is_said_and_the_move_is_sent_after_logging_in() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let other = Browsing::log_in(&app, "ann").await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        window.look(360, 640, false);
        let log_in = || {
            window.wait("document.getElementById('session').hidden === false");
            assert!(window.text("#session").contains("Your session has ended"), "{}", window.text("main"));
            window.click("#session a");
            window.wait("location.pathname === '/log-in' && document.readyState === 'complete'");
            window.fill("[name=login]", "ann");
            window.fill("[name=password]", PASSWORD);
            window.click("main form button[type=submit]");
            window
                .wait("location.pathname.startsWith('/games/') && document.getElementById('state') !== null");
        };
        window.go(&page);
        window.pick("d4");
        // The page asks whether something has happened, and is not silently that of a spectator.
        runtime.block_on(end_others(&other));
        window.evaluate("dispatchEvent(new Event('online'))");
        log_in();
        assert_eq!(window.state("picks"), "1", "what was chosen stays");
        let north = window.targets()[0].clone();
        window.pick(&north);
        runtime.block_on(end_others(&other));
        window.click("#send");
        log_in();
        window.wait("document.getElementById('state').dataset.seq === '1'");
        assert_eq!(window.text("#problem"), "");
    })
    .await;
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["seq"], json!(1), "sent once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_appears_as_it_is_written_to_players_alone() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "pip-pip", json!({})).await;
    let (url, feeds) = (app.url.clone(), app.app.games.feeds().clone());
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let (bob, stranger) = (Window::logged_in(&browser, &url, "bob"), Window::of(&browser, &url));
        let heard = "(() => { const open = EventSource; globalThis.heard = 0; \
            globalThis.EventSource = class extends open { constructor(...all) { super(...all); this.addEventListener('said', () => { globalThis.heard += 1; }); } }; })()";
        for window in [&bob, &stranger] {
            window.before_every_page(NO_POLLING);
            window.before_every_page(heard);
            window.go(&page);
        }
        while feeds.watched() != (1, 0) {
            std::thread::yield_now();
        }
        bob.wait("document.documentElement.dataset.scripted === 'yes'");
        runtime.block_on(ann.post(&format!("{game}/messages"), &json!({"text": "your move soon?"})));
        bob.wait("document.getElementById('messages').innerText.includes('your move soon?')");
        assert_eq!(bob.evaluate("heard"), json!(1));
        // Whoever only watches is told of moves alone: one is made, so that the stream has said all before it.
        let listed = runtime.block_on(async { ann.get(&format!("{game}/actions")).await.ok() });
        let moved = json!({"actions": [listed["actions"][0]]});
        runtime.block_on(async { ann.post(&format!("{game}/moves"), &moved).await.ok() });
        stranger.wait("document.getElementById('state').dataset.seq === '1'");
        assert_eq!(stranger.evaluate("heard"), json!(0));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_game_that_waits_shows_who_sits_down_and_keeps_what_is_being_written() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = open_game(&ann).await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        window.go(game.trim_start_matches("/api/v1"));
        window.fill("#invitee", "some");
        runtime.block_on(async { bob.post(&format!("{game}/join"), &json!({})).await.ok() });
        window.evaluate(COME_BACK);
        assert_eq!(window.evaluate("document.getElementById('invitee').value"), json!("some"));
        window.fill("#invitee", "");
        window.evaluate(COME_BACK);
        window.wait("document.getElementById('state') !== null");
        assert_eq!(window.state("myTurn"), "yes");
    })
    .await;
}
