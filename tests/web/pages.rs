//! The page of a game for the player named by a mail's link.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pippost::rules::cards::Card;
use pippost::store::schema::players;
use reqwest::header::ACCEPT_LANGUAGE;
use serde_json::json;

use pippost::games::viewing;
use support::TestApp;
use support::client::Answer;
use support::games::pip_pip;

/// The URL of a game's page for a player, as in mails.
async fn link(app: &TestApp, game: &str, handle: &str) -> String {
    let mut connection = app.app.database.get().await.expect("a connection");
    let player = players::table.filter(players::handle.eq(handle)).select(players::id);
    let player = player.first(&mut connection).await.expect("a player");
    let id = game.rsplit('/').next().expect("an id").parse().expect("an id");
    let seq = app.stranger().get(game).await.ok()["seq"].as_u64().expect("a game that runs");
    format!("/games/{id}?token={}", viewing::look_token(&app.app.games, id, player, seq.into()))
}

async fn page(app: &TestApp, path: &str, language: &str) -> String {
    let headers = [(ACCEPT_LANGUAGE.as_str(), language)];
    let page: Answer = app.stranger().unchecked().send(reqwest::Method::GET, path, None, &headers).await;
    page.expect_status(200).text()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_tells_only_its_own_reader_that_mails_came_back() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let (anns, bobs) = (link(&app, &game, "ann").await, link(&app, &game, "bob").await);
    let nobodys = anns.split('?').next().expect("a path").to_owned();
    for path in [&anns, &bobs, &nobodys] {
        assert!(!page(&app, path, "en").await.contains("came back"), "{path}");
    }
    let mut connection = app.app.database.get().await.expect("a connection");
    let ann = players::table.filter(players::handle.eq("ann"));
    let bounced = players::email_bounced_at.eq(Some(app.app.clock.now()));
    diesel::update(ann).set(bounced).execute(&mut connection).await.expect("an update");
    assert!(page(&app, &anns, "en").await.contains("Mails to your address came back"));
    assert!(page(&app, &anns, "de").await.contains("sind zurückgekommen"));
    for path in [&bobs, &nobodys] {
        assert!(!page(&app, path, "en").await.contains("came back"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_speaks_its_readers_language_and_shows_the_readers_time() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let (anns, bobs) = (link(&app, &game, "ann").await, link(&app, &game, "bob").await);
    let preferences = json!({"language": "de", "zone": "Europe/Berlin"});
    ann.patch("/api/v1/me/notification-preferences", &preferences).await.ok();
    let german = page(&app, &anns, "en").await;
    for words in ["Du bist am Zug", "Uhr (CET)", "hell, noch 8", "noch 8 Würfel, Lager leer"] {
        assert!(german.contains(words), "{words}: {german}");
    }
    let english = page(&app, &bobs, "en").await;
    for words in ["It is the turn of ann", " UTC", "light, 8 to place", "8 dice to place, store empty"] {
        assert!(english.contains(words), "{words}: {english}");
    }
    let id = game.rsplit('/').next().expect("an id");
    let picture = |language| format!("/api/v1/games/{id}/board.svg?language={language}");
    assert!(app.stranger().get(&picture("de")).await.text().contains("hell, noch 8"));
    assert!(app.stranger().get(&picture("en")).await.text().contains("light, 8 to place"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_shows_no_hidden_card_opens_a_private_game_and_ends_with_the_next_event() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "serpent", "seating": "joined", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({"invitation": created["invitation"]})).await.ok();
    let id = game.rsplit('/').next().expect("an id").parse().expect("an id");
    let mut connection = app.app.database.get().await.expect("a connection");
    let player =
        players::table.filter(players::handle.eq("ann")).select(players::id).first(&mut connection).await;
    let token = viewing::look_token(&app.app.games, id, player.expect("ann"), 0.into());
    let own = ann.get(&game).await.ok();
    let hand: Vec<String> = own["view"]["hands"][0]["hidden"]
        .as_array()
        .expect("her cards")
        .iter()
        .map(|card| card.as_str().expect("a card").to_owned())
        .collect();
    assert_eq!(hand.len(), 9);
    let shown = app.stranger().get(&format!("{game}?token={token}")).await.ok();
    assert!(shown["view"]["hands"][0]["hidden"].is_null() && shown["my_seat"].is_null(), "{shown}");
    let page = page(&app, &format!("/games/{id}?token={token}"), "en").await;
    assert!(page.contains("your turn"), "{page}");
    let board = page
        .split("id=\"board-text\">")
        .nth(1)
        .expect("a board")
        .split("</pre>")
        .next()
        .expect("its end")
        .to_owned();
    assert!(!hand.iter().any(|card| board.contains(card.as_str())), "{board}");
    // In words, because the picture's colours may look like names of cards.
    let named: Vec<String> = hand.iter().map(|card| card.parse::<Card>().expect("a card").name()).collect();
    // The rules beside the game name cards, too.
    let table = page.split("<section id=\"rules\"").next().expect("the game");
    assert!(!named.iter().any(|card| table.contains(card)) && !page.contains("data-target"), "{page}");
    let svg = app.stranger().get(&format!("{game}/board.svg?token={token}")).await.text();
    assert!(!named.iter().any(|card| svg.contains(card)), "{svg}");
    let (own_board, own_svg) = (
        ann.get(&format!("{game}/board.txt")).await.text(),
        ann.get(&format!("{game}/board.svg")).await.text(),
    );
    assert!(hand.iter().all(|card| own_board.contains(card.as_str())), "{own_board}");
    assert!(named.iter().all(|card| own_svg.contains(card)), "{own_svg}");
    let give = json!({"actions": [{"type": "give", "cards": &hand[..3]}], "expected_seq": 0});
    ann.post(&format!("{game}/moves"), &give).await.expect_status(200);
    app.stranger().get(&format!("{game}?token={token}")).await.problem(404, "not_found");
    let headers = [(ACCEPT_LANGUAGE.as_str(), "en")];
    let ended: Answer = app
        .stranger()
        .unchecked()
        .send(reqwest::Method::GET, &format!("/games/{id}?token={token}"), None, &headers)
        .await;
    assert!(ended.expect_status(404).text().contains("has ended"));
}
