//! Firefox: a subscription, from the click on the page to the message that its service worker shows; and a move by clicking.

use serde_json::json;

use super::{Table, count, play_turn};
use support::TestApp;
use support::autopush::Autopush;
use support::firefox::Firefox;
use support::game_page::start;

/// The titles of what the service worker shows.
const SHOWN: &str =
    "(await (await navigator.serviceWorker.ready).getNotifications()).map((one) => one.title).join()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Firefox, which .ci/install-firefox installs; PIPPOST_FIREFOX names the program"]
async fn firefox_subscribes_shows_what_it_is_sent_and_ends_its_subscription() {
    let table = Table::start().await;
    let next = &table.players[table.next];
    let handle = next.get("/api/v1/me").await.ok()["handle"].as_str().expect("a handle").to_owned();
    let autopush = Autopush::start(&table.service);
    let (url, push_url) = (table.app.url.clone(), autopush.url.clone());
    let mut firefox = blocking(move || {
        let mut firefox = Firefox::start(&push_url);
        firefox.log_in(&url, &handle);
        firefox.go(&format!("{url}/preferences/notices"));
        firefox.wait("document.querySelector('[data-push=on]').hidden === false");
        firefox.click("[data-push=on]");
        firefox.wait("document.querySelector('[data-push=off]').hidden === false");
        let listed = firefox.run("return document.querySelector('#browsers ~ .list').innerText");
        assert!(listed.as_ref().is_ok_and(|text| text.to_string().contains("Firefox")), "{listed:?}");
        firefox
    })
    .await;
    assert_eq!(count(next).await, 1);

    play_turn(&table.game, &table.players).await;
    table.workers.send().await;
    let got = table.service.got();
    assert_eq!(got.len(), 1, "told once");
    autopush.pass_on(&got[0]);
    let firefox = blocking(move || {
        firefox.wait(&format!("{SHOWN}.includes('your turn')"));
        firefox.click("[data-push=off]");
        firefox.wait("document.querySelector('[data-push=on]').hidden === false");
        let left =
            "return (await (await navigator.serviceWorker.ready).pushManager.getSubscription()) === null";
        assert_eq!(firefox.run(left), Ok(json!(true)));
        firefox
    })
    .await;
    assert_eq!((count(next).await, autopush.ended()), (0, 1));
    drop(firefox);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Firefox, which .ci/install-firefox installs; PIPPOST_FIREFOX names the program"]
async fn firefox_makes_a_first_move_by_clicking() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    blocking(move || {
        let mut firefox = Firefox::start("http://127.0.0.1:9/");
        firefox.log_in(&url, "ann");
        firefox.go(&format!("{url}{page}"));
        firefox.wait("document.documentElement.dataset.scripted === 'yes'");
        let mut clicks = 0;
        while firefox.run("return document.getElementById('send') === null") == Ok(json!(true)) {
            clicks += 1;
            assert!(clicks < 5, "{:?}", firefox.run("return document.querySelector('main').innerText"));
            firefox.click("#board .spot rect, #move .choice-button");
            firefox.wait(&format!("document.getElementById('state').dataset.picks === '{clicks}'"));
        }
        let told = firefox.run("return document.getElementById('move').innerText");
        assert!(told.as_ref().is_ok_and(|text| text.to_string().contains("You will ")), "{told:?}");
        firefox.click("#send");
        firefox.wait("document.getElementById('state').dataset.seq === '1'");
    })
    .await;
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["seq"], json!(1));
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("a browser")
}
