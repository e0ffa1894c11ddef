//! The witness as a program: it signs what continues the log, keeps that before it answers, and never signs two histories, however
//! often it is killed. A server has its checkpoints signed by it, and does not start on a database that is older than what was signed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use pippost::log::checkpoint::{Checkpoint, cosignatures};
use pippost::log::note::{KeyKind, Note, Signature, SignerKey, VerifierKey};
use pippost::log::tree::{self, Leaves, leaf_hash, prove_consistency};
use pippost::log::witness::Request;
use reqwest::Method;
use serde_json::json;

use support::Client;
use support::process::Server;
use support::program::executable;
use support::waiting::until;

const NAME: &str = "witness.example/w1";

/// A running witness.
struct Witness {
    child: Child,
    url: String,
    key: VerifierKey,
}

impl Witness {
    /// Starts it on a state folder; it listens on a free port.
    fn start(state: &Path, logs: &str) -> Self {
        let mut command = Command::new(executable());
        command
            .args(["witness", "--name", NAME, "--listen", "127.0.0.1:0", "--log-key", logs])
            .arg("--state")
            .arg(state);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let lines: Vec<String> = lines.take(3).map(|line| line.expect("text")).collect();
        let said = |number: usize| lines[number].split_whitespace().last().expect("a word").to_owned();
        assert_eq!(lines[0], "pippost is ready to witness.");
        let key = VerifierKey::read(&said(2)).expect("a key");
        Self { child, url: said(1), key }
    }

    fn kill(&mut self) {
        self.child.kill().expect("a running witness");
        self.child.wait().expect("an exit");
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn log_key() -> SignerKey {
    SignerKey::from_seed("log.example/log", KeyKind::Log, &[3; 32]).expect("a key")
}

/// A history: the first leaves are those of all histories.
fn history(name: u64) -> Leaves {
    const COMMON: u64 = 5;
    const SIZE: u64 = 60;
    let leaf = |number: u64| {
        leaf_hash(&[number, if number < COMMON { 0 } else { name }].map(u64::to_be_bytes).concat())
    };
    Leaves((0..SIZE).map(leaf).collect())
}

fn request(of: &Leaves, old: u64, new: u64) -> Request {
    let root = tree::root(of, new).expect("all leaves");
    let checkpoint = Checkpoint { origin: "log.example/log".to_owned(), size: new, root };
    let proof = prove_consistency(of, old, new).expect("all leaves");
    Request { old, proof, checkpoint: checkpoint.sign(&log_key()) }
}

/// The status and body of an answer; `None` if the witness ended before.
async fn send(client: &Client, text: String) -> Option<(u16, String)> {
    let answer = client.request(Method::POST, "/add-checkpoint").body(text).send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, answer.text().await.ok()?))
}

