//! Mails carry the newest checkpoint of the log, so that two of them show whether the server has told everybody the same history.

use std::path::Path;

use mail_parser::MessageParser;
use pippost::log::note::{Note, VerifierKey};
use pippost::log::tree::verify_consistency;
use pippost::log::{Checkpoint, Hash};
use pippost::mail::CHECKPOINT_HEADER;
use serde_json::json;

use support::games::{pip_pip, pip_pip_again};
use support::post::{Got, Post};
use support::program::executable;
use support::transparency::{sequence_all, with_log};
use support::{Client, TestApp};

/// The signed checkpoint in the header of a mail.
fn note_of(mail: &Got) -> Note {
    let read = MessageParser::default().parse(mail.raw.as_bytes()).expect("a mail");
    Note::of_words(read.header_raw(CHECKPOINT_HEADER).expect("a header")).expect("a note")
}

async fn at(app: &TestApp, path: &str) -> String {
    let answer = reqwest::get(format!("{}{path}", app.url)).await.expect("an answer");
    answer.text().await.expect("a text")
}

/// Keeps a mail as people do; returns the file's name.
fn save(folder: &Path, name: &str, mail: &str) -> String {
    let path = folder.join(format!("{name}.eml"));
    std::fs::write(&path, mail).expect("a file");
    path.into_os_string().into_string().expect("a name")
}

async fn compare(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = tokio::process::Command::new(executable());
    let done = command.args([&["log", "compare"], arguments].concat()).output().await.expect("an exit");
    let said = [done.stdout, done.stderr].concat();
    (done.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// Resigns: one event, of which the other player is told.
async fn resign(app: &TestApp, player: &Client, game: &str) {
    player.at(&app.url).post(&format!("{game}/resign"), &json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_mail_carries_the_checkpoint_of_its_batch_signed_in_a_header_and_in_small_print() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    // Nothing is in the log yet.
    assert!(!post.last("ann").await.raw.contains(CHECKPOINT_HEADER));
    pip_pip_again(&ann, &bob).await;
    sequence_all(&app).await;
    let key = VerifierKey::read(at(&app, "/log/key").await.trim()).expect("a key");
    for handle in ["ann", "bob"] {
        let mail = post.last(handle).await;
        let note = note_of(&mail);
        assert_eq!(note.to_string(), at(&app, "/log/checkpoint").await);
        let Checkpoint { origin, size, .. } = Checkpoint::open(&note, &key).expect("signed by the log");
        assert_eq!(size, 2);
        let text = mail.text.replace('\n', " ");
        let root = note.text.lines().nth(2).expect("a root");
        assert!(
            text.contains(&format!("The log of all games: {origin}, size {size}, root {root}")),
            "{text}"
        );
    }
    resign(&app, &ann, &game).await;
    sequence_all(&app).await;
    let newer = note_of(&post.last("bob").await);
    assert_eq!(Checkpoint::open(&newer, &key).map(|newer| newer.size), Ok(4), "with the footer");
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_of_a_server_without_a_log_say_nothing_of_one() {
    for app in [TestApp::start().await, TestApp::sandbox().await] {
        let (_game, _players) = pip_pip(&app).await;
        let mail = Post::of(&app).last("ann").await;
        assert!(!mail.raw.contains(CHECKPOINT_HEADER) && !mail.text.contains("The log of"), "{}", mail.raw);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_mails_tell_whether_the_server_has_two_histories() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, bob]) = pip_pip(&app).await;
    sequence_all(&app).await;
    let key = at(&app, "/log/key").await.trim().to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    let keep = async |app: &TestApp, handle: &str, name: &str| {
        save(folder.path(), name, &Post::of(app).last(handle).await.raw)
    };
    let first = keep(&app, "ann", "first").await;
    let same = save(folder.path(), "same", &std::fs::read_to_string(&first).expect("a mail"));
    // The backup, from which the server goes on for some of its players.
    let restored = app.copied().await;
    let app = app.second().await;
    resign(&app, &ann, &game).await;
    sequence_all(&app).await;
    let second = keep(&app, "bob", "second").await;
    for _ in 0..2 {
        pip_pip_again(&ann.at(&restored.url), &bob.at(&restored.url)).await;
    }
    sequence_all(&restored).await;
    let forked = keep(&restored, "ann", "forked").await;
    let with_key = ["--log-key", key.as_str()];
    let server = ["--log", app.url.as_str()];
    let other = ["--log", restored.url.as_str()];
    for (one, two, more, code, words) in [
        (&first, &same, &with_key[..], 0, "the same history"),
        (&first, &second, &[&with_key[..], &server].concat(), 0, "continues the smaller one"),
        (&second, &first, &server[..], 0, "continues the smaller one"),
        (&second, &forked, &with_key[..], 1, "THESE CONTRADICT: the log has signed two histories. Keep both"),
        (&first, &forked, &[&with_key[..], &other].concat(), 0, "continues the smaller one"),
        // Nobody answers at the address that the log is called after.
        (&first, &second, &with_key[..], 2, "have different sizes"),
    ] {
        let (found, said) = compare(&[&[one.as_str(), two.as_str()], more].concat()).await;
        assert!(found == Some(code) && said.contains(words), "{one} {two}: {said}");
    }
    // What somebody has changed in a mail is not taken for the log's word.
    let raw = std::fs::read_to_string(&first).expect("a mail");
    let forged = raw.replacen(&format!("{CHECKPOINT_HEADER}: "), &format!("{CHECKPOINT_HEADER}: AAAA"), 1);
    let forged = save(folder.path(), "forged", &forged);
    let (code, said) = compare(&[&[forged.as_str(), first.as_str()], &with_key[..]].concat()).await;
    assert!(code == Some(2) && said.contains("has no checkpoint that this log has signed"), "{said}");
    assert_eq!(compare(&[&first, &second]).await.0, Some(2), "a key is needed");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proof_between_two_sizes_is_for_whoever_compares_them() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, _]) = pip_pip(&app).await;
    sequence_all(&app).await;
    let note_at = async || Note::read(&at(&app, "/log/checkpoint").await).expect("a note");
    let small = Checkpoint::of_text(&note_at().await.text).expect("a checkpoint");
    resign(&app, &ann, &game).await;
    sequence_all(&app).await;
    let large = Checkpoint::of_text(&note_at().await.text).expect("a checkpoint");
    assert_eq!((small.size, large.size), (1, 3));
    let hash = |line: &str| Checkpoint::of_text(&format!("a\n1\n{line}\n")).expect("a hash").root;
    let proof: Vec<Hash> = at(&app, "/log/consistency/1/3").await.lines().map(hash).collect();
    assert!(verify_consistency(1, small.root, 3, large.root, &proof));
    for nothing in ["0/3", "3/3", "3/1", "1/4", "1/18446744073709551615", "-1/3", "x/3", "1"] {
        let answer = reqwest::get(format!("{}/log/consistency/{nothing}", app.url)).await.expect("an answer");
        assert_eq!(answer.status(), 404, "{nothing}");
    }
}
