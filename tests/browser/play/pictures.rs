//! Pictures of the pages for people to look at: `PIPPOST_PICTURES=folder cargo test --test browser play::pictures`.

use std::path::Path;

use serde_json::json;

use support::TestApp;
use support::game_page::{in_browser, is_first_players_turn, play_on, start_of};
use support::sample::Sampler;
use support::window::{Window, browser};

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_games_fit_every_screen_in_both_themes_and_languages() {
    let app = TestApp::start().await;
    let handles = ["ann", "bob", "a-very-long-handle-of-a-player", "dora", "eve", "frank", "grace", "henry"];
    let mut players = Vec::new();
    for handle in handles {
        players.push(app.player(handle).await.unchecked());
    }
    let mut pages = Vec::new();
    for (rules, options, seats) in [
        ("pip-pip", json!({}), 2),
        ("serpent", json!({}), 2),
        ("pippinzip", json!({"size": 11}), 2),
        ("dominion", json!({"size": 5}), 8),
    ] {
        let seated: Vec<_> = players.iter().take(seats).collect();
        let (game, page) = start_of(&seated, rules, options, false).await;
        let enough = |now: &serde_json::Value| is_first_players_turn(now, 9);
        play_on(&game, &players[..seats], &mut Sampler::new(11), enough).await;
        players[1]
            .post(
                &format!("{game}/messages"),
                &json!({"text": "Your move. I have a good feeling about this one."}),
            )
            .await;
        pages.push((rules, page));
    }
    let url = app.url.clone();
    in_browser(move || {
        let folder = std::env::var("PIPPOST_PICTURES").ok();
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        // By width, height, and whether the page is dark.
        let english: &[Look] = &[
            ("wide", 1280, 900, false),
            ("dark", 1280, 900, true),
            ("tablet", 768, 1024, false),
            ("phone", 360, 740, false),
            ("phone-dark", 320, 640, true),
        ];
        let german: &[Look] =
            &[("de-wide", 1280, 900, false), ("de-tablet", 768, 1024, false), ("de-phone", 320, 640, false)];
        for (language, looks) in [("en", english), ("de", german)] {
            window.speak(language);
            for (rules, page) in &pages {
                for look in looks {
                    look_at(&window, rules, page, *look, folder.as_deref());
                }
            }
        }
    })
    .await;
}

type Look = (&'static str, u32, u32, bool);

/// Looks at a game's pages, and keeps pictures of them in the folder.
fn look_at(
    window: &Window,
    rules: &str,
    page: &str,
    (look, width, height, dark): Look,
    folder: Option<&str>,
) {
    window.look(width, height, dark);
    for (what, path) in [
        ("game", page.to_owned()),
        ("replay", format!("{page}/replay")),
        ("analysis", format!("{page}/analysis?seq=2")),
    ] {
        window.go(&path);
        if what == "game" && look == "wide" {
            let first = window.targets().first().cloned().expect("something to pick");
            window.pick(&first);
        }
        assert!(window.fits(), "{what} of {rules}, {look}");
        let keep = |what: &str| {
            if let Some(folder) = folder {
                window.keep_picture(&Path::new(folder).join(format!("{rules}-{what}-{look}.png")));
            }
        };
        keep(what);
        if what == "game" && look.contains("phone") {
            window.offline(true);
            window.wait("!document.getElementById('connection').hidden");
            assert!(window.fits(), "{what} of {rules} without a connection, {look}");
            keep("offline");
            window.offline(false);
        }
    }
}
