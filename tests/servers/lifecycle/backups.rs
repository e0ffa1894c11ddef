//! Backups that are made while people play: restored, audited, served again; to a moment; and the drill.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::players::Players;
use super::{blocking, until};
use support::Client;
use support::games::{open_game, play_to_the_end};
use support::process::Server;

/// The folder of backups, beside the data folder; both are relative to the server's folder.
const BACKUPS: &str = "backups";
const KEYS: &str = "keys.json";

fn output(mut command: Command) -> Output {
    command.output().expect("the program")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

async fn run(server: &Server, arguments: &[&str]) -> Output {
    let command = server.command(arguments);
    blocking(move || output(command)).await
}

#[track_caller]
fn well(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    said(output)
}

/// The bytes of all files below a folder.
fn files(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else {
            found.push((entry.path(), fs::read(entry.path()).expect("a file")));
        }
    }
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// How many games a command names: at least those that were begun, for fast players begin further ones.
#[track_caller]
fn games(said: &str, begun: usize) -> usize {
    let (before, _) = said.split_once(" games").expect("it counts games");
    let games = before.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number");
    assert!(games >= begun, "{said}");
    games
}

/// Lines of the keys that are secret: hexadecimal digits, and the second line of a PEM file.
fn secrets(server: &Server) -> Vec<String> {
    let mut found = Vec::new();
    files(&server.data_dir().join("keys"), &mut found);
    let texts = found.into_iter().map(|(_, bytes)| String::from_utf8(bytes).expect("text"));
    let secrets: Vec<String> = texts
        .flat_map(|text| {
            text.lines().filter(|line| !line.starts_with('-')).map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|line| line.len() > 16)
        .collect();
    assert!(secrets.len() >= 2, "the secret key and a signing key");
    secrets
}

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

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_amid_moves_is_restored_audited_and_served_and_holds_no_key() {
    let server = blocking(Server::start).await;
    let players = Players::begin(&server, 3).await;
    players.goes_on(20).await;
    let inside = run(&server, &["backup", BACKUPS, "--keys", "backups/keys.json"]).await;
    assert!(!inside.status.success() && said(&inside).contains("do not belong"), "{}", said(&inside));
    let made = well(&run(&server, &["backup", BACKUPS, "--keys", KEYS]).await);
    assert!(made.contains(" games, newest move at ") && made.contains("keep it elsewhere"), "{made}");
    let copied_games = games(&made, 3);
    players.goes_on(20).await;
    let played = players.end().await;

    let folder = server.folder.path();
    let mode = fs::metadata(folder.join(KEYS)).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut copied = Vec::new();
    files(&folder.join(BACKUPS), &mut copied);
    for secret in secrets(&server) {
        let with = copied.iter().find(|(_, bytes)| holds(bytes, secret.as_bytes()));
        assert!(with.is_none(), "a key is in {:?}", with.map(|(path, _)| path));
        if let Ok(raw) = hex::decode(&secret) {
            assert!(!copied.iter().any(|(_, bytes)| holds(bytes, &raw)), "the secret key as bytes");
        }
    }

    // The server runs on meanwhile.
    let restored = well(&run(&server, &["restore", BACKUPS, "--data-dir", "again", "--keys", KEYS]).await);
    assert!(restored.contains(" games, newest move at "), "{restored}");
    games(&restored, copied_games);
    let audited = well(&run(&server, &["audit", "--data-dir", "again"]).await);
    assert!(audited.contains(" 0 findings, 0 of them rebuilt.\n"), "{audited}");
    let keyless = run(&server, &["restore", BACKUPS, "--data-dir", "none", "--keys", "none.json"]).await;
    assert!(!keyless.status.success() && said(&keyless).contains("none.json"), "{}", said(&keyless));
    assert!(!folder.join("none/pg").exists(), "it is refused before anything is restored");
    let taken = run(&server, &["restore", BACKUPS, "--data-dir", "again"]).await;
    assert!(!taken.status.success() && said(&taken).contains("holds a database already"), "{}", said(&taken));

    // Without the keys nothing of it is of use.
    well(&run(&server, &["restore", BACKUPS, "--data-dir", "keyless"]).await);
    let keyless = run(&server, &["audit", "--data-dir", "keyless"]).await;
    assert_eq!(keyless.status.code(), Some(2), "{}", said(&keyless));

    let again = serve(&folder.join("again"), server.url()).await;
    for one in played {
        let view = one.players[0].at(&again.url()).get(&one.first_game).await.ok();
        assert!(view["status"] == "running" || view["status"] == "finished", "{view}");
        assert!(view["seq"].as_u64() > Some(0), "{view}");
    }
}

/// A server on restored data, for whom the tokens of the one that is lost are valid.
async fn serve(data_dir: &Path, public_url: String) -> Server {
    let data_dir = data_dir.display().to_string();
    blocking(move || Server::start_bare(&["--data-dir", &data_dir, "--public-url", &public_url])).await
}

/// A game of two players in seat order, its path, and the first answer to a move.
pub async fn begin(server: &Server) -> (String, [Client; 2]) {
    let players = [server.register("ann").await, server.register("bob").await];
    let game = open_game(&players[0]).await;
    players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    (game, players)
}

/// Makes the first legal action of whoever is to move.
pub async fn make_move(game: &str, players: &[Client; 2]) -> Value {
    let view = players[0].get(game).await.ok();
    let seat = usize::try_from(view["to_act"].as_u64().expect("it runs")).expect("a seat");
    let legal = players[seat].get(&format!("{game}/actions")).await.ok();
    let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
    players[seat].post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()
}

pub async fn seq(game: &str, player: &Client) -> u64 {
    player.get(game).await.ok()["seq"].as_u64().expect("a number")
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

#[tokio::test(flavor = "multi_thread")]
async fn the_drill_restores_and_audits_and_fails_if_anything_is_wrong() {
    let server = blocking(Server::start).await;
    let players = Players::begin(&server, 1).await;
    players.goes_on(5).await;
    // As a killed one leaves it, long ago and just now.
    let (old, new) =
        (server.folder.path().join("backups/old.part"), server.folder.path().join("backups/new.part"));
    fs::create_dir_all(&old).and_then(|()| fs::create_dir(&new)).expect("makes");
    let long_ago = SystemTime::now() - Duration::from_hours(48);
    fs::File::open(&old).and_then(|folder| folder.set_modified(long_ago)).expect("ours");
    let made = well(&run(&server, &["backup", BACKUPS, "--keys", KEYS]).await);
    assert!(!old.exists() && new.exists(), "what may be under way stays");
    fs::remove_dir(&new).expect("ours");
    let left = ["pippost-drill-1", "pippost-drill-2"].map(|name| server.folder.path().join(name));
    for folder in &left {
        fs::create_dir(folder).expect("makes");
    }
    fs::File::open(&left[0]).and_then(|folder| folder.set_modified(long_ago)).expect("ours");
    let drilled = well(&run(&server, &["drill", BACKUPS, "--in", ".", "--keys", KEYS]).await);
    assert!(!left[0].exists() && left[1].exists(), "what may be under way stays");
    fs::remove_dir(&left[1]).expect("ours");
    assert!(drilled.contains(" 0 findings"), "{drilled}");
    games(&drilled, games(&made, 1));
    assert!(drilled.contains("the newest move is 0 minutes old"), "{drilled}");
    players.end().await;

    // Backups of one second would have one name; the older one of two is removed.
    until("another second", async || {
        let made = run(&server, &["backup", BACKUPS, "--keep", "1"]).await;
        made.status.success()
    })
    .await;
    let folder = server.folder.path();
    let backups: Vec<PathBuf> = fs::read_dir(folder.join(BACKUPS))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    assert_eq!(backups.len(), 1, "{backups:?}");

    let table = backups[0].join("pg/global/pg_control");
    let whole = fs::read(&table).expect("a file");
    fs::write(&table, [&whole[..100], b"x", &whole[101..]].concat()).expect("writes");
    let damaged = run(&server, &["drill", BACKUPS, "--in", "."]).await;
    assert_eq!(damaged.status.code(), Some(2), "{}", said(&damaged));
    assert!(said(&damaged).contains("is damaged"), "{}", said(&damaged));
    fs::write(&table, &whole).expect("writes");

    // Damage that was in the database already when it was backed up.
    let url = format!("host={} user=postgres dbname=pippost", server.data_dir().join("sock").display());
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("connects");
    tokio::spawn(connection);
    client.batch_execute("update game_states set at = at + interval '1 hour'").await.expect("damage");
    until("another second", async || run(&server, &["backup", BACKUPS]).await.status.success()).await;
    let wrong = run(&server, &["drill", BACKUPS, "--in", "."]).await;
    assert_eq!(wrong.status.code(), Some(1), "{}", said(&wrong));
    let left = fs::read_dir(folder).expect("a folder").flatten();
    let left: Vec<_> = left.filter(|entry| entry.file_name().to_string_lossy().contains("drill")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_names_the_objects_of_the_archive_that_it_needs_and_copies_of_them_serve_the_restored() {
    // A sandbox's clock can be moved until the game is old enough.
    let server = blocking(|| Server::start_with(&["--sandbox"])).await;
    let (game, players) = begin(&server).await;
    play_to_the_end(&game, &players).await;
    let record = format!("{game}/record");
    let played = players[0].get(&record).await.expect_status(200).body.clone();
    let two_days = json!({"advance_seconds": 2 * 86_400});
    players[0].post("/api/v1/sandbox/clock", &two_days).await.expect_status(200);
    let archive = server.folder.path().join("archive");
    fs::create_dir(&archive).expect("makes");
    let place = format!("file:{}", archive.display());
    let due = ["archive", "--sandbox", "--archive", &place, "--archive-after-days", "1"];
    let moved = well(&run(&server, &due).await);
    assert!(moved.contains("games moved: 1"), "{moved}");
    let made = well(&run(&server, &["backup", BACKUPS, "--archive", &place, "--keys", KEYS]).await);
    assert!(made.contains(&format!("archive: 1 objects in {place}")), "{made}");
    let (mut backup, mut objects) = (Vec::new(), Vec::new());
    files(&server.folder.path().join(BACKUPS), &mut backup);
    files(&archive, &mut objects);
    let (_, listed) = backup.iter().find(|(path, _)| path.ends_with("objects.txt")).expect("a list");
    let listed = String::from_utf8(listed.clone()).expect("text");
    let fields: Vec<&str> = listed.split_whitespace().collect();
    assert_eq!(objects.len(), 1);
    assert!(objects[0].0.display().to_string().contains(fields[0]), "{listed}: {:?}", objects[0].0);
    assert_eq!((fields[1].parse(), Some(fields[2])), (Ok(objects[0].1.len()), game.rsplit('/').next()));

    // On another machine, to which only the listed objects were copied; and on one without them.
    let folder = server.folder.path();
    let copy = folder.join("copies").join(objects[0].0.strip_prefix(&archive).expect("of the archive"));
    fs::create_dir_all(copy.parent().expect("a folder")).expect("makes");
    fs::write(&copy, &objects[0].1).and_then(|()| fs::create_dir(folder.join("empty"))).expect("writes");
    well(&run(&server, &["restore", BACKUPS, "--data-dir", "again", "--keys", KEYS]).await);
    for (name, status) in [("empty", 503), ("copies", 200)] {
        let place = format!("file:{}", folder.join(name).display());
        let (data_dir, url) = (folder.join("again").display().to_string(), server.url());
        let arguments = ["--sandbox", "--archive", &place, "--data-dir", &data_dir, "--public-url", &url];
        let arguments = arguments.map(str::to_owned);
        let start = move || Server::start_bare(&arguments.each_ref().map(String::as_str));
        let mut again = blocking(start).await;
        let answer = Client::new(&again.url(), None).get(&record).await;
        assert!(
            answer.expect_status(status).status != 200 || answer.body == played,
            "{name}: another record"
        );
        blocking(move || again.stop()).await;
    }
}
