//! A player who has chosen German gets no English text: mails of whole games of every rule set, and the answers to her own
//! mails.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mail_parser::{MessageParser, MimeHeaders};
use pippost::rules;
use serde_json::json;

use super::{Got, Post, Sent, deliver};
use support::sample::Sampler;
use support::{Client, TestApp};

/// The number of moves of each game, which then continues until it is ann's turn; fewer than end any game.
const MOVES: usize = 12;

/// Words that occur in no German sentence and in nearly every English one.
const ENGLISH: &[&str] = &[
    "the", "you", "your", "is", "are", "and", "of", "to", "with", "or", "not", "can", "has", "had", "it",
    "its", "may", "rolled", "placed", "took", "dice", "card", "cards", "army", "armies", "cell", "round",
    "stock", "stone", "stones", "points", "hidden", "none", "empty", "game", "move", "what", "here", "goes",
    "black", "white", "light", "dark",
];

/// The lines that are not German, except addresses and paths.
fn english_lines(text: &str) -> Vec<&str> {
    let is_english = |line: &&str| {
        line.split_whitespace()
            .filter(|word| !word.contains('/'))
            .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase())
            .any(|word| ENGLISH.contains(&word.as_str()))
    };
    text.lines().filter(is_english).collect()
}

/// The words that a mail shows: its text, and the words of its HTML part with those for the picture.
fn shown(mail: &Got) -> String {
    let read = MessageParser::default().parse(mail.raw.as_bytes()).expect("a mail");
    let html = read.body_html(0).expect("an HTML part").into_owned();
    let body = html.split("<body").nth(1).expect("a body");
    let words = |piece: &str| match piece.split_once('>') {
        Some((tag, text)) => {
            let alt = tag.split_once("alt=\"").and_then(|(_, rest)| rest.split_once('"'));
            format!("{}\n{text}", alt.map_or("", |(alt, _)| alt))
        }
        None => piece.to_owned(),
    };
    let html: String = body.split('<').map(words).collect();
    format!("{}\n{}\n{html}", mail.subject, mail.text)
}

/// Writes the HTML part of a mail, with its picture, to the folder that `PIPPOST_MAILS` names.
fn leave(mail: &Got, number: usize) {
    let Some(folder) = std::env::var_os("PIPPOST_MAILS") else { return };
    let read = MessageParser::default().parse(mail.raw.as_bytes()).expect("a mail");
    let mut html = read.body_html(0).expect("an HTML part").into_owned();
    for picture in read.attachments() {
        let id = picture.content_id().expect("a name");
        let data = STANDARD.encode(picture.contents());
        html = html.replace(&format!("\"cid:{id}\""), &format!("\"data:image/png;base64,{data}\""));
    }
    let path = PathBuf::from(folder).join(format!("{number:03}-{}.html", mail.kind));
    std::fs::write(path, html).expect("a file");
}

/// Starts a game of ann's and bob's and plays it until it has run for a while and waits for ann; returns its path.
async fn play(rules: &str, sampler: &mut Sampler, players: [&Client; 2]) -> String {
    let [ann, bob] = players;
    let wanted = json!({"rules": rules, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({"entropy": ""})).await.ok();
    let mut last = None;
    for moved in 0.. {
        let seat = ann.get(&game).await.ok()["to_act"].as_u64().expect("a game that runs");
        // A player who acts again after an own move was notified only of the turn before it.
        if moved >= MOVES && seat == 0 && last == Some(1) {
            break;
        }
        last = Some(seat);
        let player = players[usize::try_from(seat).expect("a seat")];
        let listed = player.get(&format!("{game}/actions")).await.ok()["actions"].take();
        let action = sampler.action(listed.as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_german_player_reads_is_english() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    ann.patch("/api/v1/me/notification-preferences", &json!({"language": "de", "zone": "Europe/Berlin"}))
        .await
        .ok();
    let post = Post::of(&app);
    post.send().await;
    let before = post.all("ann").await.len();
    let mut sampler = Sampler::new(11);
    for rules in rules::all() {
        let game = play(rules.name(), &mut sampler, [&ann, &bob]).await;
        post.send().await;
        for text in [
            "blargh",
            "roll",
            "a1 b2 c3 d4",
            "status\nhistory\n---\nhallo",
            "help",
            "store\nresign",
            "resign",
        ] {
            let turn =
                post.all("ann").await.into_iter().rfind(|mail| mail.reply_to.is_some()).expect("a mail");
            deliver(&app, &Sent::answer("ann", &turn, text)).await;
        }
        bob.post(&format!("{game}/resign"), &json!({})).await;
        post.send().await;
    }
    let mails = post.all("ann").await;
    assert!(mails.len() > before + 20, "{}", mails.len());
    for (number, mail) in mails[before..].iter().enumerate() {
        leave(mail, number);
        let shown = shown(mail);
        assert_eq!(english_lines(&shown), [""; 0], "{}: {shown}", mail.kind);
    }
    let english = english_lines(
        "( ) light: ann, 3 points\nhttps://play.example.org/the/game is\n( ) hell: ann, 3 Punkte",
    );
    assert_eq!(english, ["( ) light: ann, 3 points", "https://play.example.org/the/game is"]);
}
