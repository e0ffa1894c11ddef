//! Strangers cannot tell a private game from one that does not exist, whatever they ask: not by the answer, and not by the work that
//! it takes. How long it takes is measured by the bench's hostile part.

use std::fs;
use std::path::Path;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use pippost::games::lobby;
use support::browsing::Browsing;
use support::client::Answer;
use support::games::play_to_the_end;
use support::raw::RawClient;
use support::{Client, TestApp, contract};

/// A valid id that belongs to no game.
const NOBODYS: &str = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";

/// Where a game is named outside its own addresses.
const INVITATION: &str = "/api/v1/me/invitations/{id}";

const FAVOURITE: &str = "/api/v1/me/favourites/{id}";

/// Operations whose body may hold the invitation that lets its sender in: it is read whatever the game.
const INVITED_BY_BODY: [&str; 2] = ["join_game", "take_seat"];

/// How often a question is asked if its statements differ.
const MAX_TRIES: usize = 3;

/// What the forms of pages ask for, of all of them.
const FIELDS: [(&str, &str); 11] = [
    ("notation", "store"),
    ("seq", "0"),
    ("key", "k"),
    ("days", "1"),
    ("to", "1"),
    ("hours", "1"),
    ("line", "0"),
    ("seat", "0"),
    ("text", "hello"),
    ("invitee", "ann"),
    ("on", "yes"),
];

/// A request about a game, with `{id}` in place of its id.
#[derive(Clone, Debug)]
struct Question {
    method: Method,
    path: String,
    body: Option<String>,
}

impl Question {
    /// Its path and body about a game.
    fn about(&self, id: &str) -> (String, Option<String>) {
        (self.path.replace("{id}", id), self.body.as_ref().map(|body| body.replace("{id}", id)))
    }
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
        "SubstituteBody" => vec![json!({"seat": 0}), json!({"seat": 0, "invitation": "guess"})],
        "PauseBody" => vec![json!({"until": null})],
        "GiftBody" => vec![json!({"to": 1, "hours": 1, "line": 0})],
        "StandingOrdersBody" => vec![json!({"branches": []}), json!({"expected_seq": 0})],
        "NewTokenBody" => vec![json!({"name": "mine", "scopes": ["read"], "game": "{id}"})],
        "NewWebhookBody" => {
            vec![json!({"url": "https://hooks.example.org/x", "kinds": ["turn"], "game": "{id}"})]
        }
        _ => Vec::new(),
    };
    let mut all: Vec<_> = likely.into_iter().map(Some).collect();
    all.extend([Some(json!({})), Some(json!([])), Some(json!({"surplus": 1}))]);
    all
}

/// The operations of the document that name a game, by path or body: their path, method, and what the document says.
fn operations() -> Vec<(String, Method, Value)> {
    let mut all = Vec::new();
    for (path, item) in contract::document()["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let named = bodies(operation).iter().flatten().any(|body| body["game"] == "{id}");
            // Whoever takes a mark away learns nothing, so it always works.
            let marks = path == FAVOURITE && method == "put";
            if path.starts_with("/api/v1/games/{id}") || path == INVITATION || marks || named {
                let method = method.to_uppercase().parse().expect("a method");
                all.push((path.clone(), method, operation.clone()));
            }
        }
    }
    assert!(all.len() > 35, "{}", all.len());
    all
}

/// Every operation on a game, with queries that might distinguish games.
fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    for (path, method, operation) in operations() {
        let takes = |name: &str| contract::parameters(&operation).any(|parameter| parameter["name"] == name);
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
            ("after", "{id}:0"),
        ] {
            if takes(name) {
                paths.push(format!("{path}?{name}={value}"));
            }
        }
        for path in paths {
            for body in bodies(&operation) {
                let body = body.as_ref().map(Value::to_string);
                all.push(Question { method: method.clone(), path: path.clone(), body });
            }
        }
    }
    all
}

/// Every page and form about a game, as the sources of the pages register them.
fn pages() -> Vec<Question> {
    let mut all = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            for line in fs::read_to_string(path).expect("a file of ours").lines() {
                for (attribute, method) in [("#[get(\"", Method::GET), ("#[post(\"", Method::POST)] {
                    let found = line.strip_prefix(attribute).and_then(|rest| rest.split('"').next());
                    let Some(path) = found.filter(|path| path.starts_with("/games/{id}")) else { continue };
                    all.push(Question { method, path: path.to_owned(), body: None });
                }
            }
        }
    }
    assert!(all.len() > 25, "{all:?}");
    all
}

/// What somebody learns from an answer, and what it cost the server.
#[derive(Debug, PartialEq)]
struct Seen {
    status: u16,
    headers: Vec<(String, String)>,
    text: String,
    statements: u64,
}

impl Seen {
    /// Without what differs between any two answers: the time, the request's id and the requests left.
    fn new(status: u16, headers: &HeaderMap, text: &str, id: &str, statements: u64) -> Self {
        let shown = |name: &str, value: &str| match name {
            "date" | "ratelimit" | "x-request-id" => String::new(),
            _ => value.replace(id, "{id}"),
        };
        let mut headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| {
                (name.to_string(), shown(name.as_str(), &String::from_utf8_lossy(value.as_bytes())))
            })
            .collect();
        headers.sort();
        Self { status, headers, text: text.replace(id, "{id}"), statements }
    }

    fn of(answer: &Answer, id: &str, statements: u64) -> Self {
        Self::new(answer.status.as_u16(), &answer.headers, &answer.text(), id, statements)
    }
}

