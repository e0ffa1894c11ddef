//! Titles of games: plain text for everybody who may see the game.

use pippost::store::moderation::{self, Verdict};
use pippost::store::{Database, commit};
use serde_json::{Value, json};
use uuid::Uuid;

use support::{Client, TestApp};

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

/// The id of a report of this player.
async fn reported(database: &Database, by: &Client, handle: &str) -> Uuid {
    by.post("/api/v1/me/reports", &json!({"handle": handle, "reason": "insult"})).await.expect_status(204);
    moderation::open_reports(database, 1).await.expect("reports")[0].id
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_removes_a_title_for_everybody_and_gives_it_back() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let (database, now, other) = (&app.app.database, app.app.clock.now(), app.second().await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "game_title": "Rude words"});
    let mut games = Vec::new();
    for _ in 0..2 {
        let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
        games.push(created["id"].as_str().and_then(|id| id.parse::<Uuid>().ok()).expect("an id"));
    }
    let [running, waiting] = games[..] else { panic!("two") };
    bob.post(&format!("/api/v1/games/{running}/join"), &json!({})).await.ok();
    let title = async |game: Uuid| {
        let path = format!("/api/v1/games/{game}");
        let (here, there) = (app.stranger().get(&path).await.ok(), other.stranger().get(&path).await.ok());
        assert_eq!(here["game_title"], there["game_title"]);
        here["game_title"].clone()
    };
    assert_eq!(title(running).await, "Rude words");
    let of_bob = reported(database, &ann, "bob").await;
    let removed = async |report, game| {
        commit::remove_title(database, report, game, "Be kind.", now).await.expect("an answer")
    };
    assert_eq!(removed(of_bob, Some(running)).await, None, "he has not given it");
    assert!(
        moderation::decide(
            database,
            of_bob,
            &moderation::Decision { kind: moderation::ActKind::Dismissal, words: "", ends_at: None },
            now
        )
        .await
        .expect("a decision")
        .is_some(),
        "it still waited"
    );
    for game in [running, waiting] {
        let report = reported(database, &bob, "ann").await;
        assert_eq!(removed(report, None).await, None, "it names no game");
        let act = removed(report, Some(game)).await.expect("an act");
        assert_eq!(title(game).await, Value::Null);
        let found = app.stranger().get("/api/v1/games?list=open").await.text();
        assert_eq!(found.contains("Rude words"), game == running, "{found}");
        assert_eq!(removed(report, Some(game)).await, None, "once");
        let log = app.stranger().unchecked().get("/moderation").await.expect_status(200).text();
        assert!(log.contains("A text was removed") && !log.contains("Rude words"), "{log}");
        assert!(commit::judge(database, act, Verdict::Lifted, now).await.expect("a verdict"));
        assert_eq!(title(game).await, "Rude words");
    }
}
