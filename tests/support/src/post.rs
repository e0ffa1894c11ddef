//! Mails to players, and their answers.

use std::sync::Arc;

use mail_parser::MessageParser;
use pippost::mail::Mailer;
use pippost::notices::Links;
use pippost::worker::OutboxWorker;
use reqwest::Method;
use serde_json::Value;

use super::client::Answer;
use super::{INBOUND_SECRET, TestApp};

/// A server with a worker that keeps its mails in memory.
pub struct Post {
    mailer: Arc<Mailer>,
    worker: OutboxWorker,
}

/// A mail that a player got.
#[derive(Clone, Debug)]
pub struct Got {
    pub subject: String,
    pub text: String,
    pub reply_to: Option<String>,
    /// Its envelope sender.
    pub bounce_to: Option<String>,
    pub kind: &'static str,
    pub raw: String,
}

impl Post {
    pub fn of(app: &TestApp) -> Self {
        let mailer = Arc::new(Mailer::memory());
        let worker = OutboxWorker::new(
            app.app.outbox(),
            mailer.clone(),
            Arc::new(app.app.games.clone()),
            app.app.secret.clone(),
            Links::new("https://play.example.org").expect("a URL"),
            app.app.clock.clone(),
            4,
        );
        Self { mailer, worker: worker.with_replies(app.app.reply_addresses.clone()) }
    }

    /// Sends waiting mails.
    pub async fn send(&self) {
        while self.worker.step().await.expect("a step") > 0 {}
    }

    /// All mails to a player so far, oldest first.
    pub async fn all(&self, handle: &str) -> Vec<Got> {
        self.send().await;
        let address = format!("{handle}@example.org");
        let mut sent = self.mailer.sent();
        // Ordered by notice, because the outbox decides which mail leaves first.
        sent.sort_by_key(|sent| sent.mail.notice_id);
        let sent = sent.into_iter().filter(|sent| sent.mail.to.email.to_string() == address);
        sent.map(|sent| {
            let mail = MessageParser::default().parse(&sent.raw).expect("a mail");
            let reply_to = mail.reply_to().and_then(|to| to.first()).and_then(|to| to.address());
            Got {
                subject: mail.subject().unwrap_or_default().to_owned(),
                text: mail.body_text(0).expect("a text").replace("\r\n", "\n"),
                reply_to: reply_to.map(str::to_owned),
                bounce_to: sent.mail.bounce_to.as_ref().map(ToString::to_string),
                kind: sent.mail.kind,
                raw: String::from_utf8(sent.raw).expect("ASCII"),
            }
        })
        .collect()
    }

    /// The newest mail to a player.
    pub async fn last(&self, handle: &str) -> Got {
        self.all(handle).await.pop().expect("a mail")
    }
}

/// A mail as a player's program sends it.
#[derive(Clone, Debug)]
pub struct Sent {
    pub from: String,
    pub to: String,
    pub id: String,
    pub headers: String,
    pub text: String,
}

impl Sent {
    /// An answer to `got` by its reader.
    pub fn answer(handle: &str, got: &Got, text: &str) -> Self {
        Self {
            from: format!("{handle}@example.org"),
            to: got.reply_to.clone().expect("a mail that can be answered"),
            id: format!("{}@mail.example.org", uuid::Uuid::now_v7()),
            headers: String::new(),
            text: text.to_owned(),
        }
    }

    pub fn raw(&self) -> String {
        let Self { from, to, id, headers, text } = self;
        let text = text.replace('\n', "\r\n");
        format!(
            "From: Somebody <{from}>\r\nTo: {to}\r\nSubject: Re: your turn\r\nMessage-ID: <{id}>\r\n\
             Date: Sat, 21 Nov 2026 13:00:00 +0000\r\n{headers}MIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        )
    }
}

/// Delivers a mail over HTTP.
pub async fn deliver_raw(app: &TestApp, query: &str, raw: String) -> Answer {
    let headers = [("Content-Type", "message/rfc822"), ("X-Inbound-Secret", INBOUND_SECRET)];
    app.stranger().send(Method::POST, &format!("/api/v1/inbound/mail{query}"), Some(raw), &headers).await
}

/// Delivers a mail over HTTP; returns the outcome.
pub async fn deliver(app: &TestApp, sent: &Sent) -> String {
    let answer: Value = deliver_raw(app, "", sent.raw()).await.ok();
    answer["outcome"].as_str().expect("an outcome").to_owned()
}
