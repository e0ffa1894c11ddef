//! The page of an analysis: a line is played by links, by clicking and by keys, from any moment of any game that hides nothing.

use serde_json::{Value, json};

use super::without_scripts::{picks, values};
use support::browsing::Browsing;
use support::game_page::{in_browser, start, start_of};
use support::sample::Sampler;
use support::window::{Window, browser};
use support::{Client, TestApp};

/// The text of the board on a page.
fn board_text(html: &str) -> String {
    let (_, rest) = html.split_once("id=\"board-text\">").expect("a board");
    rest.split_once("</pre>").expect("its end").0.to_owned()
}

/// The address of the shown board.
fn here(html: &str) -> String {
    values(html, "data-here").swap_remove(0)
}

/// Links that go on, and not back.
fn onward(html: &str) -> Vec<String> {
    let (before, _) = html.split_once("id=\"line\"").expect("the list of the line");
    let begin = here(html).split("&step=").next().expect("a beginning").to_owned();
    picks(before).into_iter().filter(|link| *link != begin).collect()
}

/// The line of an address, as the API takes it.
fn line_of(address: &str) -> Value {
    let (_, query) = address.split_once('?').expect("a query");
    let mut line: Vec<Value> = Vec::new();
    let mut seq = 0;
    for (name, value) in url_pairs(query) {
        match name.as_str() {
            "seq" => seq = value.parse().expect("a number"),
            "step" => line.push(json!({"notation": value, "chance": []})),
            "chance" => {
                let last = line.last_mut().expect("an action before its chance");
                last["chance"].as_array_mut().expect("a list").push(json!(value));
            }
            other => panic!("{other} is no part of a line"),
        }
    }
    json!({"seq": seq, "line": line})
}

fn url_pairs(query: &str) -> Vec<(String, String)> {
    reqwest::Url::parse(&format!("http://x/?{query}"))
        .expect("an address")
        .query_pairs()
        .into_owned()
        .collect()
}

