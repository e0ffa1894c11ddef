//! Restores with the write-ahead log: to the last move, and to a moment.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Output, Stdio};

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::players::Players;
use super::{BACKUPS, KEYS, begin, blocking, files, holds, make_move, run, said, seq, serve, until, well};
use support::Client;
use support::process::Server;

/// `pippost backup --follow`.
struct Following(Child);

impl Following {
    async fn start(server: &Server) -> Self {
        let mut command = server.command(&["backup", BACKUPS, "--follow"]);
        blocking(move || {
            let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
            let first = lines.next().expect("a line").expect("text");
            assert!(first.starts_with("receiving the write-ahead log"), "{first}");
            Self(child)
        })
        .await
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The receipt of a move.
fn receipt_of(moved: &Value) -> String {
    moved["receipts"][0].as_str().expect("a receipt").to_owned()
}

/// Keeps the server's public keys in its folder, for when it is gone, and says where.
async fn keep_public_keys(server: &Server) -> String {
    let jwks = format!("{}/.well-known/jwks.json", server.url());
    let keys = reqwest::get(jwks).await.expect("an answer").bytes().await.expect("a body");
    let file = server.folder.path().join("jwks.json");
    fs::write(&file, keys).expect("a file");
    file.display().to_string()
}

/// Waits until what the database has written by now is in the log that was received: everything is written in order.
async fn log_is_received(server: &Server) {
    server.register("marker").await;
    let wal = server.folder.path().join(BACKUPS).join("wal");
    until("the log is received", async || {
        let mut received = Vec::new();
        files(&wal, &mut received);
        received.iter().any(|(_, bytes)| holds(bytes, b"marker@example.org"))
    })
    .await;
}

/// What the server itself says of a receipt.
async fn verdict(server: &Server, receipt: &str) -> String {
    let stranger = Client::new(&server.url(), None);
    let checked = stranger.post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
    checked["verdict"].as_str().expect("a verdict").to_owned()
}

/// What the command says of a receipt and the record that a server has of the game.
async fn check_by_record(
    server: &Server,
    (game, player): (&str, &Client),
    receipt: &str,
    jwks: &str,
) -> Output {
    let record = player.at(&server.url()).get(&format!("{game}/record")).await;
    fs::write(server.folder.path().join("record.ndjson"), &record.body).expect("a file");
    run(server, &["receipt", "check", receipt, "--jwks", jwks, "--record", "record.ndjson"]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_log_a_restore_reaches_the_last_move_and_any_moment_and_a_receipt_says_what_is_lost() {
    let server = blocking(Server::start).await;
    let (game, players) = begin(&server).await;
    let others = Players::begin(&server, 2).await;
    let following = Following::start(&server).await;
    let early = receipt_of(&make_move(&game, &players).await);
    let none = run(&server, &["restore", BACKUPS, "--data-dir", "early"]).await;
    assert!(said(&none).contains("holds no backup"), "{}", said(&none));
    well(&run(&server, &["backup", BACKUPS, "--keys", KEYS]).await);
    make_move(&game, &players).await;
    let before = seq(&game, &players[0]).await;
    let moment = OffsetDateTime::now_utc().format(&Rfc3339).expect("a time");
    let lost = receipt_of(&make_move(&game, &players).await);
    let last = seq(&game, &players[0]).await;
    others.goes_on(20).await;
    let others = others.end().await;
    log_is_received(&server).await;
    let jwks = keep_public_keys(&server).await;
    let folder = server.folder.path().to_owned();

    well(&run(&server, &["restore", BACKUPS, "--data-dir", "whole", "--keys", KEYS]).await);
    let until_then = ["restore", BACKUPS, "--data-dir", "then", "--keys", KEYS, "--until", &moment];
    well(&run(&server, &until_then).await);
    for (arguments, why) in [
        (["restore", BACKUPS, "--data-dir", "no", "--until", "2100-01-01T00:00:00Z"], "ends before 2100"),
        (
            ["restore", BACKUPS, "--data-dir", "no", "--until", "2020-01-01T00:00:00Z"],
            "no backup is that old",
        ),
    ] {
        let refused = run(&server, &arguments).await;
        assert!(!refused.status.success() && said(&refused).contains(why), "{}", said(&refused));
        assert!(!folder.join("no/pg").exists(), "nothing half done");
    }
    drop(following);

    for (name, expected) in [("whole", last), ("then", before)] {
        // What the log has signed since may be gone: the operator decides, and removes the file.
        let _ = fs::remove_file(folder.join(name).join("log.checkpoint"));
        let audited = well(&run(&server, &["audit", "--data-dir", name]).await);
        assert!(audited.contains(" 0 findings, 0 of them rebuilt.\n"), "{name}: {audited}");
        let restored = serve(&folder.join(name), server.url()).await;
        let at_restored = players.clone().map(|player| player.at(&restored.url()));
        assert_eq!(seq(&game, &at_restored[0]).await, expected, "{name}");
        assert_eq!(verdict(&restored, &early).await, "kept", "{name}");
        let checked = check_by_record(&restored, (game.as_str(), &players[0]), &lost, &jwks).await;
        if expected == last {
            assert!(well(&checked).contains("it has that very event"), "{}", said(&checked));
            let acknowledged = others.iter().flat_map(|one| one.receipts.iter().rev().take(10));
            for receipt in acknowledged.chain([&lost]) {
                assert_eq!(verdict(&restored, receipt).await, "kept", "{receipt}");
            }
            continue;
        }
        assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
        assert!(said(&checked).contains("has lost a move that it had acknowledged"), "{}", said(&checked));
        assert_eq!(verdict(&restored, &lost).await, "contradicted");
        // The game goes on from there, and the receipt proves another event than the one that is in its place.
        make_move(&game, &at_restored).await;
        let replaced = check_by_record(&restored, (game.as_str(), &players[0]), &lost, &jwks).await;
        assert_eq!(replaced.status.code(), Some(1), "{}", said(&replaced));
        assert!(said(&replaced).contains("accepted this one in its place"), "{}", said(&replaced));
        assert_eq!(verdict(&restored, &lost).await, "contradicted");
    }
}
