//! Chances before a game, and figures of rule sets and players, as pages tell them.

use diesel_async::SimpleAsyncConnection;
use serde_json::{Value, json};
use time::{Duration, UtcOffset};

use support::browsing::Browsing;
use support::games::timed_game;
use support::{Client, PASSWORD, TestApp};

/// Ratings of players in a class of people's games, after the day before the test begins.
async fn db_rated(app: &TestApp, rules: &str, ratings: &[(&str, u32, u32)]) {
    let mut connection = app.app.database.get().await.expect("a connection");
    let day = app.app.clock.now().to_offset(UtcOffset::UTC).date().previous_day().expect("a day");
    for (handle, rating, deviation) in ratings {
        let row = format!(
            "insert into player_ratings select id, 'people', '{rules}', 'slow', '{day}', {rating}000, {deviation}000, 60000000, 9, true \
             from players where handle = '{handle}'"
        );
        connection.batch_execute(&row).await.expect("a row");
    }
}

/// A game that waits for a player more: its page.
async fn waiting(client: &Client, more: Value) -> String {
    let mut wanted = json!({"rules": "pip-pip", "limit_hours": 72});
    wanted.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let created = client.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let token = created["invitation"].as_str().map(|token| format!("?token={token}")).unwrap_or_default();
    format!("/games/{}{token}", created["id"].as_str().expect("an id"))
}

async fn shown(browser: &Browsing, page: &str) -> String {
    browser.get(page).await.expect(200).html
}

const HINT: &str = "The game will be rated.";

