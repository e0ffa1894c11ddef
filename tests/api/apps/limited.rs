//! Tokens for one game: of apps and personal ones.

use serde_json::json;

use support::apps;
use support::games::{open_game, pip_pip, pip_pip_again};
use support::{Client, TestApp};

fn id_of(game: &str) -> &str {
    game.rsplit('/').next().expect("an id")
}

/// A personal token and an app's token with these scopes, for that game only.
async fn tokens_for(app: &TestApp, ann: &Client, game: &str, scopes: &[&str]) -> [Client; 2] {
    let id = id_of(game);
    let wanted = json!({"name": "one game", "scopes": scopes, "game": id});
    let made = ann.post("/api/v1/me/tokens", &wanted).await.expect_status(201).json();
    assert_eq!(made["game"], id);
    let personal = Client::new(&app.url, made["token"].as_str().map(str::to_owned));
    let client_id = apps::register(ann).await;
    let tokens = apps::tokens(app, &client_id, &format!("{} game:{id}", scopes.join(" ")), "ann").await;
    assert_eq!(tokens["scope"], format!("{} game:{id}", scopes.join(" ")));
    [personal, apps::client(app, &tokens)]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_for_one_game_plays_that_game_and_nothing_else() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let other = pip_pip_again(&ann, &bob).await;
    let private = bob.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await;
    let private =
        format!("/api/v1/games/{}", private.expect_status(201).json()["id"].as_str().expect("an id"));
    open_game(&bob).await;
    for bot in tokens_for(&app, &ann, &game, &["read", "play", "manage"]).await {
        assert_eq!(bot.get(&game).await.ok()["my_seat"], 0);
        bot.get(&format!("{game}/events")).await.ok();
        bot.post(&format!("{game}/messages"), &json!({"text": "hello"})).await.expect_status(201);
        for path in [
            other.as_str(),
            private.as_str(),
            format!("{other}/events").as_str(),
            format!("{other}/board.png").as_str(),
            format!("{other}/actions").as_str(),
            "/api/v1/me",
            "/api/v1/me/mails",
            "/api/v1/me/next",
            "/api/v1/me/invitations",
            "/api/v1/me/records.zip",
            "/api/v1/me/notification-preferences",
        ] {
            bot.get(path).await.problem(403, "token_limited");
        }
        bot.post(&format!("{other}/resign"), &json!({})).await.problem(403, "token_limited");
        bot.post(&format!("{other}/moves"), &json!({})).await.problem(403, "token_limited");
        bot.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.problem(403, "token_limited");
        for (list, shown) in [
            ("games?list=mine", 1),
            ("games?list=running", 1),
            ("games?list=open", 0),
            ("games?list=finished", 0),
            ("players/ann/games", 1),
        ] {
            let found = bot.get(&format!("/api/v1/{list}")).await.ok();
            let games = found["games"].as_array().expect("a list");
            assert_eq!(games.len(), shown, "{list}");
            assert!(games.iter().all(|found| found["id"] == id_of(&game)));
        }
        // What anybody may ask needs no token, and takes none.
        bot.get("/api/v1/rules").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_of_the_other_game_cannot_be_written_so_that_it_passes() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let other = pip_pip_again(&ann, &bob).await;
    let (id, other) = (id_of(&game).to_owned(), id_of(&other).to_owned());
    let bot = tokens_for(&app, &ann, &game, &["read", "play"]).await[1].unchecked();
    for path in [
        format!("/api/v1/games/{}", other.to_uppercase()),
        format!("/api/v1/games/{}", other.replace('-', "")),
        format!("/api/v1/games/{}", other.replace('-', "%2d")),
        format!("/api/v1/games/{}/events", other.replace('-', "%2D")),
        format!("/api/v1/%67ames/{other}"),
        format!("/api/v1/games/{other}/events?id={id}"),
        format!("/api/v1/games/{id}/../{other}"),
        format!("/api/v1/games//{other}"),
        format!("/api/v1/games/{id}%2f..%2f{other}"),
    ] {
        let answer = bot.get(&path).await;
        assert!(matches!(answer.status.as_u16(), 403 | 404), "{path}: {} {}", answer.status, answer.text());
        assert!(!answer.text().contains("\"players\""), "{path}");
    }
    // The own game may be written in any way that names it.
    bot.get(&format!("/api/v1/games/{}", id.to_uppercase())).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_limited_to_a_game_of_the_player_and_to_scopes_that_mean_something_there() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let bobs = open_game(&bob).await;
    let wanted = |scopes: &[&str], game: &str| json!({"name": "x", "scopes": scopes, "game": game});
    for foreign in [id_of(&bobs), "01a1fe2a-89df-7515-9c5d-9fde96828ff2"] {
        let refused =
            ann.post("/api/v1/me/tokens", &wanted(&["read"], foreign)).await.problem(404, "not_found");
        assert_eq!(refused["field"], "game");
    }
    let mail = ann.post("/api/v1/me/tokens", &wanted(&["read", "mail"], id_of(&game))).await;
    assert_eq!(mail.problem(409, "scopes_not_possible")["field"], "scopes");
    let client_id = apps::register(&ann).await;
    let scope = format!("read game:{}", id_of(&bobs));
    let page = apps::open(&app, &apps::request(&client_id, &scope, &[])).await;
    let answer = apps::allow(&app, &page, "ann").await;
    assert!(answer.expect_status(422).text().contains("You are not in the game"));
    assert_eq!(apps::sent_to(&answer), None);
    // The page is still good for who is in it.
    assert!(apps::sent_to(apps::allow(&app, &page, "bob").await.expect_status(200)).is_some());
}
