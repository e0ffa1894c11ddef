//! Strangers cannot tell a private game from one that does not exist, whatever they ask.

use reqwest::Method;
use serde_json::{Value, json};

use pippost::games::lobby;
use support::client::Answer;
use support::games::play_to_the_end;
use support::{Client, TestApp, contract};

/// A valid id that belongs to no game.
const NOBODYS: &str = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";

/// A request about a game, with `{id}` in place of its id.
struct Question {
    method: Method,
    path: String,
    body: Option<Value>,
}

/// Bodies for an operation: the members of its schema, with mostly valid values, and no body.
fn bodies(operation: &Value) -> Vec<Option<Value>> {
    let Some(schema) = operation.pointer("/requestBody/content/application~1json/schema") else {
        return vec![None];
    };
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let likely = match name {
        "MoveBody" => vec![json!({"notation": "store"}), json!({"notation": "store", "expected_seq": 0})],
        "JoinBody" => vec![json!({"invitation": "guess"}), json!({"entropy": "x".repeat(65)})],
        "InvitationBody" => vec![json!({"handle": "ann"}), json!({"email": "nobody@example.org"})],
        "MessageBody" => vec![json!({"text": "hello"}), json!({"text": ""})],
        "GameNotificationPreferencesBody" => vec![json!({"turns": "none"})],
        "LeaveBody" => vec![json!({"expected_seq": 0})],
        _ => Vec::new(),
    };
    let mut all: Vec<_> = likely.into_iter().map(Some).collect();
    all.extend([Some(json!({})), Some(json!([])), Some(json!({"surplus": 1}))]);
    all
}

/// Every operation on a game in the document, with queries that might distinguish games; and the page for people.
fn questions() -> Vec<Question> {
    let mut all = vec![Question { method: Method::GET, path: "/games/{id}".to_owned(), body: None }];
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        if !path.starts_with("/api/v1/games/{id}") {
            continue;
        }
        for (method, operation) in item.as_object().expect("operations") {
            let takes =
                |name: &str| contract::parameters(operation).any(|parameter| parameter["name"] == name);
            let mut paths = vec![path.clone()];
            for (name, value) in [
                ("token", "guess"),
                ("seq", "0"),
                ("seq", "99"),
                ("turn", "1"),
                ("first", "1"),
                ("seq", "x"),
                ("limit", "x"),
                ("limit", "0"),
                ("before", "x"),
            ] {
                if takes(name) {
                    paths.push(format!("{path}?{name}={value}"));
                }
            }
            for path in paths {
                for body in bodies(operation) {
                    let method = method.to_uppercase().parse().expect("a method");
                    all.push(Question { method, path: path.clone(), body });
                }
            }
        }
    }
    all
}

/// What a client sees of an answer, without what differs between any two answers.
fn visible(answer: &Answer, id: &str) -> (u16, Vec<(String, String)>, String) {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "connection" | "date" | "ratelimit" | "x-request-id"))
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    headers.sort();
    (answer.status.as_u16(), headers, answer.text().replace(id, "{id}"))
}

async fn ask(who: &Client, question: &Question, id: &str) -> (u16, Vec<(String, String)>, String) {
    let path = question.path.replace("{id}", id);
    let body = question.body.as_ref().map(Value::to_string);
    visible(&who.send(question.method.clone(), &path, body, &[]).await, id)
}

/// The id of a private game that has expired with ann in it, after a month.
async fn expired_game(app: &TestApp) -> String {
    let ann = app.player("ann").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await;
    app.app.clock.advance(time::Duration::days(30));
    assert_eq!(lobby::expire(&app.app.games).await.expect("a step"), 1);
    created.expect_status(201).json()["id"].as_str().expect("an id").to_owned()
}

/// The ids of private games: open, running, finished and cancelled.
async fn private_games(ann: &Client, bob: &Client) -> Vec<String> {
    let mut ids = Vec::new();
    for status in ["open", "running", "finished", "cancelled"] {
        let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
        let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
        let id = created["id"].as_str().expect("an id").to_owned();
        let game = format!("/api/v1/games/{id}");
        if matches!(status, "running" | "finished") {
            let join = json!({"invitation": created["invitation"]});
            bob.post(&format!("{game}/join"), &join).await.ok();
        }
        match status {
            "finished" => {
                play_to_the_end(&game, &[ann.clone(), bob.clone()]).await;
            }
            "cancelled" => {
                ann.post(&format!("{game}/leave"), &json!({})).await.expect_status(204);
            }
            _ => {}
        }
        if status != "cancelled" {
            assert_eq!(ann.get(&game).await.ok()["status"], status);
        }
        ids.push(id);
    }
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn no_operation_tells_a_stranger_a_private_game_from_one_that_does_not_exist() {
    let app = TestApp::start().await;
    let expired = expired_game(&app).await;
    let (ann, bob, eve) = (app.log_in("ann").await, app.player("bob").await, app.player("eve").await);
    let mut games = private_games(&ann, &bob).await;
    games.push(expired);
    let questions = questions();
    assert!(questions.len() > 40, "{}", questions.len());
    for (who, stranger) in [("eve", eve.unchecked()), ("a guest", app.guest().unchecked())] {
        for question in &questions {
            let expected = ask(&stranger, question, NOBODYS).await;
            assert!(expected.0 >= 400 && expected.0 < 500, "{} {expected:?}", question.path);
            for game in &games {
                let found = ask(&stranger, question, game).await;
                let Question { method, path, body } = question;
                assert_eq!(found, expected, "{who}: {method} {path} {body:?}");
            }
        }
    }
    // They exist all the same.
    let mine = ann.get("/api/v1/games?list=mine&limit=10").await.ok();
    assert_eq!(mine["games"].as_array().map(Vec::len), Some(4));
}
