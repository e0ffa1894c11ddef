//! Receipts, checked by the server's endpoint and by the command, which trusts only published keys.

use std::process::Stdio;
use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use pippost::accounts::{AccountLimits, Rate};
use pippost::games::RECEIPT_KIND;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use support::{Client, TestApp, cluster};

/// A game, its players by seat, and the answer to its first move.
async fn first_move(app: &TestApp, private: bool) -> (String, [Client; 2], Value) {
    let players = [app.player("ann").await, app.player("bob").await];
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": private});
    let created = players[0].post("/api/v1/games", &wanted).await.json();
    let id = created["id"].as_str().expect("an id").to_owned();
    let join = json!({"invitation": created["invitation"]});
    players[1].post(&format!("/api/v1/games/{id}/join"), &join).await.expect_status(200);
    let moved =
        players[0].post(&format!("/api/v1/games/{id}/moves"), &json!({"notation": "store"})).await.ok();
    (id, players, moved)
}

async fn check(app: &TestApp, receipt: &Value) -> Value {
    app.stranger().post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_shows_its_event_to_whoever_holds_it_also_of_a_private_game() {
    for private in [false, true] {
        let app = TestApp::start().await;
        let (id, _, moved) = first_move(&app, private).await;
        let checked = check(&app, &moved["receipts"][0]).await;
        let event = &moved["events"][0];
        assert_eq!((&checked["verdict"], &checked["event"]), (&json!("kept"), event));
        assert_eq!(
            (&checked["game"], &checked["seq"], &checked["hash"]),
            (&json!(id), &event["seq"], &event["hash"])
        );
        assert_eq!(checked["says"], "The server signed event 1 of this game and has that very event.");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_contradicts_its_signature_says_so_itself() {
    let app = TestApp::start().await;
    let (id, _, moved) = first_move(&app, false).await;
    let receipt = &moved["receipts"][0];
    let mut superuser = app.db_superuser().await;
    let forge = "alter table events disable trigger user; \
                 update events set line = replace(line, 'store', 'stole') where seq = 1";
    cluster::run_each(&mut superuser, forge).await.expect("a forged event");
    let checked = check(&app, receipt).await;
    assert_eq!((&checked["verdict"], &checked["event"]), (&json!("contradicted"), &Value::Null));
    assert!(checked["says"].as_str().is_some_and(|says| says.contains("another event 1")), "{checked}");
    superuser.batch_execute("delete from events where seq = 1").await.expect("a lost event");
    let checked = check(&app, receipt).await;
    assert!(checked["says"].as_str().is_some_and(|says| says.contains("it has no event 1")), "{checked}");
    // Signed by the server, but about a game that does not exist.
    let unknown = json!({"game": uuid::Uuid::now_v7(), "seq": 3, "hash": moved["events"][0]["hash"]});
    let checked = check(&app, &json!(app.app.signing.sign(RECEIPT_KIND, &unknown))).await;
    assert_eq!((&checked["verdict"], &checked["game"]), (&json!("contradicted"), &unknown["game"]));
    let endless = json!({"game": id, "seq": u64::MAX, "hash": moved["events"][0]["hash"]});
    let checked = check(&app, &json!(app.app.signing.sign(RECEIPT_KIND, &endless))).await;
    assert_eq!(checked["verdict"], "contradicted");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_this_server_never_signed_as_a_receipt_is_refused() {
    let (app, other) = (TestApp::start().await, TestApp::start().await);
    let (_, players, moved) = first_move(&app, false).await;
    let (.., foreign) = first_move(&other, false).await;
    let receipt = moved["receipts"][0].as_str().expect("a receipt");
    let (head, signature) = receipt.rsplit_once('.').expect("three parts");
    let changed = format!("{head}x.{signature}");
    let foreign = foreign["receipts"][0].as_str().expect("a receipt");
    let session = players[0].token.clone().expect("a token");
    let check =
        async |receipt: &str| app.stranger().post("/api/v1/receipts", &json!({"receipt": receipt})).await;
    for refused in [&changed, foreign, &session] {
        assert_eq!(check(refused).await.problem(409, "foreign_receipt")["field"], "receipt");
    }
    for none in ["", "nonsense", &format!(" {receipt}"), &"x".repeat(3000)] {
        assert_eq!(check(none).await.problem(422, "invalid_value")["field"], "receipt");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_may_not_ask_without_end() {
    let receipts = Rate::new(2, Duration::from_mins(1));
    let app = TestApp::with_limits(AccountLimits { receipts, ..AccountLimits::generous() }).await;
    for _ in 0..2 {
        app.stranger().post("/api/v1/receipts", &json!({"receipt": "x"})).await.problem(422, "invalid_value");
    }
    app.stranger().post("/api/v1/receipts", &json!({"receipt": "x"})).await.problem(429, "too_many_requests");
}

/// Runs `pippost receipt check`; returns its exit code and what it printed.
async fn command(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.args(["receipt", "check"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that does not read its input may have ended by now.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let output = child.wait_with_output().await.expect("an exit");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_checks_a_receipt_against_keys_and_a_record() {
    let app = TestApp::start().await;
    let (id, players, moved) = first_move(&app, false).await;
    players[0].post(&format!("/api/v1/games/{id}/resign"), &json!({})).await.expect_status(200);
    let receipt = moved["receipts"][0].as_str().expect("a receipt");
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path.into_os_string().into_string().expect("a name")
    };
    let keys = file("jwks.json", &app.stranger().get("/.well-known/jwks.json").await.body);
    let record = app.stranger().get(&format!("/api/v1/games/{id}/record")).await.text();
    let lines: Vec<&str> = record.lines().collect();
    let good = file("record.ndjson", record.as_bytes());
    let hash = moved["events"][0]["hash"].as_str().expect("a hash");
    let said = format!("signed that event 1 of game {id} has the hash {hash}\n");
    let both = |text: &str| text.contains(&said) && text.ends_with("record: OK, it has that very event\n");
    let (code, text) = command(&[receipt, "--jwks", &keys, "--record", &good], "").await;
    assert!(code == Some(0) && both(&text), "{text}");
    // From standard input and from a file, with the keys from the server itself.
    let url = format!("{}/.well-known/jwks.json", app.url);
    let (code, text) = command(&["--jwks", &url, "--record", &good], &format!("{receipt}\n")).await;
    assert!(code == Some(0) && both(&text), "{text}");
    let kept = file("receipt.txt", receipt.as_bytes());
    let (code, text) = command(&["--file", &kept, "--jwks", &keys], "").await;
    assert!(code == Some(0) && text.ends_with(&said), "{text}");
    for (content, why) in [
        ("nonsense\n".to_owned(), "this is no record"),
        (format!("{}\n", lines[0]), "it has no event 1"),
        (record.replacen("store", "stole", 1), "was changed"),
        (record.replacen(hash, &"0".repeat(64), 1), "is another one"),
        (record.replace(&id, "01987654-3210-7abc-8def-0123456789ab"), "it is of another game"),
    ] {
        let bad = file("bad.ndjson", content.as_bytes());
        let (code, text) = command(&[receipt, "--jwks", &keys, "--record", &bad], "").await;
        assert!(code == Some(1) && text.contains("record: FAILED, ") && text.contains(why), "{why}: {text}");
    }
    let other = TestApp::start().await;
    let others = file("others.json", &other.stranger().get("/.well-known/jwks.json").await.body);
    let (code, text) = command(&[receipt, "--jwks", &others], "").await;
    assert_eq!(
        (code, text.as_str()),
        (Some(1), "signature: FAILED, signed by a key that this server does not have\n")
    );
    let (code, text) = command(&["nonsense", "--jwks", &keys], "").await;
    assert!(code == Some(1) && text.starts_with("signature: FAILED"), "{text}");
    let (code, _) = command(&[receipt, "--jwks", &good], "").await;
    assert_eq!(code, Some(2), "these are no keys");
}
