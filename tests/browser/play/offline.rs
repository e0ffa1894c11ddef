//! Without a connection: the last known positions open, and a move waits until it can be sent once, or is refused as out of date.

use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use support::TestApp;
use support::game_page::{in_browser, start};
use support::sample::Sampler;
use support::window::{Window, browser};

/// A line to a server that can be cut, and joined again.
struct Line {
    url: String,
    is_up: watch::Sender<bool>,
}

impl Line {
    async fn to(url: &str) -> Self {
        let server = url.strip_prefix("http://").expect("plain HTTP").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let is_up = watch::Sender::new(true);
        let up = is_up.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (server, mut up) = (server.clone(), up.subscribe());
                tokio::spawn(async move {
                    if !*up.borrow_and_update() {
                        return;
                    }
                    let Ok(mut upstream) = TcpStream::connect(server).await else { return };
                    // Either side may hang up at any time.
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut client, &mut upstream) => {}
                        _ = up.changed() => {}
                    }
                });
            }
        });
        Self { url, is_up }
    }

    fn cut(&self) {
        self.is_up.send_replace(false);
    }

    fn join(&self) {
        self.is_up.send_replace(true);
    }
}

/// Looks at the game with a service worker that keeps what it sees.
fn look_with_worker(window: &Window, page: &str) {
    window.go_with_worker(page);
    window.wait("document.documentElement.dataset.scripted === 'yes'");
    window.wait(&format!("(await (await caches.open('pippost-pages')).match('{page}')) !== undefined"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_position_opens_offline_and_a_move_made_there_is_sent_once_later() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let line = Line::to(&app.url).await;
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &line.url, "ann");
        look_with_worker(&window, &page);
        line.cut();
        window.go(&page);
        window.wait("document.getElementById('connection')?.hidden === false");
        assert_eq!((window.state("seq"), window.state("myTurn")), ("0".to_owned(), "yes".to_owned()));
        assert!(window.text("#connection").contains("No connection"), "{}", window.text("main"));
        // A page that was never opened says so.
        window.go("/rules/serpent");
        assert!(window.text("h1").contains("No connection"), "{}", window.text("main"));
        window.go(&page);
        window.wait("document.getElementById('connection')?.hidden === false");
        // The move is written, because nobody can say what a pick leads to.
        window.evaluate("(() => { document.querySelector('#write').open = true; return 1; })()");
        let listed = window.evaluate("document.getElementById('list').value");
        window.click("#write form[data-say]:has(#list) button");
        window.wait("document.getElementById('waiting-move').hidden === false");
        let listed = listed.as_str().expect("a move");
        assert!(window.text("#waiting-move").contains(listed), "{}", window.text("main"));
        // It waits also when the page is opened again.
        window.go(&page);
        window.wait("document.getElementById('waiting-move')?.hidden === false");
        line.join();
        window.evaluate("dispatchEvent(new Event('online'))");
        window.wait("document.getElementById('state').dataset.seq === '1'");
        window.wait("document.getElementById('waiting-move').hidden === true");
        assert_eq!(window.text("#problem"), "");
    })
    .await;
    let now = app.stranger().unchecked().get(&game).await.ok();
    assert_eq!(now["seq"], json!(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_waited_is_refused_in_words_if_the_game_has_moved_on() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "pip-pip", json!({})).await;
    let line = Line::to(&app.url).await;
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &line.url, "ann");
        look_with_worker(&window, &page);
        window.pick("c3");
        let north = window.targets()[0].clone();
        window.pick(&north);
        // By a key: the box that says that the line is cut may lie over the button.
        window.focus("#send");
        line.cut();
        window.press("Enter");
        window.wait("document.getElementById('waiting-move').hidden === false");
        // The same player moves on another machine.
        runtime.block_on(async {
            let listed = ann.get(&format!("{game}/actions")).await.ok();
            let action = Sampler::new(1).action(&listed["actions"].as_array().expect("a list")[1..]);
            ann.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
        });
        line.join();
        window.evaluate("dispatchEvent(new Event('online'))");
        window.wait("document.getElementById('problem')?.innerText.includes('moved on')");
        assert_eq!(window.state("seq"), "1");
        assert!(window.evaluate("document.getElementById('waiting-move').hidden") == json!(true));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_logs_out_leaves_nothing_in_the_browser() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let line = Line::to(&app.url).await;
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &line.url, "ann");
        look_with_worker(&window, &page);
        window.click("form[data-leave] button");
        window.wait("location.pathname === '/' && document.readyState === 'complete'");
        window.wait("!(await caches.has('pippost-pages')) || (await (await caches.open('pippost-pages')).keys()).every((one) => new URL(one.url).pathname === '/')");
        line.cut();
        window.go(&page);
        assert!(window.text("h1").contains("No connection"), "{}", window.text("main"));
    })
    .await;
}