/// The size that a witness has signed last.
async fn last_size(client: &Client) -> Option<u64> {
    let (status, body) = send(client, request(&history(1), 0, 1).text()).await?;
    if status == 409 { body.trim().parse().ok() } else { Some(1) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_witness_answers_as_the_specification_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = Witness::start(folder.path(), &log_key().verifier().to_string());
    let (client, one, other) = (Client::new(&witness.url, None), history(1), history(2));
    let send = async |text: String| send(&client, text).await.expect("an answer");
    let (status, body) = send(request(&one, 0, 7).text()).await;
    assert_eq!(status, 200, "{body}");
    let signature = Signature::read(body.trim_end()).expect("a signature");
    let mut note = request(&one, 0, 7).checkpoint;
    note.signatures.push(signature);
    let signed = cosignatures(&note, std::slice::from_ref(&witness.key)).expect("its signature");
    assert_eq!(signed.len(), 1);
    let foreign = SignerKey::from_seed("other.example/log", KeyKind::Log, &[3; 32]).expect("a key");
    let unsigned = SignerKey::from_seed("log.example/log", KeyKind::Log, &[4; 32]).expect("a key");
    let by = |key: &SignerKey, origin: &str| {
        let checkpoint = Checkpoint { origin: origin.to_owned(), size: 0, root: tree::empty_root() };
        Request { old: 0, proof: Vec::new(), checkpoint: checkpoint.sign(key) }.text()
    };
    let larger = Request { old: 9, ..request(&one, 7, 8) };
    for (text, status, body) in [
        (request(&one, 0, 9).text(), 409, "7\n"),
        (request(&other, 7, 9).text(), 422, ""),
        (request(&other, 7, 7).text(), 422, ""),
        (larger.text(), 400, ""),
        ("nonsense".to_owned(), 400, ""),
        (by(&foreign, "other.example/log"), 404, ""),
        (by(&unsigned, "log.example/log"), 403, ""),
        (request(&one, 7, 9).text(), 200, "\u{2014} witness.example/w1 "),
    ] {
        let (found, said) = send(text.clone()).await;
        assert!(found == status && said.starts_with(body), "{found} {said} for {text}");
    }
    let origin = hex::encode(pippost::log::entry::footer_hash(b"log.example/log"));
    let kept = client.request(Method::GET, &format!("/{origin}/checkpoint")).send().await.expect("an answer");
    let kept = Note::read(&kept.text().await.expect("text")).expect("a note");
    let checkpoint = Checkpoint::open(&kept, log_key().verifier()).expect("signed by the log");
    assert_eq!(
        (checkpoint.size, cosignatures(&kept, std::slice::from_ref(&witness.key)).map(|all| all.len())),
        (9, Ok(1))
    );
    // Two processes with one state could sign two histories.
    let mut second = Command::new(executable());
    second.args([
        "witness",
        "--name",
        NAME,
        "--listen",
        "127.0.0.1:0",
        "--log-key",
        &log_key().verifier().to_string(),
    ]);
    let refused = second.arg("--state").arg(folder.path()).output().expect("an exit");
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("another witness")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_witness_that_is_killed_again_and_again_signs_one_history_alone() {
    const ROUNDS: u32 = 16;
    let folder = tempfile::tempdir().expect("a folder");
    let histories = [history(1), history(2)];
    let key = log_key().verifier().to_string();
    let (mut signed, mut ended) = (Vec::new(), 0);
    for round in 0..ROUNDS {
        let mut witness = Witness::start(folder.path(), &key);
        let client = Client::new(&witness.url, None);
        let Some(last) = last_size(&client).await else { continue };
        // Two servers, each with a history of its own, ask at once; in the middle the witness is killed.
        let asking = (0..8_u64).map(|number| {
            let which = usize::from((number + u64::from(round)).is_multiple_of(2));
            let new = (last + 1 + number / 4).min(60);
            let text = request(&histories[which], last, new).text();
            let client = client.clone();
            tokio::spawn(async move { (which, new, send(&client, text).await) })
        });
        let asking: Vec<_> = asking.collect();
        for _ in 0..round * 40 {
            tokio::task::yield_now().await;
        }
        if round % 2 == 0 {
            witness.kill();
        }
        for asked in asking {
            let (which, new, answer) = asked.await.expect("no panic");
            match answer {
                Some((200, _)) => signed.push((which, new)),
                Some((status, body)) => assert!([409, 422].contains(&status), "{status} {body}"),
                None => ended += 1,
            }
        }
    }
    assert!(ended > 0, "it was never killed in the middle");
    let beyond: Vec<usize> = signed.iter().filter(|(_, size)| *size > 5).map(|(which, _)| *which).collect();
    assert!(beyond.len() > 3, "{signed:?}");
    assert!(beyond.iter().all(|which| *which == beyond[0]), "two histories were signed: {signed:?}");
    assert!(
        signed.is_sorted_by_key(|(_, size)| *size),
        "an older one was signed after a newer one: {signed:?}"
    );
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp");
    assert!(copied.success());
}

async fn checkpoint(url: &str) -> String {
    let answer = reqwest::get(format!("{url}/log/checkpoint")).await.expect("an answer");
    answer.text().await.expect("text")
}

fn size_of_log(note: &str) -> u64 {
    note.lines().nth(1).and_then(|size| size.parse().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_has_its_log_signed_and_does_not_start_on_an_older_database() {
    let mut server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let url = server.url();
    let players = [server.register("ann").await, server.register("bob").await];
    let start_game = async || {
        let created = players[0].post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
        let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
        players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    };
    start_game().await;
    until("the first entry", async || size_of_log(&checkpoint(&url).await) == 1).await;
    let key = reqwest::get(format!("{url}/log/key")).await.expect("an answer").text().await.expect("text");
    let folder = tempfile::tempdir().expect("a folder");
    let witness = Witness::start(folder.path(), key.trim());
    let named = format!("{}#{}", witness.url, witness.key);
    // The backup is made while the server is stopped.
    server.stop();
    let (data, backup) = (server.data_dir(), server.folder.path().join("backup"));
    copy(&data, &backup);
    let arguments = ["--log-witnesses", named.as_str()];
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let start = move |server: Server, arguments: Vec<String>| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        server.stop_and_start_with(&arguments)
    };
    let with_witness = arguments.clone();
    let mut server =
        tokio::task::spawn_blocking(move || start(server, with_witness)).await.expect("a server");
    start_game().await;
    until("a signature of the witness", async || {
        let note = checkpoint(&url).await;
        size_of_log(&note) == 2 && note.contains(&format!("\u{2014} {NAME} "))
    })
    .await;
    let known = data.join("log.checkpoint");
    until("the file of the checkpoint", async || {
        std::fs::read_to_string(&known).is_ok_and(|note| size_of_log(&note) == 2)
    })
    .await;
    server.stop();
    // The database of the backup, with the file of the server; and then without the file, too.
    let kept = server.folder.path().join("log.checkpoint");
    std::fs::copy(&known, &kept).expect("a copy");
    std::fs::remove_dir_all(&data).expect("no data");
    copy(&backup, &data);
    std::fs::copy(&kept, &known).expect("a copy");
    let refused = |server: &Server, command: &[&str], more: &[String]| {
        let arguments: Vec<&str> = command.iter().copied().chain(more.iter().map(String::as_str)).collect();
        let done = server.command(&arguments).output().expect("an exit");
        assert!(!done.status.success());
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for command in [&serve[..], &["work"]] {
        let said = refused(&server, command, &[]);
        assert!(said.contains("does not continue the log") && said.contains("The choices: "), "{said}");
    }
    std::fs::remove_file(&known).expect("a file");
    let said = refused(&server, &serve, &arguments);
    assert!(said.contains("has signed 2 entries of this log, and the database has 1"), "{said}");
}

#[test]
fn a_key_of_a_log_and_a_state_are_needed() {
    let state: PathBuf = tempfile::tempdir().expect("a folder").path().to_owned();
    for arguments in [vec!["witness", "--name", "a b", "--log-key"], vec!["witness", "--name", "a"]] {
        let done =
            Command::new(executable()).args(&arguments).arg("--state").arg(&state).output().expect("an exit");
        assert!(!done.status.success(), "{arguments:?}");
    }
}
