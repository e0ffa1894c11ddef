//! The page of a game for the player whom the link in a mail names.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pippost::store::schema::players;
use reqwest::header::ACCEPT_LANGUAGE;
use serde_json::json;

use crate::games::pip_pip;
use crate::support::TestApp;
use crate::support::client::Answer;

/// The address of the page of a game in a player's eyes, as mails name it.
async fn link(app: &TestApp, game: &str, handle: &str) -> String {
    let mut connection = app.app.database.get().await.expect("a connection");
    let player = players::table.filter(players::handle.eq(handle)).select(players::id);
    let player = player.first(&mut connection).await.expect("a player");
    let id = game.rsplit('/').next().expect("an id").parse().expect("an id");
    format!("/games/{id}?token={}", app.app.games.look_token(id, player))
}

async fn page(app: &TestApp, path: &str, language: &str) -> String {
    let headers = [(ACCEPT_LANGUAGE.as_str(), language)];
    let page: Answer = app.guest().unchecked().send(reqwest::Method::GET, path, None, &headers).await;
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
    let wishes = json!({"language": "de", "zone": "Europe/Berlin"});
    ann.patch("/api/v1/me/wishes", &wishes).await.ok();
    let german = page(&app, &anns, "en").await;
    for words in
        ["Du bist am Zug", "Uhr (CET)", "board.svg?language=de&amp;token=", "noch 8 Würfel, Lager leer"]
    {
        assert!(german.contains(words), "{words}: {german}");
    }
    let english = page(&app, &bobs, "en").await;
    for words in
        ["It is the turn of ann", " UTC", "board.svg?language=en&amp;token=", "8 dice to place, store empty"]
    {
        assert!(english.contains(words), "{words}: {english}");
    }
    let id = game.rsplit('/').next().expect("an id");
    let picture = |language| format!("/api/v1/games/{id}/board.svg?language={language}");
    assert!(app.guest().get(&picture("de")).await.text().contains("hell, noch 8"));
    assert!(app.guest().get(&picture("en")).await.text().contains("light, 8 to place"));
}
