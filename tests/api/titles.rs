//! Titles of games: plain text for everybody who may see the game.

use serde_json::{Value, json};

use support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_called_what_its_creator_calls_it_wherever_it_is_seen() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let title = "Sunday cup, round 2 – “ünïcode” 🎲";
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "game_title": title});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    assert_eq!((&created["game_title"], &created["title"]), (&json!(title), &json!("Pip•Pip")));
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let listed = app.stranger().get("/api/v1/games?list=open").await.ok();
    assert_eq!(listed["games"][0]["game_title"], title);
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    for client in [&ann, &bob, &app.stranger()] {
        assert_eq!(client.get(&game).await.ok()["game_title"], title);
    }
    // Another server reads it from the database.
    let other = app.second().await;
    assert_eq!(other.stranger().get(&game).await.ok()["game_title"], title);
    // The record is about the game alone.
    assert!(!app.stranger().get(&format!("{game}/record")).await.text().contains("Sunday"));
    let nameless = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    assert_eq!(nameless["game_title"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_is_one_bounded_line_that_shows_and_holds_no_secret() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let with = |title: &str| json!({"rules": "pip-pip", "private": true, "game_title": title});
    let secret = ann.post("/api/v1/games", &with("x")).await.expect_status(201).json();
    let token = secret["invitation"].as_str().expect("a token").to_owned();
    let long = "ü".repeat(61);
    for bad in ["a\nb", "a\u{85}b", "\u{202e}abc", "a\u{2066}b", "a\u{feff}", "a\u{ffff}", &long, &token] {
        let refused = ann.post("/api/v1/games", &with(bad)).await.problem(422, "invalid_value");
        assert_eq!(refused["field"], "game_title", "{bad:?}");
    }
    for good in [
        "x",
        &"ü".repeat(60),
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
        "کتاب\u{200c}ها",
        "'; drop table games",
    ] {
        let created = ann.post("/api/v1/games", &with(good)).await.expect_status(201).json();
        assert_eq!(created["game_title"], good);
    }
    for (given, kept) in
        [(" \u{a0}a b\u{200d} ", json!("a b")), ("", Value::Null), (" \u{200d}\u{3000}", Value::Null)]
    {
        let created = ann.post("/api/v1/games", &with(given)).await.expect_status(201).json();
        assert_eq!(created["game_title"], kept, "{given:?}");
    }
    ann.post("/api/v1/games", &json!({"rules": "pip-pip", "game_title": 7}))
        .await
        .problem(422, "invalid_value");
}
