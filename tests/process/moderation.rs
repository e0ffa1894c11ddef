//! What an operator sees of reports, and does about them: `pippost moderation`.

use serde_json::{Value, json};

use support::process::Server;
use support::{Client, PASSWORD};

/// What a command of `pippost moderation` prints, and whether it succeeded.
fn moderation(server: &Server, arguments: &[&str]) -> (String, bool) {
    let output = server.command(&[&["moderation"], arguments].concat()).output().expect("the program");
    (String::from_utf8(output.stdout).expect("text"), output.status.success())
}

/// The value of a line.
fn value<'a>(text: &'a str, name: &str) -> &'a str {
    let found = text.lines().find_map(|line| line.strip_prefix(&format!("{name:<12}  ")));
    found.unwrap_or_else(|| panic!("{name}: {text}"))
}

/// The operator removes a message that alice reports; a report of a player names nothing to remove.
async fn removes_a_message(server: &Server, [alice, bob]: [&Client; 2], game: &str, message: &Value) {
    let reported = async |what: Value| {
        alice.post("/api/v1/me/reports", &what).await.expect_status(204);
        let (list, _) = moderation(server, &["list"]);
        let line = list.lines().nth(1).expect("a report").to_owned();
        line.split_whitespace().next().expect("an id").to_owned()
    };
    let of_player = reported(json!({"handle": "bob", "reason": "name"})).await;
    assert!(!moderation(server, &["remove", &of_player, "--words", "No."]).1);
    assert!(moderation(server, &["dismiss", &of_player]).1, "it still waited");
    let id = game.rsplit('/').next().expect("an id");
    let of_message = reported(json!({"game": id, "message": message, "reason": "insult"})).await;
    assert!(!moderation(server, &["remove", &of_message]).1, "without a word");
    let (removed, _) = moderation(server, &["remove", &of_message, "--words", "Be kind."]);
    let act = removed.strip_prefix("removal ").expect("an act").trim();
    let text = async || bob.get(&format!("{game}/messages")).await.ok()["messages"][0]["text"].clone();
    assert_eq!(text().await, "[removed by the operator]");
    assert_eq!(value(&moderation(server, &["show", &of_message]).0, "message"), "hello");
    assert!(moderation(server, &["lift", act]).1);
    assert_eq!(text().await, "hello");
}

/// The operator removes the title that bob has given a game, and gives it back.
async fn removes_a_title(server: &Server, [alice, bob]: [&Client; 2]) {
    let wanted = json!({"rules": "pip-pip", "game_title": "Rude"});
    let game = bob.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id = game["id"].as_str().expect("an id");
    alice.post("/api/v1/me/reports", &json!({"handle": "bob", "reason": "name"})).await.expect_status(204);
    let (list, _) = moderation(server, &["list"]);
    let report = list.lines().nth(1).and_then(|line| line.split_whitespace().next()).expect("a report");
    assert!(!moderation(server, &["remove-title", report, "--words", "No."]).1, "it names no game");
    let (removed, _) = moderation(server, &["remove-title", report, "--game", id, "--words", "No."]);
    let act = removed.strip_prefix("removal ").expect("an act").trim();
    let title = async || bob.get(&format!("/api/v1/games/{id}")).await.ok()["game_title"].clone();
    assert_eq!(title().await, Value::Null);
    assert!(moderation(server, &["lift", act]).1);
    assert_eq!(title().await, "Rude");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_lists_shows_and_decides_reports_and_looks_at_appeals() {
    let server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    assert_eq!(moderation(&server, &["list"]), ("nothing waits for a decision\n".to_owned(), true));
    let report = |text: &str| json!({"handle": "bob", "reason": "insult", "text": text});
    alice.post("/api/v1/me/reports", &report("\u{9b}2J rude")).await.expect_status(204);
    let (list, _) = moderation(&server, &["list"]);
    let line = list.lines().nth(1).expect("a report");
    assert!(line.contains("report: insult  bob    alice  2"), "{list}");
    let id = line.split_whitespace().next().expect("an id");
    let (shown, _) = moderation(&server, &["show", id]);
    let told = ["by", "about", "reason", "says"].map(|name| value(&shown, name));
    assert_eq!(told, ["alice", "bob", "insult", "2J rude"], "nothing that steers a terminal");
    for refused in [&["warn", id][..], &["warn", id, "--words", " "], &["mute", id, "--words", "x"]] {
        assert!(!moderation(&server, refused).1, "{refused:?}");
    }
    assert!(!moderation(&server, &["mute", id, "--hours", "0", "--words", "x"]).1);
    let (muted, _) = moderation(&server, &["mute", id, "--hours", "48", "--words", "Be kind."]);
    let act = muted.strip_prefix("mute ").expect("an act").trim();
    assert!(!moderation(&server, &["dismiss", id]).1, "it is decided");
    let (shown, _) = moderation(&server, &["show", id]);
    assert_eq!(
        (value(&shown, "act"), value(&shown, "kind"), value(&shown, "words")),
        (act, "mute", "Be kind.")
    );
    assert!(value(&shown, "ends").contains("(in 1 d 23 h)"), "{shown}");

    alice.post("/api/v1/me/reports", &report("again")).await.expect_status(204);
    let (list, _) = moderation(&server, &["list"]);
    let again = list.lines().nth(1).and_then(|line| line.split_whitespace().next()).expect("an id");
    assert!(moderation(&server, &["show", again]).0.contains("\nbefore        mute for insult, "), "{list}");
    assert_eq!(moderation(&server, &["dismiss", again]).0.split(' ').next(), Some("dismissal"));
    let game = alice.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", game["id"].as_str().expect("an id"));
    removes_a_title(&server, [&alice, &bob]).await;
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let path = format!("{game}/messages");
    bob.post(&path, &json!({"text": "hello"})).await.problem(403, "muted");
    assert_eq!(moderation(&server, &["lift", act]), (format!("{act} lifted\n"), true));
    assert!(!moderation(&server, &["uphold", act]).1, "once");
    let said = bob.post(&path, &json!({"text": "hello"})).await.expect_status(201).json();
    removes_a_message(&server, [&alice, &bob], &game, &said["id"]).await;

    alice.post("/api/v1/me/reports", &report("and again")).await.expect_status(204);
    let (list, _) = moderation(&server, &["list"]);
    let last = list.lines().nth(1).and_then(|line| line.split_whitespace().next()).expect("an id");
    assert!(!moderation(&server, &["close", last]).1, "without a word");
    let (closed, _) = moderation(&server, &["close", last, "--words", "Enough."]);
    let act = closed.strip_prefix("close ").expect("an act").trim();
    let stranger = Client::new(&server.url(), None);
    let log_in = json!({"login": "bob", "password": PASSWORD});
    stranger.post("/api/v1/sessions", &log_in).await.problem(403, "account_closed");
    assert_eq!(moderation(&server, &["lift", act]), (format!("{act} lifted\n"), true));
    stranger.post("/api/v1/sessions", &log_in).await.expect_status(201);
    let log = Client::new(&server.url(), None).unchecked().get("/moderation").await.expect_status(200).text();
    for told in
        ["An account was closed", "A player was muted", "looked at again: lifted", "A report was dismissed"]
    {
        assert!(log.contains(told), "{told}: {log}");
    }
}
