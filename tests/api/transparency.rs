//! The log over all records, as those who do not trust the server use it: proofs, receipts that name it, and the commands that find
//! broken promises and second histories.

use std::path::Path;
use std::process::Output;

use pippost::games::RECEIPT_KIND;
use pippost::games::transparency::{WitnessPolicy, begin, name_witnesses};
use pippost::log::note::{KeyKind, Note, SignerKey, VerifierKey};
use pippost::log::proof::Proof;
use pippost::log::{Checkpoint, Entry};
use reqwest::Method;
use serde_json::{Value, json};

use support::games::{pip_pip, pip_pip_again, play_to_the_end};
use support::transparency::{sequence_all, with_log};
use support::{Client, START, TestApp};

/// The status and text at a path, which is not of the API.
async fn look(client: &Client, path: &str) -> (u16, String) {
    let answer = client.request(Method::GET, path).send().await.expect("an answer");
    (answer.status().as_u16(), answer.text().await.expect("a text"))
}

async fn key_of(app: &TestApp) -> String {
    look(&app.stranger(), "/log/key").await.1.trim().to_owned()
}

fn id_of(game: &str) -> &str {
    game.rsplit('/').next().expect("an id")
}

/// What a receipt says.
fn claims(app: &TestApp, receipt: &Value) -> Value {
    let receipt = receipt.as_str().expect("a receipt");
    app.app.signing.verify(RECEIPT_KIND, receipt).expect("our signature")
}

