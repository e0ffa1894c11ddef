//! The players' mailboxes, and their answers by mail.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mail_parser::MessageParser;
use support::smtp_sink::Received;

/// A mail to a player.
#[derive(Clone, Debug)]
pub struct Letter {
    pub handle: String,
    pub kind: String,
    /// The game and the number of the event that it tells, if it tells one.
    pub event: Option<String>,
    pub message_id: String,
    reply_to: Option<String>,
    /// Orders that it gives as examples.
    examples: Vec<String>,
    /// The token of the link that confirms an address.
    pub token: Option<String>,
}

impl Letter {
    fn read(mail: &Received) -> Option<Self> {
        let parsed = MessageParser::default().parse(mail.data.as_bytes())?;
        let text = parsed.body_text(0)?.replace("\r\n", "\n");
        let examples = text.split_once("In notation, for example:\n").map_or("", |(_, rest)| rest);
        let lines = examples.lines().take_while(|line| line.starts_with("  "));
        let header = |name: &str| parsed.header_raw(name).map(|value| value.trim().to_owned());
        let link = text.split_once("/confirm-email?token=").map(|(_, rest)| rest);
        let token = link.and_then(|rest| rest.split_whitespace().next()).map(str::to_owned);
        Some(Self {
            token,
            handle: mail.to.first()?.split('@').next()?.to_owned(),
            kind: header("Feedback-ID")?.split(':').next()?.to_owned(),
            event: header("Pippost-Event"),
            message_id: parsed.message_id()?.to_owned(),
            reply_to: parsed
                .reply_to()
                .and_then(|to| to.first())
                .and_then(|to| to.address())
                .map(str::to_owned),
            examples: lines.map(|line| line.trim().to_owned()).collect(),
        })
    }

    /// An answer with the last of the examples, which can be delivered any number of times.
    pub fn answer(&self, number: usize) -> Option<String> {
        let (to, order) = (self.reply_to.as_ref()?, self.examples.last()?);
        let from = format!("{}@example.org", self.handle);
        Some(format!(
            "From: {from}\r\nTo: {to}\r\nSubject: Re: your turn\r\nMessage-ID: <{number}-{}@laptop.example.org>\r\n\
             MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{order}\r\n",
            self.handle
        ))
    }
}

/// All mailboxes.
#[derive(Default)]
pub struct Mailboxes {
    turns: Mutex<BTreeMap<(String, String), Letter>>,
    all: Mutex<Vec<Letter>>,
    /// How many mails were taken, readable or not.
    taken: AtomicUsize,
}

impl Mailboxes {
    /// Mailboxes in which so many mails do not lie that came before.
    pub fn after(known: usize) -> Self {
        Self { taken: AtomicUsize::new(known), ..Self::default() }
    }

    pub fn take(&self, mails: &[Received]) {
        self.taken.fetch_add(mails.len(), Ordering::Relaxed);
        for letter in mails.iter().filter_map(Letter::read) {
            if let (Some(event), "turn") = (&letter.event, letter.kind.as_str()) {
                let place = (letter.handle.clone(), event.clone());
                self.turns.lock().expect("no panic").insert(place, letter.clone());
            }
            self.all.lock().expect("no panic").push(letter);
        }
    }

    /// The mail that told a player of a turn.
    pub fn turn(&self, handle: &str, game: &str, seq: u64) -> Option<Letter> {
        let turns = self.turns.lock().expect("no panic");
        turns.get(&(handle.to_owned(), format!("{game}:{seq}"))).cloned()
    }

    pub fn all(&self) -> Vec<Letter> {
        self.all.lock().expect("no panic").clone()
    }

    pub fn count(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}