#[tokio::test(flavor = "multi_thread")]
async fn chances_of_a_rated_game_are_told_to_who_looks_and_who_would_join() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for handle in ["bob", "carol"] {
        app.player(handle).await;
    }
    // As docs/RATINGS.md has it: g of the deviation √(90² + 120²) = 150 is 0.9029, and 1 / (1 + exp(-0.9029 · 200 / 173.7178)) = 0.739.
    db_rated(&app, "pip-pip", &[("ann", 1700, 90), ("bob", 1500, 120)]).await;
    let page = waiting(&ann, json!({})).await;
    let (bobs, carols) = (Browsing::log_in(&app, "bob").await, Browsing::log_in(&app, "carol").await);
    let html = shown(&bobs, &page).await;
    for told in ["74% to win", "If you join, your chance of winning is 26%.", HINT] {
        assert!(html.contains(told), "{told}: {html}");
    }
    let html = shown(&carols, &page).await;
    assert!(html.contains(HINT) && !html.contains("% to win") && !html.contains("your chance"), "{html}");
    let html = shown(&Browsing::of(&app), &page).await;
    assert!(html.contains(HINT) && !html.contains("% to win"), "one alone has no chance to tell: {html}");
    let chances = format!("/api/v1{page}/chances");
    let told = app.log_in("bob").await.get(&chances).await.ok();
    let chance = |one: &Value| (one["chance"].as_f64().expect("a chance") * 1000.0).round();
    assert_eq!((chance(&told["chances"][0]), chance(&told["me"])), (739.0, 261.0), "{told}");
    assert_eq!((&told["rated"], &told["chances"][0]["handle"]), (&json!(true), &json!("ann")), "{told}");
    assert_eq!(told["me"]["handle"], "bob");
    let alone =
        json!({"rated": true, "me": null, "chances": [{"handle": "ann", "rated": true, "chance": null}]});
    assert_eq!(app.stranger().get(&chances).await.ok(), alone);
    let german = shown(&Browsing::log_in(&app, "bob").await.reading("de"), &page).await;
    assert!(german.contains("Wenn du mitspielst, gewinnst du zu 26 %."), "{german}");

    // Of another pace, rule set, or of nobody else.
    for more in [json!({"limit_hours": 24}), json!({"rules": "serpent"}), json!({"private": true})] {
        let html = shown(&bobs, &waiting(&ann, more.clone()).await).await;
        assert!(!html.contains("% to win") && !html.contains("your chance"), "{more}: {html}");
        assert_eq!(html.contains(HINT), more.get("private").is_none(), "{more}: {html}");
        assert_eq!(html.contains("no rating yet"), more.get("private").is_none(), "{more}: {html}");
    }
    // Whoever hides a rating hides it here, too.
    let hidden = json!({"ratings": false});
    app.log_in("ann").await.patch("/api/v1/me/notification-preferences", &hidden).await.ok();
    let html = shown(&bobs, &page).await;
    assert!(html.contains("no rating yet") && !html.contains("% to win"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_more_players_has_a_chance_for_each() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let (bob, carol) = (app.player("bob").await, app.player("carol").await);
    db_rated(&app, "dominion", &[("ann", 1500, 80), ("bob", 1600, 80), ("carol", 1700, 80)]).await;
    let page = waiting(&ann, json!({"rules": "dominion", "options": {"size": 4}, "seats": 4})).await;
    for player in [bob, carol] {
        player.post(&format!("/api/v1{page}/join"), &json!({})).await.ok();
    }
    let html = shown(&Browsing::of(&app), &page).await;
    // g is 0.9412 for all: 1, exp(0.9412 · 100 / 173.7178) = 1.7191 and 1.7191² = 2.9552, of 5.6743.
    let told: Vec<&str> =
        ["18% to win", "30% to win", "52% to win"].into_iter().filter(|one| html.contains(one)).collect();
    assert_eq!(told.len(), 3, "{told:?}: {html}");
    let at = |text: &str| html.find(text).expect("told above");
    assert!(at("18% to win") < at("30% to win") && at("30% to win") < at("52% to win"), "in joining order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_tells_no_chances() {
    let app = TestApp::sandbox().await;
    let ann = app.player("ann").await;
    app.player("bob").await;
    db_rated(&app, "pip-pip", &[("ann", 1700, 90), ("bob", 1500, 120)]).await;
    let page = waiting(&ann, json!({})).await;
    let html = shown(&Browsing::log_in(&app, "bob").await, &page).await;
    assert!(!html.contains(HINT) && !html.contains("% to win"), "{html}");
}

/// A game between two that takes so many minutes, until the second one resigns; the first one sits in the first seat.
async fn lost_by_second(app: &TestApp, handles: [&str; 2], minutes: i64) -> String {
    let (first, second) = (app.log_in(handles[0]).await, app.log_in(handles[1]).await);
    let game = timed_game([&first, &second], &json!({"limit_hours": 720})).await;
    app.app.clock.advance(Duration::minutes(minutes));
    app.log_in(handles[1]).await.post(&format!("{game}/resign"), &json!({})).await.ok();
    game
}

/// The same, until the first one resigns.
async fn lost_by_first(app: &TestApp, handles: [&str; 2]) {
    let (first, second) = (app.log_in(handles[0]).await, app.log_in(handles[1]).await);
    let game = timed_game([&first, &second], &json!({"limit_hours": 720})).await;
    first.post(&format!("{game}/resign"), &json!({})).await.ok();
}

/// The rows of tables without their marks.
fn rows(html: &str) -> Vec<Vec<String>> {
    let cells = |row: &str| {
        let parts = row.split("<td>").skip(1).filter_map(|part| part.split("</td>").next());
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    html.split("<th scope=\"row\">").skip(1).filter_map(|row| row.split("</tr>").next()).map(cells).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_rule_set_tells_how_its_games_go() {
    let app = TestApp::start().await;
    for handle in ["ann", "bob"] {
        app.player(handle).await;
    }
    let robot = json!({"handle": "robot", "email": "robot@example.org", "password": PASSWORD, "bot": true});
    app.stranger().post("/api/v1/accounts", &robot).await.expect_status(201);
    let visitor = Browsing::of(&app);
    let html = shown(&visitor, "/rules/serpent").await;
    assert!(html.contains("No public game is over yet."), "{html}");
    for minutes in [90, 30 * 60 - 30, 60 * 60] {
        lost_by_second(&app, ["ann", "bob"], minutes).await;
    }
    lost_by_first(&app, ["ann", "bob"]).await;
    lost_by_first(&app, ["robot", "bob"]).await;
    // Neither an aborted nor a private game counts.
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let aborted = timed_game([&ann, &bob], &json!({})).await;
    bob.post(&format!("{aborted}/abort"), &json!({})).await.ok();
    let wanted = json!({"rules": "pip-pip", "private": true, "seating": "joined"});
    let private = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", private["id"].as_str().expect("an id"));
    bob.post(&format!("{path}/join"), &json!({"invitation": private["invitation"]})).await.ok();
    bob.post(&format!("{path}/resign"), &json!({})).await.ok();

    let html = shown(&visitor, "/rules/pip-pip").await;
    let figures = rows(&html);
    assert_eq!(figures.len(), 2, "{html}");
    // Three of four; after 1.5, 29.5 and 60 hours, and at once; one event each after the start.
    assert_eq!(
        figures[0],
        ["4", "75% (even: 50%)", "0%", "1 (1 to 1)", "2 hours (less than a minute to 30 hours)"],
        "{html}"
    );
    assert_eq!(figures[1][..2], ["1", "0% (even: 50%)"], "with a program: {html}");
    let captions: Vec<&str> =
        html.split("<caption>").skip(1).filter_map(|one| one.split('<').next()).collect();
    assert_eq!(captions, ["People", "With programs"]);

    app.app.clock.advance(Duration::minutes(11));
    lost_by_second(&app, ["bob", "ann"], 1).await;
    assert_eq!(rows(&shown(&visitor, "/rules/pip-pip").await)[0][0], "5", "counted anew after ten minutes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_s_page_of_figures_tells_opponents_best_victories_and_times_of_day() {
    let app = TestApp::start().await;
    for handle in ["ann", "bob", "carol", "dora"] {
        app.player(handle).await;
    }
    db_rated(&app, "pip-pip", &[("bob", 1800, 90), ("carol", 1900, 90), ("dora", 2000, 111)]).await;
    let visitor = Browsing::of(&app);
    let html = shown(&visitor, "/players/ann/statistics").await;
    assert!(html.contains("No public game is over yet.") && !html.contains("class=\"hours\""), "{html}");
    let over_bob = lost_by_second(&app, ["ann", "bob"], 0).await;
    lost_by_second(&app, ["bob", "ann"], 0).await;
    lost_by_second(&app, ["ann", "bob"], 0).await;
    let over_carol = lost_by_second(&app, ["ann", "carol"], 0).await;
    lost_by_first(&app, ["dora", "ann"]).await;
    lost_by_first(&app, ["ann", "dora"]).await;

    let html = shown(&visitor, "/players/ann/statistics").await;
    assert!(html.contains("6 of them are over"), "{html}");
    assert_eq!(rows(&html), [["2", "0", "1"], ["1", "0", "1"], ["1", "0", "0"]], "bob, dora, carol: {html}");
    let best: Vec<&str> =
        html.split("<li><a href=\"").skip(1).filter_map(|one| one.split("</a>").next()).collect();
    let best: Vec<String> = best.into_iter().map(|one| one.replace("&#x2f;", "/")).collect();
    assert!(
        html.contains("1900 ± 90") && !html.contains("2000 ± 111"),
        "provisional ones say little: {html}"
    );
    let of = |game: &str, handle: &str| format!("{}\">Pip•Pip: {handle}", game.trim_start_matches("/api/v1"));
    assert!(best.contains(&of(&over_carol, "carol")), "{best:?}");
    let (carol, bob) = (html.find("1900 ± 90").expect("carol"), html.find("1800 ± 90").expect("bob"));
    assert!(carol < bob && html.matches("1800 ± 90").count() == 1, "the highest first, each once: {html}");
    assert!(!best.contains(&of(&over_bob, "bob")), "of two the newer one: {best:?}");
    // Ann has resigned twice.
    let hour = app.app.clock.now().to_offset(UtcOffset::UTC).hour();
    let told = format!("Most moves: {hour} to {} o’clock (2).", hour + 1);
    assert!(html.contains(&told) && html.contains("by the hours of UTC"), "{told}: {html}");
    assert_eq!(html.matches("<rect").count(), 1, "{html}");
    let profile = shown(&visitor, "/players/ann").await;
    assert!(profile.replace("&#x2f;", "/").contains("href=\"/players/ann/statistics\""), "{profile}");
    visitor.get("/players/nobody/statistics").await.expect(404);
}