/// Somebody who is in no private game.
#[derive(Clone)]
enum Stranger {
    Program(Client),
    Browser(Browsing),
}

impl Stranger {
    async fn ask(&self, app: &TestApp, question: &Question, id: &str) -> Seen {
        if let Self::Browser(browser) = self {
            // So that a form has the token of a page.
            browser.get("/rules").await.expect(200);
        }
        let before = app.app.database.statements();
        let (path, body) = question.about(id);
        let method = question.method.clone();
        match self {
            Self::Program(client) => {
                let answer = client.send(method, &path, body, &[]).await;
                Seen::of(&answer, id, app.app.database.statements() - before)
            }
            Self::Browser(browser) => {
                let token = browser.token();
                let fields = [&FIELDS[..], &[("csrf", token.as_str())]].concat();
                let form = (method == Method::POST).then_some(&fields[..]);
                let shown = browser.send(method, &path, form, &[("sec-fetch-site", "same-origin")]).await;
                let statements = app.app.database.statements() - before;
                Seen::new(shown.status.as_u16(), &shown.headers, &shown.html, id, statements)
            }
        }
    }

    /// Asks about each game, and expects what is seen of none.
    async fn expect_none(&self, hidden: &HiddenGames, question: &Question) {
        let mut expected = self.ask(&hidden.app, question, NOBODYS).await;
        assert!((300..500).contains(&expected.status), "{question:?} {expected:?}");
        for game in &hidden.games {
            for tried in 1.. {
                let found = self.ask(&hidden.app, question, game).await;
                if found == expected {
                    break;
                }
                // Now and then the server asks again who the stranger is.
                assert!(tried < MAX_TRIES, "{question:?}\n{found:?}\n{expected:?}");
                expected = self.ask(&hidden.app, question, NOBODYS).await;
            }
        }
    }
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

/// A server that has one running private game in memory and another not, and the ids of private games of all kinds.
struct HiddenGames {
    app: TestApp,
    _first: TestApp,
    ann: Client,
    games: Vec<String>,
    /// The running game that is not in memory.
    cold: String,
}

impl HiddenGames {
    async fn start() -> Self {
        let first = TestApp::start().await;
        let expired = expired_game(&first).await;
        let (ann, bob) = (first.log_in("ann").await, first.player("bob").await);
        first.player("eve").await;
        let mut games = private_games(&ann, &bob).await;
        let cold = private_games(&ann, &bob).await.swap_remove(1);
        let app = first.second().await;
        let ann = ann.at(&app.url);
        assert_eq!(ann.get(&format!("/api/v1/games/{}", games[1])).await.ok()["status"], "running");
        games.extend([expired, cold.clone()]);
        Self { app, _first: first, ann, games, cold }
    }

    /// Nobody's questions have put the game into memory: its player's next one loads it.
    async fn expect_still_cold(&self) {
        let before = self.app.app.database.statements();
        self.ann.get(&format!("/api/v1/games/{}", self.cold)).await.ok();
        assert!(self.app.app.database.statements() - before > 1, "it was in memory");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_operation_tells_a_stranger_a_private_game_from_one_that_does_not_exist() {
    let hidden = HiddenGames::start().await;
    let app = &hidden.app;
    let questions = questions();
    for client in [app.log_in("eve").await, app.stranger()] {
        let stranger = Stranger::Program(client.unchecked());
        for question in &questions {
            stranger.expect_none(&hidden, question).await;
        }
    }
    hidden.expect_still_cold().await;
    // They exist all the same.
    let mine = hidden.ann.get("/api/v1/games?list=mine&limit=10").await.ok();
    assert!(mine["games"].as_array().is_some_and(|games| games.len() > 4), "{mine}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_tells_a_stranger_either() {
    let hidden = HiddenGames::start().await;
    let app = &hidden.app;
    for browser in [Browsing::log_in(app, "eve").await, Browsing::of(app)] {
        let stranger = Stranger::Browser(browser);
        for question in pages() {
            stranger.expect_none(&hidden, &question).await;
        }
    }
    hidden.expect_still_cold().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_see_a_game_is_decided_before_the_body_is_read() {
    let hidden = HiddenGames::start().await;
    let server =
        hidden.app.url.strip_prefix("http://").and_then(|server| server.parse().ok()).expect("an address");
    let token = hidden.app.log_in("eve").await.token.expect("a token");
    let mut asked = 0;
    for (path, method, operation) in operations() {
        let id = operation["operationId"].as_str().expect("a name");
        if operation["requestBody"].is_null()
            || INVITED_BY_BODY.contains(&id)
            || !path.starts_with("/api/v1/games/")
        {
            continue;
        }
        asked += 1;
        let mut answers = Vec::new();
        for game in [NOBODYS, &hidden.games[0], &hidden.games[1], &hidden.cold] {
            let path = path.replace("{id}", game);
            // The body never comes.
            let head = format!(
                "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\ncontent-length: 20\r\n\r\n"
            );
            let answer = tokio::task::spawn_blocking(move || RawClient::new(server).send(head.as_bytes()));
            let answer = answer.await.expect("it ends").expect("an answer");
            answer.problem(404, "not_found");
            answers.push(Seen::of(&answer, game, 0));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{id}: {answers:?}");
    }
    assert!(asked > 11, "{asked}");
}
