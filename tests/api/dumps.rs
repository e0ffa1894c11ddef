//! Daily dumps of public games: what is in them and who is not, that a day is written once and whole, that everybody may have it, and that
//! the command finds what is wrong with one.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::Output;
use std::time::{Duration as StdDuration, Instant};

use pippost::app::App;
use pippost::games::dumps::{self, IndexEntry, Manifest};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use time::Duration;

use support::browsing::Browsing;
use support::games::{pip_pip, pip_pip_again};
use support::transparency::{sequence_all, with_log};
use support::{Client, TestApp};

/// The day on which the clock of tests begins.
const DAY: &str = "pippost-2026-11-21";

async fn write_next(app: &TestApp, folder: &TempDir) -> bool {
    dumps::write_next(&app.app.games, folder.path()).await.expect("a dump")
}

async fn resign(player: &Client, game: &str) {
    player.post(&format!("{game}/resign"), &json!({})).await.ok();
}

/// A game of these two for nobody else.
async fn private_game(ann: &Client, bob: &Client) -> String {
    let wanted = json!({"rules": "pip-pip", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({"invitation": created["invitation"]})).await.ok();
    game
}

fn read(folder: &TempDir) -> (Manifest, Vec<IndexEntry>, Vec<u8>) {
    let file = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    let manifest: Manifest = serde_json::from_slice(&file(&format!("{DAY}.json"))).expect("a manifest");
    let index = String::from_utf8(file(&manifest.index.name)).expect("text");
    let entries = index.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    let mut records = Vec::new();
    let packed = file(&manifest.records.name);
    zstd::Decoder::new(&packed[..]).expect("zstd").read_to_end(&mut records).expect("zstd");
    (manifest, entries, records)
}

async fn check(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.args(["dump", "--check"]).arg(folder.join(format!("{DAY}.json"))).args(more);
    let Output { status, stdout, stderr } = command.output().await.expect("an exit");
    (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_has_the_public_games_that_ended_on_it_but_for_those_of_players_who_do_not_want_that() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, bob]) = pip_pip(&app).await;
    resign(&ann, &game).await;
    let (private, running) = (private_game(&ann, &bob).await, pip_pip_again(&ann, &bob).await);
    resign(&bob, &private).await;
    let carol = app.player("carol").await;
    carol.patch("/api/v1/me/notification-preferences", &json!({"in_dumps": false})).await.ok();
    let unwilling = pip_pip_again(&ann, &carol).await;
    resign(&ann, &unwilling).await;
    sequence_all(&app).await;
    let folder = tempfile::tempdir().expect("a folder");
    app.app.clock.advance(Duration::hours(12));
    assert!(!write_next(&app, &folder).await, "the day may still get games");
    app.app.clock.advance(Duration::HOUR);
    // What a process has left behind that was killed while it wrote.
    std::fs::write(folder.path().join(format!(".{DAY}.ndjson.zst.part")), "half").expect("a file");
    assert!(write_next(&app, &folder).await);
    assert!(!write_next(&app, &folder).await, "a day is written once");
    let (manifest, entries, records) = read(&folder);
    assert_eq!((manifest.games, manifest.left_out, manifest.unreadable), (1, 1, 0));
    assert_eq!(manifest.by_rules, BTreeMap::from([("pip-pip".to_owned(), 1)]));
    assert!(manifest.checkpoint.is_some());
    let whole = app.stranger().get(&format!("{game}/record?with=clock")).await.body;
    assert_eq!(records, whole, "what everybody may read of it, byte for byte");
    assert_eq!(entries.len(), 1);
    assert!(game.ends_with(&entries[0].game.to_string()));
    for other in [private, running, unwilling] {
        let id = other.rsplit('/').next().expect("an id");
        assert!(!String::from_utf8_lossy(&records).contains(id), "{id}");
    }
    let key = app.stranger().request(Method::GET, "/log/key").send().await.expect("an answer");
    let key = key.text().await.expect("a key");
    let (code, said) = check(folder.path(), &["--log-key", key.trim()]).await;
    assert!(code == Some(0) && said.contains("OK, 1 games of 2026-11-21"), "{said}");
    assert!(said.contains("/log has 1 of them"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_finds_what_is_wrong_with_a_dump() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    resign(&ann, &game).await;
    let folder = tempfile::tempdir().expect("a folder");
    app.app.clock.advance(Duration::hours(13));
    assert!(write_next(&app, &folder).await);
    let (code, said) = check(folder.path(), &[]).await;
    assert_eq!(code, Some(0), "{said}");
    let (manifest, entries, records) = read(&folder);
    let path = |name: &str| folder.path().join(name);
    let say = |manifest: &Value| {
        std::fs::write(path(&format!("{DAY}.json")), manifest.to_string()).expect("a file");
    };
    let honest = serde_json::to_value(&manifest).expect("JSON");
    // A game that nobody played: hashes and lengths fit, and its record does not verify.
    let forged = String::from_utf8(records).expect("text").replacen("ann", "eve", 1).into_bytes();
    let packed = zstd::encode_all(&forged[..], 3).expect("zstd");
    let mut entry = entries[0].clone();
    entry.sha256 = pippost::record::Hash::of(&[&forged]);
    let index = serde_json::to_string(&entry).expect("JSON") + "\n";
    let mut lying = honest.clone();
    for (file, content) in [("records", &packed[..]), ("index", index.as_bytes())] {
        let name = honest[file]["name"].as_str().expect("a name");
        std::fs::write(path(name), content).expect("a file");
        lying[file]["bytes"] = json!(content.len());
        lying[file]["sha256"] = json!(pippost::record::Hash::of(&[content]));
    }
    let (code, said) = check(folder.path(), &[]).await;
    assert!(code == Some(1) && said.contains("which is not what the manifest says"), "{said}");
    say(&lying);
    let (code, said) = check(folder.path(), &[]).await;
    assert!(code == Some(1) && said.contains("FAILED, 1 refused"), "{said}");
    // A manifest that names a file elsewhere, one with a game too many, and one whose file is gone.
    let mut elsewhere = honest.clone();
    elsewhere["records"]["name"] = json!("../secret");
    say(&elsewhere);
    let (code, said) = check(folder.path(), &[]).await;
    assert!(code == Some(1) && said.contains("is no name of a file of a dump"), "{said}");
    lying["games"] = json!(2);
    say(&lying);
    let (code, said) = check(folder.path(), &[]).await;
    assert!(code == Some(1) && said.contains("it has 1 games, and its manifest says 2"), "{said}");
    std::fs::remove_file(path(&manifest.index.name)).expect("the index");
    let (code, said) = check(folder.path(), &[]).await;
    assert_eq!(code, Some(2), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn days_come_in_order_and_one_process_writes_at_a_time() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    resign(&ann, &game).await;
    app.app.clock.advance(Duration::days(2));
    let ann = app.log_in("ann").await;
    let later = pip_pip_again(&ann, &app.log_in("bob").await).await;
    resign(&ann, &later).await;
    drop(bob);
    app.app.clock.advance(Duration::days(1));
    let folder = tempfile::tempdir().expect("a folder");
    let lock = std::fs::File::create(folder.path().join(".lock")).expect("a file");
    lock.lock().expect("a lock");
    assert!(!write_next(&app, &folder).await, "another process writes");
    drop(lock);
    let mut days = Vec::new();
    // A process that another test starts holds the lock, too, until it has become the program.
    let deadline = Instant::now() + StdDuration::from_mins(1);
    while days.len() < 3 && Instant::now() < deadline {
        if !write_next(&app, &folder).await {
            continue;
        }
        let (manifests, _) = dumps::manifests(folder.path(), None, 1).expect("a manifest");
        days.push((manifests[0].day.clone(), manifests[0].games));
    }
    let written = [("2026-11-21", 1), ("2026-11-22", 0), ("2026-11-23", 1)];
    assert_eq!(days, written.map(|(day, games)| (day.to_owned(), games)));
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_may_have_them_in_ranges_and_a_page_lists_them() {
    let app = TestApp::start().await;
    let without = app.stranger().request(Method::GET, "/dumps").send().await.expect("an answer");
    assert_eq!(without.status(), 404);
    let (game, [ann, _]) = pip_pip(&app).await;
    resign(&ann, &game).await;
    let folder = tempfile::tempdir().expect("a folder");
    app.app.clock.advance(Duration::hours(13));
    assert!(write_next(&app, &folder).await);
    let serving = App { dumps: Some(folder.path().to_owned()), ..app.app.clone() };
    let app = app.serving(serving);
    let html = Browsing::of(&app).get("/dumps").await.expect(200).html;
    let manifest = read(&folder).0;
    for file in [&manifest.records.name, &manifest.index.name, &format!("{DAY}.json")] {
        assert!(html.contains(&format!("/dumps/{file}")), "{file}: {html}");
    }
    assert!(html.contains("One game.") && !html.contains("left out"), "{html}");
    assert!(Browsing::of(&app).get("/games?status=finished").await.expect(200).html.contains("\"/dumps\""));
    let ask = async |path: &str, range: Option<&str>| {
        let mut request = app.stranger().request(Method::GET, path).header("accept-encoding", "gzip");
        if let Some(range) = range {
            request = request.header("range", range);
        }
        let answer = request.send().await.expect("an answer");
        (answer.status().as_u16(), answer.bytes().await.expect("a body").to_vec())
    };
    let path = format!("/dumps/{}", manifest.records.name);
    let (status, whole) = ask(&path, None).await;
    assert_eq!((status, whole.len() as u64), (200, manifest.records.bytes));
    assert_eq!(ask(&path, Some("bytes=10-")).await, (206, whole[10..].to_vec()));
    for path in
        ["/dumps/.lock", "/dumps/pippost-2026-11-22.json", "/dumps/..%2f..%2fetc%2fpasswd", "/dumps?before=x"]
    {
        assert!([404, 400, 422].contains(&ask(path, None).await.0), "{path}");
    }
    let before = Browsing::of(&app).get("/dumps?before=2026-11-21").await.expect(200).html;
    assert!(before.contains("No day is written yet"), "{before}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_says_on_a_page_whether_games_may_be_in_dumps() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let (ann, page) = (Browsing::log_in(&app, "ann").await, "/preferences/data");
    let is_ticked = async || {
        let html = ann.get(page).await.expect(200).html;
        let field = html.split("name=\"in_dumps\"").nth(1).expect("a box");
        field.split('>').next().is_some_and(|rest| rest.contains("checked"))
    };
    assert!(is_ticked().await);
    ann.post(page, &[]).await.expect(303);
    assert!(!is_ticked().await);
    // The form of mails says nothing about it.
    ann.post("/preferences/mails", &[("turns", "each")]).await.expect(303);
    assert!(!is_ticked().await);
    let told = app.log_in("ann").await.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(told["in_dumps"], false);
    ann.post(page, &[("in_dumps", "on")]).await.expect(303);
    assert!(is_ticked().await);
}