/// Runs the program; returns its exit code and what it printed.
async fn command(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_pippost"));
    let Output { status, stdout, stderr } = command.args(arguments).output().await.expect("an exit");
    (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

fn write(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file");
    path.into_os_string().into_string().expect("a name")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_names_the_log_and_when_it_has_the_event_at_the_latest() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, _]) = pip_pip(&app).await;
    let body = json!({"notation": "store", "expected_seq": 0}).to_string();
    let moves = format!("{game}/moves");
    let keyed = [("Idempotency-Key", "k")];
    let moved = ann.send(Method::POST, &moves, Some(body.clone()), &keyed).await.ok();
    let said = claims(&app, &moved["receipts"][0]);
    let origin = format!("{}/log", app.url.trim_start_matches("http://"));
    assert_eq!((&said["log"], &said["by"]), (&json!(origin), &json!(START.unix_timestamp() + 60)));
    // A repeated request gets the same receipt, from another process with another setting, too.
    let second = app.second().await;
    begin(&second.app.games, 600).await.expect("the same log");
    app.app.clock.advance(time::Duration::MINUTE);
    let again = ann.at(&second.url).send(Method::POST, &moves, Some(body), &keyed).await.ok();
    assert_eq!(again["receipts"], moved["receipts"]);
    // Receipts from before there was a log stay as good as they were.
    let old = json!({"game": said["game"], "seq": said["seq"], "hash": said["hash"]});
    for claims in [old, said] {
        let receipt = app.app.signing.sign(RECEIPT_KIND, &claims);
        let checked = app.stranger().post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
        assert_eq!(checked["verdict"], "kept");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_and_proofs_name_the_witnesses_and_how_many_of_them_are_needed() {
    let Some(app) = with_log().await else { return };
    let key = |name: &str, seed: u8| {
        let key = SignerKey::from_seed(name, KeyKind::Witness, &[seed; 32]).expect("a key");
        key.verifier().to_string()
    };
    let keys = vec![key("one.example/w", 1), key("two.example/w", 2)];
    let brief: Vec<&str> =
        keys.iter().map(|key| key.match_indices('+').nth(1).map_or("", |(at, _)| &key[..at])).collect();
    name_witnesses(&app.app.games, WitnessPolicy { needed: 1, keys: keys.clone() });
    let (game, [ann, _]) = pip_pip(&app).await;
    let body = json!({"notation": "store", "expected_seq": 0}).to_string();
    let (moves, keyed) = (format!("{game}/moves"), [("Idempotency-Key", "k")]);
    let moved = ann.send(Method::POST, &moves, Some(body.clone()), &keyed).await.ok();
    let said = claims(&app, &moved["receipts"][0]);
    assert_eq!(said["witnesses"], json!({"needed": 1, "keys": brief}));
    // A repeated request gets the same receipt, also from a process with other witnesses.
    let second = app.second().await;
    begin(&second.app.games, 60).await.expect("the same log");
    name_witnesses(&second.app.games, WitnessPolicy { needed: 1, keys: vec![key("three.example/w", 3)] });
    let again = ann.at(&second.url).send(Method::POST, &moves, Some(body), &keyed).await.ok();
    assert_eq!(again["receipts"], moved["receipts"]);
    sequence_all(&app).await;
    let (_, proof) = look(&ann, &format!("/log/proof/{}", id_of(&game))).await;
    let extra = Proof::read(&proof).expect("a proof").extra.expect("more");
    let extra: Value = serde_json::from_slice(&extra).expect("JSON");
    assert_eq!(extra["witnesses"], json!({"needed": 1, "keys": keys}));
    let receipt = moved["receipts"][0].as_str().expect("a receipt");
    let jwks = format!("{}/.well-known/jwks.json", app.url);
    let (code, said) = command(&["receipt", "check", receipt, "--jwks", &jwks, "--log", &app.url]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("witnesses: the server names 1 of 2: one.example/w, two.example/w\n"), "{said}");
    let folder = tempfile::tempdir().expect("a folder");
    let record = write(folder.path(), "record", &ann.get(&format!("{game}/record")).await.text());
    let (proof, key) = (write(folder.path(), "proof", &proof), key_of(&app).await);
    let (code, said) = command(&["verify", &record, "--proof", &proof, "--log-key", &key]).await;
    assert!(code == Some(0) && said.contains("no witness was asked for, the server names 1 of 2"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_log_receipts_promise_none() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let moved = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let said = claims(&app, &moved["receipts"][0]);
    assert_eq!((said.get("log"), said.get("by")), (None, None), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_addresses_of_the_log_say_what_they_take() {
    let Some(app) = with_log().await else { return };
    let id = uuid::Uuid::now_v7();
    for path in ["/log/checkpoint", "/log/key", "/log/tile/0/000", &format!("/log/proof/{id}")] {
        let ask = async |method| app.stranger().request(method, path).send().await.expect("an answer");
        let (shown, head) = (ask(Method::GET).await.status(), ask(Method::HEAD).await.status());
        assert_eq!(shown, head, "{path}");
        for (method, status) in [(Method::OPTIONS, 204), (Method::POST, 405)] {
            let answer = ask(method).await;
            assert_eq!(answer.status(), status, "{path}");
            assert_eq!(answer.headers()["allow"], "GET, HEAD, OPTIONS", "{path}");
            let says_why = answer.text().await.expect("a text").contains("method_not_allowed");
            assert_eq!(says_why, status == 405, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_is_for_whoever_may_see_the_game_or_knows_the_event() {
    let Some(app) = with_log().await else { return };
    let players = [app.player("ann").await, app.player("bob").await];
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
    let created = players[0].post("/api/v1/games", &wanted).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let path = format!("/log/proof/{}", id_of(&game));
    players[1].post(&format!("{game}/join"), &json!({"invitation": created["invitation"]})).await.ok();
    let (status, not_yet) = look(&players[0], &path).await;
    assert_eq!(status, 404, "it is not in the log yet");
    sequence_all(&app).await;
    let key = VerifierKey::read(&key_of(&app).await).expect("a key");
    let (status, text) = look(&players[1], &path).await;
    assert_eq!(status, 200, "{text}");
    let proof = Proof::read(&text).expect("a proof");
    let extra: Value = serde_json::from_slice(proof.extra.as_deref().expect("more")).expect("JSON");
    let head = players[0].get(&game).await.ok()["head"].clone();
    assert_eq!(extra, json!({"game": id_of(&game), "seq": 0, "hash": head}));
    let id = id_of(&game).parse().expect("an id");
    let hash: pippost::record::Hash = serde_json::from_value(head.clone()).expect("a hash");
    let leaf = |seq| Entry::of(id, seq, *hash.as_bytes()).leaf();
    assert_eq!(proof.verify(leaf(0), &key).map(|found| found.size), Ok(1));
    assert!(proof.verify(leaf(1), &key).is_err());
    // To strangers a private game is as none.
    let none = format!("/log/proof/{}", uuid::Uuid::now_v7());
    let hidden = look(&app.stranger(), &path).await;
    assert_eq!(hidden, look(&app.stranger(), &none).await);
    assert_eq!((hidden.0, hidden.1), (404, not_yet));
    let by_hash = |hash: &str| format!("{path}?seq=0&hash={hash}");
    assert_eq!(look(&app.stranger(), &by_hash(head.as_str().expect("a hash"))).await.0, 200);
    assert_eq!(look(&app.stranger(), &by_hash(&"0".repeat(64))).await.0, 404);
    assert_eq!(look(&players[0], &format!("{path}?seq=1")).await.0, 404);
    assert_eq!(look(&app.stranger(), &by_hash("zz")).await.0, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_verifier_checks_offline_that_a_log_has_the_record() {
    let Some(app) = with_log().await else { return };
    let (game, players) = pip_pip(&app).await;
    players[0].post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    sequence_all(&app).await;
    let path = format!("/log/proof/{}", id_of(&game));
    let folder = tempfile::tempdir().expect("a folder");
    let early = write(folder.path(), "early", &look(&app.stranger(), &path).await.1);
    play_to_the_end(&game, &players).await;
    sequence_all(&app).await;
    let whole = write(folder.path(), "whole", &look(&app.stranger(), &path).await.1);
    let text = players[0].get(&format!("{game}/record?with=clock")).await.text();
    let record = write(folder.path(), "record", &text);
    let key = key_of(&app).await;
    let (code, said) = command(&["verify", &record, "--proof", &whole, "--log-key", &key]).await;
    assert!(
        code == Some(0) && said.contains("whole: OK, the log ") && said.contains("has all of it"),
        "{said}"
    );
    let (code, said) = command(&["verify", &record, "--proof", &early, "--log-key", &key]).await;
    assert!(code == Some(0) && said.contains("has it up to event 1,"), "{said}");
    // Another record, another log, too few witnesses, no key.
    let other = pip_pip_again(&players[0], &players[1]).await;
    let other = write(folder.path(), "other", &players[0].get(&format!("{other}/record")).await.text());
    let Some(foreign) = with_log().await else { return };
    let foreign = key_of(&foreign).await;
    for (arguments, code) in [
        (vec!["verify", &other, "--proof", &whole, "--log-key", &key], 1),
        (vec!["verify", &record, "--proof", &whole, "--log-key", &foreign], 1),
        (vec!["verify", &record, "--proof", &record, "--log-key", &key], 1),
        (vec!["verify", &record, "--proof", &whole, "--log-key", &key, "--witnesses", "1"], 1),
        (vec!["verify", &record, &other, "--proof", &whole, "--log-key", &key], 2),
        (vec!["verify", &record, "--proof", &whole], 2),
    ] {
        let (found, said) = command(&arguments).await;
        assert_eq!(found, Some(code), "{arguments:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_archive_of_a_player_has_the_proof_of_each_finished_game() {
    let Some(app) = with_log().await else { return };
    let (game, players) = pip_pip(&app).await;
    play_to_the_end(&game, &players).await;
    sequence_all(&app).await;
    let running = pip_pip_again(&players[0], &players[1]).await;
    let late = pip_pip_again(&players[0], &players[1]).await;
    play_to_the_end(&late, &players).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    let packed = players[0].get("/api/v1/me/records.zip").await.body;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(packed)).expect("an archive");
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).expect("a file");
        let (name, mut text) = (file.name().expect("a name").into_owned(), String::new());
        std::io::Read::read_to_string(&mut file, &mut text).expect("a text");
        files.push((write(folder.path(), &name, &text), name));
    }
    let named = |game: &str, end: &str| format!("pip-pip-{}.{end}", id_of(game));
    // The log does not have the late one yet.
    let expected =
        [named(&late, "ndjson"), named(&running, "ndjson"), named(&game, "ndjson"), named(&game, "proof")];
    assert_eq!(files.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>(), expected);
    let key = key_of(&app).await;
    let folder = folder.path().to_str().expect("a name");
    let verify = async |records: &[&str]| {
        command(&[&["verify"], records, &["--proof", folder, "--log-key", &key]].concat()).await
    };
    let (code, said) = verify(&[&files[0].0, &files[1].0, &files[2].0]).await;
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("no proof that a log has it is there").count(), 2, "{said}");
    assert_eq!(said.matches("has all of it").count(), 1, "{said}");
    std::fs::copy(&files[3].0, files[0].0.replace("ndjson", "proof")).expect("a copy");
    let (code, said) = verify(&[&files[0].0, &files[2].0]).await;
    assert!(code == Some(1) && said.contains("FAILED"), "the proof of another game: {said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receipts_command_says_whether_the_log_keeps_the_promise() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, _]) = pip_pip(&app).await;
    let moved = ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let receipt = moved["receipts"][0].as_str().expect("a receipt").to_owned();
    let jwks = format!("{}/.well-known/jwks.json", app.url);
    let key = key_of(&app).await;
    let check = async |receipt: &str| {
        command(&["receipt", "check", receipt, "--jwks", &jwks, "--log", &app.url, "--log-key", &key]).await
    };
    // The time in the receipt is over, and nothing has been put into the log.
    let (code, said) = check(&receipt).await;
    assert!(code == Some(1) && said.contains("log: FAILED. THE SERVER BROKE ITS WORD"), "{said}");
    assert!(said.contains("Keep your receipt and this checkpoint") && said.contains("\u{2014} "), "{said}");
    sequence_all(&app).await;
    let (code, said) = check(&receipt).await;
    assert!(code == Some(0) && said.ends_with("log: OK, it is entry 1 of 2\n"), "{said}");
    let honest = claims(&app, &moved["receipts"][0]);
    let signed = |change: &dyn Fn(&mut Value)| {
        let mut claims = honest.clone();
        change(&mut claims);
        app.app.signing.sign(RECEIPT_KIND, &claims)
    };
    let other_hash = signed(&|claims| claims["hash"] = json!("0".repeat(64)));
    let (code, said) = check(&other_hash).await;
    assert!(code == Some(1) && said.contains("it has another event in its place"), "{said}");
    for (open, words) in [
        (signed(&|claims| (claims["seq"], claims["by"]) = (json!(9), json!(u64::MAX >> 1))), "not there yet"),
        (signed(&|claims| claims["log"] = json!("example.org/log")), "another log"),
        (signed(&|claims| (claims["seq"], claims["by"]) = (json!(9), Value::Null)), "promises no place"),
    ] {
        let (code, said) = check(&open).await;
        assert!(code == Some(2) && said.contains(words), "{words}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_histories_after_a_restored_backup_are_caught_by_the_monitor_and_by_comparing() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, bob]) = pip_pip(&app).await;
    sequence_all(&app).await;
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state").into_os_string().into_string().expect("a name");
    let key = key_of(&app).await;
    let monitor =
        async |url: &str| command(&["monitor", url, "--once", "--state", &state, "--log-key", &key]).await;
    let (code, said) = monitor(&app.url).await;
    assert!(code == Some(0) && said.contains("with 1 entries"), "{said}");
    // The backup.
    let restored = app.copied().await;
    let app = app.second().await;
    let checkpoint = async |app: &TestApp| look(&app.stranger(), "/log/checkpoint").await.1;
    let first = write(folder.path(), "first", &checkpoint(&app).await);
    ann.at(&app.url).post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    sequence_all(&app).await;
    let (code, said) = monitor(&app.url).await;
    assert!(code == Some(0) && said.contains("with 2 entries"), "{said}");
    let second =
        write(folder.path(), "second", &format!("Subject: x\r\n\r\nText.\r\n\r\n{}", checkpoint(&app).await));
    // The server goes on from the backup.
    let (code, said) = monitor(&restored.url).await;
    assert!(code == Some(1) && said.contains("THE LOG has become shorter"), "{said}");
    pip_pip_again(&ann.at(&restored.url), &bob.at(&restored.url)).await;
    sequence_all(&restored).await;
    let (code, said) = monitor(&restored.url).await;
    assert!(code == Some(1) && said.contains("does not continue the last"), "{said}");
    assert_eq!(said.matches("\u{2014} ").count(), 2, "both checkpoints: {said}");
    let forked = write(folder.path(), "forked", &checkpoint(&restored).await);
    let compare = async |one: &str, other: &str, more: &[&str]| {
        command(&[&["log", "compare", one, other, "--log-key", &key], more].concat()).await
    };
    let (code, said) = compare(&second, &forked, &[]).await;
    assert!(code == Some(1) && said.contains("THESE CONTRADICT"), "{said}");
    assert_eq!(compare(&second, &second, &[]).await.0, Some(0));
    let (code, said) = compare(&first, &second, &["--log", &app.url]).await;
    assert!(code == Some(0) && said.contains("continues"), "{said}");
    assert_eq!(compare(&first, &second, &[]).await.0, Some(2), "nobody was asked for the proof");
    assert_eq!(compare(&first, "/dev/null", &[]).await.0, Some(2));
    let note = Note::read(&checkpoint(&restored).await).expect("a note");
    let size = Checkpoint::of_text(&note.text).expect("a checkpoint").size;
    assert_eq!(size, 2);
}