async fn moved(game: &str, players: &[Client; 2], sampler: &mut Sampler, moves: usize) {
    for _ in 0..moves {
        let Some(seat) = players[0].get(game).await.ok()["to_act"].as_u64() else { return };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_every_game_is_played_by_links_alone() {
    let app = TestApp::start().await;
    let mut players: Option<[Client; 2]> = None;
    let mut sampler = Sampler::new(22);
    for (rules, options) in [
        ("pip-pip", json!({})),
        ("serpent", json!({})),
        ("pippinzip", json!({"size": 5})),
        ("dominion", json!({"size": 3})),
    ] {
        let (game, page, seated) = match &players {
            None => start(&app, rules, options).await,
            Some(known) => {
                let (game, page) = start_of(&[&known[0], &known[1]], rules, options, false).await;
                (game, page, known.clone())
            }
        };
        moved(&game, &seated, &mut sampler, 4).await;
        let stranger = Browsing::of(&app);
        if rules == "serpent" {
            let hidden = stranger.get(&format!("{page}/analysis")).await.expect(409).html;
            assert!(hidden.contains("Something is hidden here still"), "{hidden}");
            assert!(values(&hidden, "href").contains(&format!("{page}/replay")), "it leads on: {hidden}");
            let replay = stranger.get(&format!("{page}/replay?seq=1")).await.expect(200).html;
            assert!(!replay.contains("/analysis"), "{replay}");
            seated[0].post(&format!("{game}/resign"), &json!({})).await.ok();
        }
        let events = seated[0].get(&format!("{game}/events")).await.text();
        let replay = stranger.get(&format!("{page}/replay?seq=1")).await.expect(200).html;
        let first = values(&replay, "href").into_iter().find(|href| href.contains("/analysis?"));
        let mut shown = stranger.get(&first.expect("a link to the analysis")).await.expect(200).html;
        for _ in 0..30 {
            let links = onward(&shown);
            if links.is_empty() {
                break;
            }
            shown = stranger.get(&links[sampler.below(links.len())]).await.expect(200).html;
        }
        // The address holds the whole line: opened anew it shows the same board, and the API plays the same.
        let here = here(&shown);
        assert!(here.contains("&step="), "{here}");
        let again = stranger.get(&here).await.expect(200).html;
        assert_eq!(board_text(&again), board_text(&shown), "{here}");
        let board = app.stranger().unchecked().post(&format!("{game}/analysis"), &line_of(&here)).await.ok();
        let asked = board["asked"].as_array().map(Vec::len);
        assert_eq!(asked.unwrap_or_default() > 0, again.contains("What does chance bring?"), "{board}");
        assert_eq!(seated[0].get(&format!("{game}/events")).await.text(), events, "nothing has changed");
        players = Some(seated);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_written_taken_back_and_refused_in_words() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let stranger = Browsing::of(&app);
    let analysis = format!("{page}/analysis?seq=0");
    let wrong = stranger.get(&format!("{analysis}&say=z9")).await.expect(200).html;
    assert!(wrong.contains("That is no move") && wrong.contains("value=\"z9\""), "{wrong}");
    let illegal = stranger.get(&format!("{analysis}&say=roll")).await.expect(200).html;
    assert!(illegal.contains("a die is rolled already"), "{illegal}");
    let open = stranger.get(&format!("{analysis}&say=store")).await.expect(200).html;
    assert!(open.contains("What does chance bring?"), "{open}");
    assert_eq!(onward(&open).len(), 6, "a die has six sides");
    let done = stranger.get(&format!("{analysis}&step=store&chance=3")).await.expect(200).html;
    assert!(done.contains("It is the turn of ann") && done.contains("rolled a 3"), "{done}");
    let undo = |html: &str| {
        let links = html.split("<a ").filter(|tag| tag.contains("data-undo"));
        links.map(|tag| values(tag, "href").swap_remove(0)).next()
    };
    let before = undo(&done).expect("a way back");
    assert!(before.ends_with("seq=0&step=store"), "{before}");
    let before = stranger.get(&before).await.expect(200).html;
    assert!(undo(&before).expect("a way back").ends_with("seq=0"));
    for (query, status, words) in [
        ("&step=store&chance=7", 409, "This line is not possible"),
        ("&step=roll", 409, "This line is not possible"),
        ("&step=store&step=store", 409, "This line is not possible"),
        ("&step=nonsense", 409, "This line is not possible"),
    ] {
        let shown = stranger.get(&format!("{analysis}{query}")).await.expect(status).html;
        assert!(shown.contains(words), "{query}: {shown}");
    }
    stranger.get(&format!("{page}/analysis?seq=99")).await.expect(404);
    let evil = "%3Cimg%20src=x%3E%22%27";
    for name in ["say", "pick", "step", "chance", "seq", "token"] {
        let shown = stranger.get(&format!("{analysis}&{name}={evil}")).await;
        assert!(!shown.html.contains("<img src=x"), "{name}: {}", shown.html);
    }
    let german = Browsing::of(&app).reading("de").get(&analysis).await.expect(200).html;
    for words in ["Deine Zugfolge", "ann ist am Zug", "Noch ist nichts gespielt"] {
        assert!(german.contains(words), "{words}: {german}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_clicked_and_pressed_and_the_address_follows() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    let (path, events) =
        (page.clone(), app.stranger().unchecked().get(&format!("{game}/events")).await.text());
    in_browser(move || {
        let browser = browser();
        let ann = Window::logged_in(&browser, &url, "ann");
        ann.go(&format!("{path}/replay?seq=0"));
        ann.click("#analyse");
        ann.wait(
            "location.pathname.endsWith('/analysis') && document.documentElement.dataset.scripted === 'yes'",
        );
        assert_eq!(ann.text("#headline"), "It is the turn of ann");
        let address = || ann.evaluate("location.search").as_str().expect("text").to_owned();
        ann.pick("store");
        assert_eq!(
            (ann.text("#headline"), address()),
            ("What does chance bring?".to_owned(), "?seq=0&step=store".to_owned())
        );
        assert_eq!(
            ann.evaluate("document.activeElement.closest('.choices') !== null"),
            json!(true),
            "an outcome has the focus"
        );
        ann.pick("4");
        assert_eq!(address(), "?seq=0&step=store&chance=4");
        assert!(ann.text("#announcer").contains("rolled a 4"), "{}", ann.text("#announcer"));
        ann.pick("c3");
        ann.and_wait(|| ann.press("Escape"));
        assert_eq!(address(), "?seq=0&step=store&chance=4");
        ann.and_wait(|| ann.press("Escape"));
        assert_eq!(ann.text("#headline"), "What does chance bring?");
        ann.and_wait(|| {
            ann.evaluate("history.back()");
        });
        ann.and_wait(|| {
            ann.evaluate("history.back()");
        });
        // By keys: the board's cells by arrows, an outcome by Enter.
        ann.go(&format!("{path}/analysis?seq=0&step=store&chance=4"));
        ann.evaluate("document.querySelector('#board .spot').focus()");
        ann.press("ArrowUp");
        ann.and_wait(|| ann.press("Enter"));
        assert_eq!(ann.evaluate("document.activeElement.matches('.choice-button')"), json!(true));
        ann.and_wait(|| ann.press("Enter"));
        assert!(address().contains("step=c4+n"), "{}", address());
        // Bob has stored nothing, so a die is thrown for him.
        assert_eq!(ann.text("#headline"), "What does chance bring?");
        ann.pick("1");
        assert_eq!(ann.text("#headline"), "It is the turn of bob");
        ann.pick("action-1");
        assert_eq!(address(), "?seq=0&step=store&chance=4");
        ann.look(320, 640, true);
        assert!(ann.fits());
    })
    .await;
    assert_eq!(app.stranger().unchecked().get(&format!("{game}/events")).await.text(), events);
}
