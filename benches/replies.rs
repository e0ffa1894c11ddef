//! Measures how long the reading of a mail takes that is as large as one may be, of each kind that a sender could wish for, with the
//! notation of every rule set: `cargo bench --bench replies`. Each must stay below 100 ms.

use divan::Bencher;
use pippost::games::letters::notation::{self, LineReading};
use pippost::replies::orders::{Orders, Writer};
use pippost::replies::{MAX_READ_BYTES, OurMail, message};
use pippost::rules::{self, Chance, Position, RuleSet, Step, Words};
use serde_json::json;

/// What a mail repeats, by kind; `{A}` stands for legal actions, `{N}` for a number that differs each time.
const KINDS: [(&str, &str); 16] = [
    ("prose", "hello world this is prose of a kind\n"),
    ("prose in paragraphs", "hello world this is prose of a kind\n\n"),
    ("short lines", "a\n"),
    ("empty lines", "\n"),
    ("orders", "{A}\n"),
    ("orders in one line", "{A};"),
    ("nearly orders", "{A} {N}x\n"),
    ("quoted lines", "> hello world {N}\n"),
    ("quoted and broken anew", "> hello world of prose\nand {N}\n"),
    ("greetings", "Hello bob,\n"),
    ("headers", "Time: {N}\n"),
    ("titles", "*** title {N} ***\n"),
    ("conditions", "if {A} then\n"),
    ("disclaimers", "This e-mail is confidential, and for its recipient\n"),
    ("one long line", "hello world "),
    ("message", "---\nhello {N}\n"),
];

/// The same of mails that are built in a special way.
const FORMS: [&str; 5] = ["text parts", "empty parts", "HTML", "HTML without ends", "headers of the mail"];

fn main() {
    divan::main();
}

/// Chance in which every word is zero.
struct Zeros;

impl Words for Zeros {
    fn next_word(&mut self) -> u32 {
        0
    }
}

fn position(rules: &dyn RuleSet) -> Box<dyn Position> {
    let options = rules.complete_options(&json!({})).expect("defaults");
    let seats = *rules.seats(&options).expect("possible").start();
    let mut zeros = Zeros;
    let mut step = Step::new(Chance::Drawn(&mut zeros));
    rules.start(&options, seats, &mut step).unwrap_or_else(|_| panic!("chance is known"))
}

fn names() -> Vec<&'static str> {
    rules::all().map(RuleSet::name).collect()
}

/// `unit` again and again, with the actions of `legal` in turn.
fn repeated(unit: &str, legal: &[String]) -> String {
    let mut text = String::with_capacity(MAX_READ_BYTES);
    for number in 0.. {
        let action = legal.get(number % legal.len().max(1)).map_or("x", String::as_str);
        let next = unit.replace("{A}", action).replace("{N}", &number.to_string());
        if text.len() + next.len() > MAX_READ_BYTES - 2048 {
            break;
        }
        text.push_str(&next);
    }
    text
}

fn mail(kind: &str, legal: &[String]) -> String {
    let head =
        "From: Ann <ann@example.org>\r\nTo: play@example.org\r\nMessage-ID: <1@x>\r\nMIME-Version: 1.0\r\n";
    let mixed = "Content-Type: multipart/mixed; boundary=\"b\"\r\n\r\n";
    let plain = "Content-Type: text/plain; charset=utf-8\r\n\r\n";
    let html = "Content-Type: text/html; charset=utf-8\r\n\r\n";
    match kind {
        "text parts" => {
            let part = "--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n";
            format!("{head}{mixed}{}--b--\r\n", repeated(part, legal))
        }
        "empty parts" => format!("{head}{mixed}{}--b--\r\n", repeated("--b\r\n\r\n\r\n", legal)),
        "HTML" => format!("{head}{html}{}", repeated("<div><p>{A}</p><b>x</b></div>", legal)),
        "HTML without ends" => format!("{head}{html}{}", repeated("<div style=a><blockquote><s>", legal)),
        "headers of the mail" => {
            format!("{head}{}{plain}store", repeated("To: a{N}@example.org\r\nX-{N}: y\r\n", legal))
        }
        kind => {
            let unit = KINDS.iter().find(|(name, _)| *name == kind).expect("a kind").1;
            format!("{head}{plain}{}", repeated(unit, legal))
        }
    }
}

fn kinds() -> Vec<(&'static str, &'static str)> {
    let kinds: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).chain(FORMS).collect();
    names()
        .into_iter()
        .flat_map(|name| kinds.iter().map(move |kind| (name, *kind)).collect::<Vec<_>>())
        .collect()
}

#[divan::bench(args = kinds(), sample_count = 5, sample_size = 1)]
fn read(bencher: Bencher<'_, '_>, (name, kind): &(&'static str, &'static str)) {
    let rules = rules::all().find(|rules| rules.name() == *name).expect("a rule set");
    let position = position(rules);
    let legal: Vec<String> = position.legal().iter().filter_map(|action| position.write(action)).collect();
    let raw = mail(kind, &legal);
    let ours = OurMail::new("play.example.org", None);
    bencher.bench_local(|| {
        let mail = message::read(raw.as_bytes(), None).expect("a mail");
        let writer = Writer { ours: &ours, name: Some("Ann"), address: None, handle: "ann" };
        let action = |line: &str| -> LineReading { notation::read(&*position, name, line, true) };
        Orders::read(&mail.text, writer, &action)
    });
}
