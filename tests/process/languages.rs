//! A third language by adding files only: a folder of Fluent files, made from English by marking every text.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mail_parser::MessageParser;
use pippost::language::{Language, sources};
use reqwest::header::ACCEPT_LANGUAGE;
use serde_json::json;

use support::process::{Server, command_in, ended_within};
use support::{Client, PASSWORD};

/// What every text of the language begins with.
const MARK: &str = "⟦";

/// English with a mark before every text that stands on one line.
fn marked(fluent: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some((key, text)) if !line.starts_with([' ', '#']) && !text.starts_with('{') => {
            format!("{key} = {MARK}{text}\n")
        }
        _ => format!("{line}\n"),
    };
    fluent.lines().map(line).collect()
}

/// Writes the language `tlh`, which is written from right to left here.
fn add_language(folder: &Path) {
    let folder = folder.join("tlh");
    fs::create_dir_all(&folder).expect("a folder");
    for source in sources(Language::ENGLISH) {
        let text = marked(source.text).replace("language-direction = ⟦ltr", "language-direction = rtl");
        fs::write(folder.join(format!("{}.ftl", source.name.trim_end_matches(".ftl"))), text)
            .expect("a file");
    }
    fs::write(folder.join("pip-pip.md"), "# Pip\n\nrules in another language\n").expect("a file");
}

async fn page(stranger: &Client, path: &str) -> String {
    let headers = [(ACCEPT_LANGUAGE.as_str(), "tlh,en;q=0.5"), ("accept", "text/html")];
    stranger.send(reqwest::Method::GET, path, None, &headers).await.expect_status(200).text()
}

/// The newest mail in the outbox of the server.
fn mail(server: &Server) -> String {
    let deadline = Instant::now() + Duration::from_mins(1);
    let outbox = server.data_dir().join("outbox");
    loop {
        let found = fs::read_dir(&outbox).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut mails: Vec<_> =
            found.filter(|path| path.extension().is_some_and(|extension| extension == "eml")).collect();
        mails.sort();
        if let Some(newest) = mails.last() {
            let raw = fs::read(newest).expect("a mail");
            let mail = MessageParser::default().parse(&raw).expect("a mail");
            return format!(
                "{}\n{}",
                mail.subject().unwrap_or_default(),
                mail.body_text(0).unwrap_or_default()
            );
        }
        assert!(Instant::now() < deadline, "a mail comes");
        std::thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_texts_is_a_language_of_pages_and_mails() {
    let languages = tempfile::tempdir().expect("a folder");
    add_language(languages.path());
    let path = languages.path().to_str().expect("text").to_owned();
    let server = tokio::task::spawn_blocking(move || Server::start_with(&["--languages", &path]));
    let server = server.await.expect("a server");
    let stranger = Client::new(&server.url(), None).unchecked();
    let home = page(&stranger, "/").await;
    assert!(home.contains("<html lang=\"tlh\" dir=\"rtl\"") && home.matches(MARK).count() > 20, "{home}");
    let look = page(&stranger, "/look").await;
    assert!(look.contains("value=\"tlh\"") && look.contains("⟦English"), "{look}");
    assert!(page(&stranger, "/rules/pip-pip").await.contains("rules in another language"));
    let board = stranger.get("/rules/pip-pip/board.svg?step=3&language=tlh").await.expect_status(200).text();
    assert!(board.contains(MARK), "{board}");

    // A mail to somebody who signs up on a page in that language.
    let body = json!({"handle": "worf", "email": "worf@example.org", "password": PASSWORD});
    let made = stranger.post("/api/v1/accounts", &body).await.expect_status(201).json();
    let worf = Client::new(&server.url(), Some(made["access_token"].as_str().expect("a token").to_owned()));
    worf.patch("/api/v1/me/notification-preferences", &json!({"language": "tlh"})).await.ok();
    let wanted = worf.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(wanted["language"], "tlh");
    let outbox = server.data_dir().join("outbox");
    drop(mail(&server));
    for entry in fs::read_dir(&outbox).expect("the outbox") {
        fs::remove_file(entry.expect("a mail").path()).expect("removed");
    }
    worf.post("/api/v1/email/resend", &json!({})).await.expect_status(202);
    let text = mail(&server);
    assert!(text.matches(MARK).count() > 3 && text.starts_with(MARK), "{text}");
    let refused = worf.patch("/api/v1/me/notification-preferences", &json!({"language": "xx"})).await;
    assert_eq!(refused.problem(409, "unknown_language")["detail"], "one of en, de, tlh");
}

#[test]
fn a_folder_that_cannot_be_read_as_languages_is_named_at_the_start() {
    for (folder, file, text, said) in [
        ("no tag", "site.ftl", "a = b", "named by its tag"),
        ("de", "site.ftl", "a = b", "named by its tag"),
        ("fr", "site.ftl", "= b", "site.ftl"),
        ("fr", "site.ftl", "a = b\na = c", "site.ftl"),
    ] {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("languages").join(folder);
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join(file), text).expect("a file");
        let mut command = command_in(&home, &["serve", "--languages", "languages"]);
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().expect("the program");
        assert!(!ended_within(&mut child, Duration::from_mins(1)).success());
        let mut output = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut output).expect("text");
        assert!(output.contains(said), "{folder}: {output}");
    }
}
