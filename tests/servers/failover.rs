//! A standby takes over from a primary that is lost: a synchronous one has every acknowledged move, and what an asynchronous one lacks
//! the receipts show. The steps are those of docs/OPERATIONS.md.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use pippost::record::verify;
use serde_json::{Value, json};

use crate::lifecycle::backups::{begin, make_move, said, seq};
use crate::lifecycle::blocking;
use crate::lifecycle::players::Players;
use crate::pair::{PRIMARY, Pair, REPLICA};
use support::Client;
use support::process::Server;

/// A server on a database elsewhere, with data and keys of its own.
async fn serve(url: String) -> Server {
    blocking(move || Server::start_bare(&["--database-url", &url])).await
}

/// The game, the number and the hash of the event for which a receipt stands.
fn claims(receipt: &str) -> (String, u64, String) {
    let payload = receipt.split('.').nth(1).expect("a JWS");
    let payload = BASE64_URL_SAFE_NO_PAD.decode(payload).expect("base64url");
    let claims: Value = serde_json::from_slice(&payload).expect("JSON");
    let text = |member: &str| claims[member].as_str().expect("text").to_owned();
    (text("game"), claims["seq"].as_u64().expect("a number"), text("hash"))
}

/// The hashes of a game's events, by number, as its verified record has them.
async fn hashes(reader: &Client, game: &str) -> BTreeMap<u64, String> {
    let record = reader.get(&format!("/api/v1/games/{game}/record")).await;
    verify(&record.expect_status(200).body).expect("a good record");
    let text = record.text();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter_map(|line| Some((line["seq"].as_u64()?, line["hash"].as_str()?.to_owned()))).collect()
}

/// How many of the receipts stand for an event that its game has.
async fn kept(reader: &Client, receipts: &[String]) -> usize {
    let mut games = BTreeMap::new();
    let mut kept = 0;
    for receipt in receipts {
        let (game, seq, hash) = claims(receipt);
        if !games.contains_key(&game) {
            games.insert(game.clone(), hashes(reader, &game).await);
        }
        kept += usize::from(games[&game].get(&seq) == Some(&hash));
    }
    kept
}

async fn audit_is_clean(server: &Server, url: &str) {
    let mut audit = server.command(&["audit", "--database-url", url]);
    let audited = blocking(move || audit.output().expect("the program")).await;
    assert!(audited.status.success() && said(&audited).contains(" 0 findings"), "{}", said(&audited));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_synchronous_standby_takes_over_with_every_acknowledged_move_and_servers_turn_to_it_by_themselves()
{
    let mut pair = blocking(Pair::synchronous).await;
    pair.db_standby_is("sync").await;
    let url = pair.url_of_both();
    let mut server = serve(url.clone()).await;
    let players = Players::begin(&server, 3).await;
    players.goes_on(60).await;
    // Amid moves: of some the primary has the commit and the standby does not, of some nobody knows.
    pair.lose_primary().await;
    pair.db_promote().await;
    // The copied setting names a standby that is now the primary: without this, moves wait for ever.
    pair.db_set(REPLICA, "synchronous_standby_names", "").await;
    players.goes_on(60).await;

    let reader = Client::new(&server.url(), None);
    for mut played in players.end().await {
        // It checks that no acknowledged move is missing.
        assert!(played.look().await.is_some());
        played.check_record().await;
        assert!(played.receipts.len() > 10, "{}", played.receipts.len());
        assert_eq!(kept(&reader, &played.receipts).await, played.receipts.len());
    }
    audit_is_clean(&server, &url).await;
    blocking(move || server.stop()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_asynchronous_standby_had_not_received_is_lost_and_its_receipts_are_evidence() {
    let mut pair = blocking(Pair::start).await;
    let server = serve(pair.url(PRIMARY)).await;
    let (game, players) = begin(&server).await;
    let mut receipts = Vec::new();
    for number in 0..6 {
        if number == 3 {
            pair.db_follow().await;
            pair.db_cut().await;
        }
        let moved = make_move(&game, &players).await;
        receipts.push(moved["receipts"][0].as_str().expect("a receipt").to_owned());
    }
    pair.db_standby_is("none").await;
    assert_eq!(seq(&game, &players[0]).await, 6);
    pair.lose_primary().await;
    pair.db_promote().await;

    // The cache of a process may hold what is lost, so all are started anew.
    let (url, data_dir) = (pair.url(REPLICA), server.data_dir());
    let mut server = {
        let url = url.clone();
        blocking(move || {
            let arguments = ["--database-url", &url];
            // What the log has signed since may be gone: the operator decides, and removes the file.
            let _none = std::fs::remove_file(data_dir.join("log.checkpoint"));
            server.kill_and_start_with(&arguments)
        })
        .await
    };
    assert_eq!(seq(&game, &players[0]).await, 3, "the last three moves are lost");
    let reader = Client::new(&server.url(), None);
    assert_eq!((kept(&reader, &receipts[..3]).await, kept(&reader, &receipts[3..]).await), (3, 0));
    let verdict = async |receipt: &str| {
        let checked = reader.post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
        checked["verdict"].as_str().expect("a verdict").to_owned()
    };
    assert_eq!(
        (verdict(&receipts[2]).await, verdict(&receipts[3]).await),
        ("kept".into(), "contradicted".into())
    );
    check_by_command(&server, &game, &receipts[3], "has lost a move that it had acknowledged").await;

    // The game goes on, with another event in the place of the lost one.
    make_move(&game, &players).await;
    assert_eq!(verdict(&receipts[3]).await, "contradicted");
    check_by_command(&server, &game, &receipts[3], "accepted this one in its place").await;
    audit_is_clean(&server, &url).await;
    blocking(move || server.stop()).await;
}

/// Checks a lost receipt as a player does, with the record that the server gives now.
async fn check_by_command(server: &Server, game: &str, receipt: &str, words: &str) {
    let record = Client::new(&server.url(), None).get(&format!("{game}/record")).await;
    std::fs::write(server.folder.path().join("record.ndjson"), &record.body).expect("a file");
    let jwks = format!("{}/.well-known/jwks.json", server.url());
    let mut check =
        server.command(&["receipt", "check", receipt, "--jwks", &jwks, "--record", "record.ndjson"]);
    let checked = blocking(move || check.output().expect("the program")).await;
    assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
    assert!(said(&checked).contains("signature: OK") && said(&checked).contains(words), "{}", said(&checked));
}
