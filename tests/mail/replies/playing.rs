//! Whole games played only by two mail programs: they receive by SMTP and deliver by LMTP.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use mail_parser::MessageParser;
use pippost::mail::Mailer;
use pippost::notices::{Links, Outbox};
use pippost::record::verify;
use pippost::settings::MailSettings;
use pippost::worker::OutboxWorker;
use serde_json::{Value, json};
use time::Duration;

use support::TestApp;
use support::lmtp::Lmtp;
use support::sample::Sampler;
use support::smtp_sink::{SmtpSink, Treatment};

/// More mails than any game needs.
const MAX_MAILS: usize = 1500;

/// The content of the newest mails.
#[derive(Default)]
struct Programs {
    read: usize,
    /// The players who can move: the reply address, and the moves that the mail offers.
    to_move: HashMap<String, (String, Vec<String>)>,
    over: usize,
}

impl Programs {
    fn read(&mut self, sink: &SmtpSink) {
        let received = sink.received();
        for mail in &received[self.read..] {
            let message = MessageParser::default().parse(mail.data.as_bytes()).expect("a mail");
            let text = message.body_text(0).expect("a text").replace("\r\n", "\n");
            let reply_to = message.reply_to().and_then(|to| to.first()?.address()).map(str::to_owned);
            let examples = text.split("In notation, for example:\n").nth(1).unwrap_or_default();
            let examples: Vec<_> = examples
                .lines()
                .take_while(|line| line.starts_with("  "))
                .map(|line| line.trim().to_owned())
                .collect();
            let player = mail.to[0].clone();
            match reply_to {
                Some(reply_to) if !examples.is_empty() => {
                    self.to_move.insert(player, (reply_to, examples));
                }
                _ if message.subject().is_some_and(|subject| subject.contains(": the game is over")) => {
                    self.over += 1;
                }
                _ => {}
            }
        }
        self.read = received.len();
    }
}

async fn play(rules: &str, options: Value) {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": rules, "options": options, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);

    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let mail_from = "pippost <play@example.org>".to_owned();
    let settings = MailSettings {
        smtp_url: Some(sink.url()),
        mail_from,
        smtp_connections: 2,
        ..MailSettings::default()
    };
    let mailer = Mailer::new(&settings, Path::new("not-used")).expect("a mailer");
    let worker = OutboxWorker::new(
        Outbox::new(app.app.database.clone()),
        Arc::new(mailer),
        Arc::new(app.app.games.clone()),
        app.app.secret.clone(),
        Links::new("https://play.example.org").expect("a URL"),
        app.app.clock.clone(),
        2,
    )
    .with_replies(app.app.reply_addresses.clone());
    let lmtp = Lmtp::start(&app);
    let mut talk = lmtp.talk().await;
    let (mut programs, mut sampler, mut moves) = (Programs::default(), Sampler::new(7), 0);
    loop {
        while worker.step().await.expect("a step") > 0 {}
        programs.read(&sink);
        // The mail about the start of a game says nothing about its end; both players are told of that.
        if programs.over >= 2 {
            break;
        }
        assert!(programs.read < MAX_MAILS, "the game does not end");
        let player = programs.to_move.keys().next().expect("somebody can move").clone();
        let (reply_to, examples) = programs.to_move.remove(&player).expect("a mail");
        let action = &examples[sampler.below(examples.len())];
        assert!(talk.say(&format!("MAIL FROM:<{player}> SIZE=500")).await.starts_with("250 "));
        assert!(talk.say(&format!("RCPT TO:<{reply_to}>")).await.starts_with("250 "));
        assert!(talk.say("DATA").await.starts_with("354 "));
        let raw = format!(
            "From: {player}\r\nTo: {reply_to}\r\nMessage-ID: <{moves}@mail.example.org>\r\n\r\n{action}\r\n\r\n> quoted"
        );
        assert!(talk.send(&raw).await.starts_with("250 "), "{action}");
        moves += 1;
        app.app.clock.advance(Duration::minutes(2));
    }
    let end = app.log_in("ann").await.get(&game).await.ok();
    assert_eq!(end["status"], "finished", "{rules}");
    let events = end["seq"].as_u64().expect("a number");
    assert!(events > 4 && moves > 4, "{rules}: {moves} mails made {events} events");
    let record = app.stranger().get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_pip_pip_is_played_by_mail_alone() {
    play("pip-pip", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_pippinzip_is_played_by_mail_alone() {
    play("pippinzip", json!({"size": 5})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_serpent_is_played_by_mail_alone() {
    play("serpent", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_dominion_is_played_by_mail_alone() {
    play("dominion", json!({"size": 3, "round_limit": 4})).await;
}
