//! `ETag`, `If-None-Match` and `If-Match`: what a client has need not be sent again, tags tell nothing, and a move is made where its
//! player saw the game.

use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::client::Answer;
use support::games::pip_pip;
use support::sample::Sampler;
use support::{Client, TestApp};

async fn get(client: &Client, path: &str, known: &str) -> Answer {
    client.send(Method::GET, path, None, &[("If-None-Match", known)]).await
}

#[track_caller]
fn tag(answer: &Answer) -> String {
    let tag = answer.expect_status(200).headers["etag"].to_str().expect("a tag").to_owned();
    assert!(tag.starts_with("W/\"") && tag.ends_with('"') && tag.is_ascii(), "{tag}");
    tag
}

/// Any legal action of the player to act.
async fn legal_action(game: &str, player: &Client, seed: u64) -> Value {
    let legal = player.get(&format!("{game}/actions")).await.ok();
    Sampler::new(seed).action(legal["actions"].as_array().expect("a list"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_client_has_is_not_sent_again() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    move_on(&game, [&ann, &bob]).await;
    let paths = [
        game.clone(),
        format!("{game}?seq=0"),
        format!("{game}/board.txt"),
        format!("{game}/board.svg"),
        format!("{game}/board.png"),
        format!("{game}/events"),
        "/api/v1/games?list=mine".to_owned(),
        "/api/v1/games?list=running".to_owned(),
        "/api/v1/rules".to_owned(),
        "/api/v1/rules/pip-pip".to_owned(),
    ];
    for path in &paths {
        let first = ann.get(path).await;
        let tag = tag(&first);
        assert_eq!(first.headers["cache-control"], "private, no-cache", "{path}");
        let strong = tag.trim_start_matches("W/").to_owned();
        for known in [tag.clone(), strong, format!("\"x\", {tag}"), "*".to_owned()] {
            let again = get(&ann, path, &known).await;
            again.expect_status(304);
            assert_eq!(
                (again.headers["etag"].to_str().ok(), again.body.len()),
                (Some(tag.as_str()), 0),
                "{path}"
            );
        }
        assert_eq!(get(&ann, path, "\"x\", rubbish").await.expect_status(200).body, first.body, "{path}");
    }
    // Time alone changes no tag, a move changes those of what it changes.
    let before: Vec<String> = join_tags(&ann, &paths).await;
    app.app.clock.advance(Duration::seconds(9));
    assert_eq!(join_tags(&ann, &paths).await, before);
    move_on(&game, [&ann, &bob]).await;
    let after = join_tags(&ann, &paths).await;
    for (index, path) in paths.iter().enumerate() {
        let lasts = path.contains("seq=0") || path.contains("/rules");
        assert_eq!(after[index] == before[index], lasts, "{path}");
    }
    assert_ne!(tag(&bob.get(&game).await), after[0], "another player");
    assert_ne!(tag(&app.stranger().get(&game).await), after[0], "a spectator");
}

/// The player to act makes a move.
async fn move_on(game: &str, players: [&Client; 2]) {
    let seat = players[0].get(game).await.ok()["to_act"].as_u64().expect("a running game");
    let player = players[usize::try_from(seat).expect("a seat")];
    let action = legal_action(game, player, 1).await;
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
}

async fn join_tags(client: &Client, paths: &[String]) -> Vec<String> {
    let mut tags = Vec::new();
    for path in paths {
        tags.push(tag(&client.get(path).await));
    }
    tags
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_opens_nothing_to_a_stranger() {
    let app = TestApp::start().await;
    let (ann, eve) = (app.player("ann").await, app.player("eve").await);
    let wanted = json!({"rules": "pip-pip", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let own = tag(&ann.get(&game).await);
    for known in [own.as_str(), "*"] {
        get(&eve, &game, known).await.problem(404, "not_found");
        get(&app.stranger(), &game, known).await.problem(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_database_answer_of_another_player_changes_no_tag() {
    // The edition rises without an event when a move's fate was in doubt, which only its player knows.
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let paths = [game.clone(), format!("{game}/board.txt"), format!("{game}/events")];
    let before = join_tags(&ann, &paths).await;
    db_raise_edition(&app).await;
    assert_eq!(join_tags(&ann, &paths).await, before);
}

async fn db_raise_edition(app: &TestApp) {
    use diesel::prelude::*;
    use diesel_async::RunQueryDsl;
    use pippost::store::schema::game_states;
    let mut connection = app.app.database.get().await.expect("a connection");
    let raised =
        diesel::sql_query("update game_states set edition = edition + 1").execute(&mut connection).await;
    assert_eq!(raised.expect("an update"), 1);
    let games: i64 = game_states::table.count().get_result(&mut connection).await.expect("a number");
    assert_eq!(games, 1);
}

/// Sends a legal action with this `If-Match` and these members of the body.
async fn try_move(game: &str, player: &Client, if_match: &str, more: Value, key: Option<&str>) -> Answer {
    let mut body = json!({"actions": [legal_action(game, player, 2).await]});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let mut headers = vec![("If-Match", if_match)];
    headers.extend(key.map(|key| ("Idempotency-Key", key)));
    player.send(Method::POST, &format!("{game}/moves"), Some(body.to_string()), &headers).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_with_if_match_is_made_only_where_the_player_saw_the_game() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let seq = ann.get(&game).await.ok()["seq"].as_u64().expect("a number");
    let none = || json!({});
    for never in ["\"99\"", &format!("W/\"{seq}\""), "\"x\"", &format!("\"0{seq}\"")] {
        let refused = try_move(&game, &ann, never, none(), None).await.problem(412, "precondition_failed");
        assert_eq!(refused["game"]["seq"], json!(seq), "{never}");
    }
    for unreadable in [seq.to_string(), format!("\"{seq}"), String::new()] {
        try_move(&game, &ann, &unreadable, none(), None).await.problem(400, "invalid_header");
    }
    let exact = format!("\"{seq}\"");
    let other = json!({"expected_seq": seq + 1});
    let refused = try_move(&game, &ann, &exact, other, None).await.problem(409, "preconditions_disagree");
    assert_eq!(refused["field"], "If-Match");
    // The body's own condition is as before.
    let stale = json!({"expected_seq": seq + 1});
    try_move(&game, &ann, "*", stale, None).await.problem(409, "stale_seq");
    assert_eq!(ann.get(&game).await.ok()["seq"], json!(seq), "nothing was moved");
    let both = json!({"expected_seq": seq});
    try_move(&game, &ann, &format!("\"7777\", {exact}"), both, None).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_move_with_if_match_gets_the_stored_answer() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let body = json!({"actions": [legal_action(&game, &ann, 3).await]}).to_string();
    let send = |if_match: &'static str| {
        let headers = [("If-Match", if_match), ("Idempotency-Key", "once")];
        let (ann, path, body) = (ann.clone(), format!("{game}/moves"), body.clone());
        async move { ann.send(Method::POST, &path, Some(body), &headers).await }
    };
    let first = send("\"0\"").await;
    first.ok();
    assert_eq!(send("\"0\"").await.expect_status(200).body, first.body);
    send("\"0\", \"1\"").await.problem(409, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn resigning_takes_if_match_too() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let path = format!("{game}/resign");
    for (tag, expected) in [("\"5\"", 412), ("\"0\"", 200)] {
        let answer = ann.send(Method::POST, &path, Some("{}".into()), &[("If-Match", tag)]).await;
        answer.expect_status(expected);
    }
}
