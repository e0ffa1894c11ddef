//! A page that is out of date, a connection that is lost, and an opponent who moves meanwhile.

use serde_json::json;

use support::TestApp;
use support::game_page::{in_browser, start};
use support::sample::Sampler;
use support::window::{NO_POLLING, Window, browser};

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_page_says_that_the_game_has_moved_on_and_sends_nothing() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        // Otherwise the page shows the move at once.
        window.before_every_page("delete window.EventSource");
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
        // By a key: the box that says that the line is cut may lie over the button.
        window.focus("#send");
        window.offline(true);
        window.press("Enter");
        window.wait("document.getElementById('waiting-move').hidden === false");
        window.wait("!document.getElementById('connection').hidden");
        assert!(window.text("#connection").contains("No connection"));
        assert!(window.text("#waiting-move").contains("on d4 with"), "{}", window.text("main"));
        window.offline(false);
        window.wait("document.getElementById('state').dataset.seq === '1'");
        assert_eq!(window.text("#problem"), "");
    })
    .await;
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["seq"], json!(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_moves_when_the_connection_is_lost_and_the_box_covers_nothing_for_good() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        // The smallest phone: there the box is tallest.
        window.look(320, 640, false);
        window.go(&page);
        window.pick("d4");
        let north = window.targets()[0].clone();
        window.pick(&north);
        let places =
            "[...document.querySelectorAll('#send, .game-board, footer')].map((part) => part.getBoundingClientRect().top)";
        let before = window.evaluate(places);
        window.offline(true);
        window.wait("!document.getElementById('connection').hidden");
        assert_eq!(window.evaluate(places), before);
        // The end of the page can be read above the box.
        let [end, top, bottom, height] = [
            "(scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }), document.querySelector('footer').getBoundingClientRect().bottom)",
            "document.getElementById('connection').getBoundingClientRect().top",
            "document.getElementById('connection').getBoundingClientRect().bottom",
            "innerHeight",
        ]
        .map(|place| window.evaluate(place).as_f64().expect("a number"));
        assert!(end <= top && top < bottom && bottom <= height, "{end} {top} {bottom} {height}");
    })
    .await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_move_appears_in_the_other_browser_as_it_happens_without_asking_again_and_again() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let (url, feeds) = (app.url.clone(), app.app.games.feeds().clone());
    in_browser(move || {
        let browser = browser();
        let [ann, bob] = ["ann", "bob"].map(|handle| Window::logged_in(&browser, &url, handle));
        for window in [&ann, &bob] {
            window.before_every_page(NO_POLLING);
            window.go(&page);
        }
        while feeds.watched() != (1, 0) {
            std::thread::yield_now();
        }
        let asked = |window: &Window| {
            window.evaluate("performance.getEntriesByType('resource').filter((one) => one.name.includes('/table')).length")
        };
        assert_eq!(asked(&bob), json!(0));
        ann.move_at_random(&mut Sampler::new(4), &[]);
        bob.wait("document.getElementById('state').dataset.seq === '1'");
        assert_eq!((bob.state("myTurn"), asked(&bob)), ("yes".to_owned(), json!(1)));
        bob.wait("document.getElementById('announcer').textContent.includes('It is your turn')");
        // A pick of hers stays when something happens: he writes nothing, he resigns; and the page says that the game is over.
        bob.move_at_random(&mut Sampler::new(5), &[]);
        ann.wait("document.getElementById('state').dataset.seq === '2'");
        let replay = Window::of(&browser, &url);
        replay.before_every_page(NO_POLLING);
        replay.go(&format!("{page}/replay"));
        replay.wait("document.getElementById('now').dataset.seq === '2'");
        let first = ann.targets()[0].clone();
        ann.pick(&first);
        ann.and_wait(|| bob.resign());
        assert_eq!(ann.state("status"), "finished");
        replay.wait("document.getElementById('now').dataset.seq === '3'");
        while feeds.watched() != (0, 0) {
            std::thread::yield_now();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_server_sent_events_asks_from_time_to_time() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let bob = Window::logged_in(&browser, &url, "bob");
        bob.before_every_page("delete window.EventSource");
        bob.go(&page);
        runtime.block_on(async {
            let listed = ann.get(&format!("{game}/actions")).await.ok();
            ann.post(&format!("{game}/moves"), &json!({"actions": [listed["actions"][0]]})).await.ok();
        });
        bob.wait("document.getElementById('state').dataset.seq === '1'");
    })
    .await;
}
