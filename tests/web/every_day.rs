//! What brings players back: feeds by a private address, the number of waiting games, unread messages, search and filters.

use reqwest::Method;
use serde_json::{Value, json};

use support::browsing::{Browsing, Shown};
use support::game_page::start;
use support::games::{pip_pip, pip_pip_again, timed_game};
use support::{Client, TestApp};

/// The addresses of the feeds on the page of the preferences, as paths.
pub async fn feeds(browser: &Browsing) -> [String; 2] {
    let html = browser.get("/preferences/access").await.expect(200).html.replace("&#x2f;", "/");
    ["turns", "deadlines"].map(|kind| {
        let shown = html.split(&format!("id=\"feed-{kind}\">")).nth(1).expect("an address");
        let address = shown.split('<').next().expect("its end");
        format!("/feeds/{}", address.split_once("/feeds/").expect("a path").1)
    })
}

fn kind(shown: &Shown) -> &str {
    shown.headers["content-type"].to_str().expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_tell_of_turns_and_deadlines_by_a_private_address_that_can_be_made_anew() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 72})).await;
    let id = game.rsplit('/').next().expect("an id");
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let [rss, ics] = feeds(&anns).await;
    // A reader of feeds has no cookie.
    let reader = Browsing::of(&app);
    let turns = reader.get(&rss).await.expect(200);
    assert!(kind(&turns).starts_with("application/rss+xml"), "{}", kind(&turns));
    assert!(
        turns.html.contains("Pip•Pip: ann – bob: it is your turn") && turns.html.contains(id),
        "{}",
        turns.html
    );
    assert!(turns.html.contains("You have time until Tuesday 24 November 2026"), "{}", turns.html);
    let calendar = reader.get(&ics).await.expect(200);
    assert!(kind(&calendar).starts_with("text/calendar"), "{}", kind(&calendar));
    for line in
        ["BEGIN:VCALENDAR\r\n", "DTSTART:20261124T", "SUMMARY:Pip•Pip: ann – bob: your time runs out\r\n"]
    {
        assert!(calendar.html.contains(line), "{line}: {}", calendar.html);
    }
    assert!(calendar.html.split("\r\n").all(|line| line.len() <= 75), "{}", calendar.html);
    // What has not changed is not sent again.
    let tag = turns.headers["etag"].to_str().expect("text");
    reader.send(Method::GET, &rss, None, &[("if-none-match", tag)]).await.expect(304);
    let of_bob = feeds(&bobs).await;
    let nothing = reader.get(&of_bob[0]).await.expect(200).html;
    assert!(!nothing.contains("<item>"), "{nothing}");
    // Nothing but the whole token opens a feed.
    let token = rss.split_once("token=").expect("a token").1;
    let bobs_token = of_bob[0].split_once("token=").expect("a token").1;
    let mixed = format!("{}{}", &bobs_token[..26], &token[26..]);
    for wrong in ["", "ppf_", "x", &token[..token.len() - 2], &mixed, &format!("{token}AA")] {
        reader.get(&format!("/feeds/turns.rss?token={wrong}")).await.expect(404);
    }
    // The cookie does not replace it, and the token opens nothing else.
    anns.get("/feeds/turns.rss").await.expect(404);
    let bearer = format!("Bearer {token}");
    let asked = reader.send(Method::GET, "/api/v1/me", None, &[("authorization", &bearer)]).await;
    assert_eq!(asked.status, 401);
    // Nobody is told of a token in a message at the table.
    let said = ann.post(&format!("{game}/messages"), &json!({"text": format!("look: {token}")})).await;
    said.problem(409, "message_refused");
    anns.get("/preferences/access").await.expect(200);
    let renewed = anns.post("/preferences/renew-feeds", &[]).await;
    assert_eq!(renewed.location(), "/preferences/access?done=feeds#feeds");
    reader.get(&rss).await.expect(404);
    let [anew, _] = feeds(&anns).await;
    assert_ne!(anew, rss);
    reader.get(&anew).await.expect(200);
    reader.get(&of_bob[0]).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_feed_shows_what_is_hidden_in_a_game() {
    let app = TestApp::start().await;
    let (game, _, [ann, _]) = start(&app, "serpent", json!({})).await;
    let own = ann.get(&game).await.ok();
    let hand: Vec<String> = serde_json::from_value(own["view"]["hands"][0]["hidden"].clone()).expect("cards");
    let anns = Browsing::log_in(&app, "ann").await;
    for address in feeds(&anns).await {
        let text = Browsing::of(&app).get(&address).await.expect(200).html;
        assert!(text.contains("Serpent: ann – bob"), "{text}");
        // A long line goes on after a blank.
        let plain = text.replace("\r\n ", "").replace(address.split_once("token=").expect("a token").1, "");
        assert!(hand.iter().all(|card| !plain.contains(&format!(" {card}"))), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_waiting_games_is_told_to_whose_they_are() {
    let app = TestApp::start().await;
    let (_, [ann, bob]) = pip_pip(&app).await;
    pip_pip_again(&ann, &bob).await;
    for (handle, waiting) in [("ann", 2), ("bob", 0)] {
        let counted = Browsing::log_in(&app, handle).await.get("/my-games/waiting").await.expect(200).html;
        assert_eq!(serde_json::from_str::<Value>(&counted).expect("JSON"), json!({ "waiting": waiting }));
    }
    Browsing::of(&app).get("/my-games/waiting").await.expect(303);
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_count_the_messages_that_were_not_shown_yet() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let page = game.trim_start_matches("/api/v1").to_owned();
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let cards = async |browser: &Browsing| browser.get("/my-games").await.expect(200).html;
    assert!(!cards(&anns).await.contains("new message"));
    for text in ["hello", "are you there?"] {
        bob.post(&format!("{game}/messages"), &json!({ "text": text })).await.expect_status(201);
    }
    assert!(cards(&anns).await.contains("2 new messages"));
    assert!(!cards(&bobs).await.contains("new message"), "they are his own");
    anns.get(&page).await.expect(200);
    assert!(!cards(&anns).await.contains("new message"));
    ann.post(&format!("{game}/messages"), &json!({"text": "yes"})).await.expect_status(201);
    assert!(cards(&bobs).await.contains("1 new message"));
    // Somebody who only watches has nothing read for others.
    Browsing::of(&app).get(&page).await.expect(200);
    assert!(cards(&bobs).await.contains("1 new message"));
}

#[tokio::test(flavor = "multi_thread")]
async fn players_are_found_by_the_first_letters_and_games_by_number_and_address() {
    let (app, _) = TestApp::start().await.with_house_bot().await;
    let (game, _) = pip_pip(&app).await;
    let page = game.trim_start_matches("/api/v1").to_owned();
    app.player("anna_b").await;
    // A guest has a name, too.
    let guest = Browsing::of(&app);
    guest.get("/").await.expect(200);
    guest.post("/play", &[("rules", "pip-pip")]).await.expect(303);
    let anns = Browsing::log_in(&app, "ann").await;
    let found = async |wanted: &str| {
        let html = anns.get(&format!("/search?q={wanted}")).await.expect(200).html.replace("&#x2f;", "/");
        let names = html.split("<h3><a href=\"/players/").skip(1);
        names.map(|rest| rest.split('"').next().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("ANN").await, ["ann", "anna_b"]);
    assert_eq!(found("anna_").await, ["anna_b"]);
    assert_eq!(found("bo").await, ["bob"]);
    for nobody in ["", "%25", "_nn", "a%25", "%27", "guest", "zzz", &"a".repeat(500)] {
        assert_eq!(found(nobody).await, Vec::<String>::new(), "{nobody}");
    }
    for address in
        ["%231", "1", &format!("https://games.example{page}%3Fseq=1"), page.trim_start_matches("/games/")]
    {
        assert_eq!(anns.get(&format!("/search?q={address}")).await.expect(303).location(), page, "{address}");
    }
    // Numbers are each player's own.
    Browsing::of(&app).get("/search?q=%231").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn my_games_are_filtered_by_opponent_rules_and_pace() {
    let app = TestApp::start().await;
    let (ann, bob, cat) = (app.player("ann").await, app.player("bob").await, app.player("cat").await);
    timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    timed_game([&ann, &cat], &json!({"limit_hours": 96})).await;
    timed_game([&ann, &cat], &json!({"limit_hours": null})).await;
    let anns = Browsing::log_in(&app, "ann").await;
    let games = async |query: &str| {
        let html = anns.get(&format!("/my-games?{query}")).await.expect(200).html;
        html.matches("<li class=\"game").count()
    };
    for (query, count) in [
        ("", 3),
        ("opponent=bob", 1),
        ("opponent=CAT", 2),
        ("opponent=nobody", 0),
        ("opponent=%22%3E", 0),
        ("rules=pip-pip", 3),
        ("rules=serpent", 0),
        ("rules=none", 3),
        ("pace=fast", 1),
        ("pace=days", 1),
        ("pace=slow", 1),
        ("opponent=cat&pace=slow&rules=pip-pip", 1),
        ("opponent=bob&pace=slow", 0),
    ] {
        assert_eq!(games(query).await, count, "{query}");
    }
    let html = anns.get("/my-games?opponent=nobody").await.expect(200).html;
    assert!(html.contains("There is nobody called nobody here."), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_is_narrowed_by_player_pace_and_rules() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let open = async |player: &Client, rules: &str, hours: Value, private: bool| {
        let control = json!({ "limit_hours": hours });
        let wanted = json!({"rules": rules, "private": private, "time_control": control});
        player.post("/api/v1/games", &wanted).await.expect_status(201).json();
    };
    open(&ann, "pip-pip", json!(24), false).await;
    open(&ann, "serpent", json!(96), false).await;
    open(&bob, "pip-pip", json!(null), false).await;
    open(&bob, "pip-pip", json!(24), true).await;
    timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let stranger = Browsing::of(&app);
    let lobby = async |query: &str| stranger.get(&format!("/games?{query}")).await.expect(200).html;
    for (query, count) in [
        ("", 3),
        ("opponent=ann", 2),
        ("opponent=+BOB+", 1),
        ("opponent=nobody", 0),
        ("opponent=%22%3E%25", 0),
        ("pace=fast", 1),
        ("pace=days", 1),
        ("pace=slow", 1),
        ("pace=none", 3),
        ("opponent=ann&pace=fast&rules=pip-pip", 1),
        ("opponent=bob&pace=fast", 0),
        // Only games that wait for players are narrowed so.
        ("status=running&opponent=nobody&pace=slow", 1),
    ] {
        let html = lobby(query).await;
        assert_eq!(html.matches("<li class=\"game").count(), count, "{query}");
    }
    let html = lobby("opponent=nobody&rules=pip-pip").await;
    assert!(html.contains("There is nobody called nobody here."), "{html}");
    assert!(html.contains("aria-invalid=\"true\"") && html.contains("value=\"nobody\""), "{html}");
    // What is chosen stays when another game is chosen.
    let html = lobby("opponent=ann&pace=fast").await.replace("&amp;", "&");
    assert!(html.contains("rules=serpent&opponent=ann&pace=fast\""), "{html}");
    assert!(html.contains("<option value=\"fast\" selected>"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_page_of_the_lobby_is_narrowed_as_the_first() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for _ in 0..21 {
        let wanted = json!({"rules": "pip-pip", "time_control": {"limit_hours": 24}});
        ann.post("/api/v1/games", &wanted).await.expect_status(201);
    }
    ann.post("/api/v1/games", &json!({"rules": "pip-pip", "time_control": {"limit_hours": 96}}))
        .await
        .expect_status(201);
    let stranger = Browsing::of(&app);
    let first = stranger.get("/games?opponent=ann&pace=fast").await.expect(200).html.replace("&amp;", "&");
    assert_eq!(first.matches("<li class=\"game").count(), 20);
    let more = first.split("href=\"").find(|part| part.contains("cursor=")).expect("a next page");
    let more = more.split('"').next().expect("its end").replace("&#x2f;", "/");
    assert!(more.contains("opponent=ann") && more.contains("pace=fast"), "{more}");
    let second = stranger.get(&more).await.expect(200).html;
    assert_eq!(second.matches("<li class=\"game").count(), 1, "{second}");
}
