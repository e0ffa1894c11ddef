//! A corpus of answers: the ways in which mail programs in a dozen languages quote our mail, times what people write above,
//! below and inside the quotation.

mod habits;
pub mod labelled;
mod programs;

use pippost::games::letters::notation::{self, LineReading};
use pippost::replies::OurMail;
use pippost::replies::orders::{Orders, Writer};
use pippost::replies::table_message::Written;
use pippost::rules::{self, Chance, Position, Step, Words};
use textwrap::WordSplitter;

use self::habits::HABITS;
use self::programs::PROGRAMS;
use super::{Post, Sent, deliver};
use support::TestApp;
use support::games::pip_pip;

/// Chance in which every die shows a one.
struct Ones;

impl Words for Ones {
    fn next_word(&mut self) -> u32 {
        0
    }
}

pub fn position() -> Box<dyn Position> {
    start_of("pip-pip")
}

pub fn start_of(name: &str) -> Box<dyn Position> {
    let rules = rules::find(name, Some(1)).expect("a rule set");
    let options = rules.complete_options(&serde_json::json!({})).expect("no options");
    let mut ones = Ones;
    let mut step = Step::new(Chance::Drawn(&mut ones));
    rules.start(&options, 2, &mut step).unwrap_or_else(|_| panic!("chance is known"))
}

/// The mail as a program sends it. A signed text escapes the lines that begin with a dash (RFC 4880, 7.1).
fn filled(form: &str, text: &str, address: &str, quoted: &str, mail: &str) -> String {
    let signed = form.starts_with("-----BEGIN PGP SIGNED");
    let escape =
        |line: &str| if signed && line.starts_with('-') { format!("- {line}") } else { line.to_owned() };
    let text = text.lines().map(escape).collect::<Vec<_>>().join("\n");
    let mut whole = form.replace("{T}", address).replace("{Q}", quoted).replace("{U}", mail);
    for width in [60, 66, 72] {
        let place = format!("{{C{width}}}");
        if whole.contains(&place) {
            whole = whole.replace(&place, &broken_anew(quoted, width));
        }
    }
    whole.replace("{A}", &text)
}

/// Quoted lines as a program leaves them that breaks long lines without repeating the quote sign. Links stay whole.
fn broken_anew(quoted: &str, width: usize) -> String {
    let options = textwrap::Options::new(width).break_words(false).word_splitter(WordSplitter::NoHyphenation);
    let lines = quoted.lines().map(|line| match line.strip_prefix("> ") {
        Some(link) if !link.contains(' ') => line.to_owned(),
        _ => textwrap::wrap(line, &options).join("\n"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn written(orders: &Orders) -> Option<&str> {
    match &orders.message {
        Written::Message { text, .. } => Some(text),
        Written::Nothing | Written::Empty | Written::Signature => None,
    }
}

/// Our turn mails as delivered, in both languages, with their reply addresses.
async fn turn_mails() -> Vec<(String, String)> {
    let mut mails = Vec::new();
    for language in ["en", "de"] {
        let app = TestApp::start().await;
        let (_, [ann, _]) = pip_pip(&app).await;
        ann.patch("/api/v1/me/notification-preferences", &serde_json::json!({"language": language}))
            .await
            .ok();
        let turn = Post::of(&app).last("ann").await;
        mails.push((turn.text, turn.reply_to.expect("an address")));
    }
    mails
}

/// Answers of ours to mails of ann's, of the common verdicts, in both languages, with what another player said.
async fn answers() -> Vec<(String, String)> {
    let mut mails = Vec::new();
    for language in ["en", "de"] {
        let app = TestApp::start().await;
        let (game, [ann, bob]) = pip_pip(&app).await;
        ann.patch("/api/v1/me/notification-preferences", &serde_json::json!({"language": language}))
            .await
            .ok();
        let said = serde_json::json!({"text": "gg; store; gg"});
        bob.post(&format!("{game}/messages"), &said).await.expect_status(201);
        let post = Post::of(&app);
        for text in
            ["status", "help", "stroe", "roll", "resign", "", "quiet 22-7", "store", "status\n---\nHi"]
        {
            let newest = post.last("ann").await;
            deliver(&app, &Sent::answer("ann", &newest, text)).await;
            let answer =
                post.all("ann").await.into_iter().rfind(|mail| mail.kind == "answer").expect("an answer");
            mails.push((answer.text, answer.reply_to.expect("an address")));
        }
    }
    mails
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_of_ours_is_known_in_every_program() {
    let position = position();
    let action = |line: &str| -> LineReading { notation::read(&*position, "pip-pip", line, true) };
    let ours = OurMail::new("play.example.org", None);
    let habits = [
        ("store\n---\nWell played!", 1, Some("Well played!")),
        ("store\n---\nWell played!\n\nUntil soon.", 1, Some("Well played!\n\nUntil soon.")),
        ("Thank you!", 0, None),
    ];
    let mut wrong = Vec::new();
    for (mail, address) in answers().await {
        let quoted = mail.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
        for (program, form) in PROGRAMS {
            for (text, actions, said) in habits {
                let whole = filled(form, text, &address, &quoted, &mail);
                let writer = Writer { ours: &ours, name: Some("Ann Example"), address: None, handle: "ann" };
                let orders = Orders::read(&whole, writer, &action);
                if orders.actions.len() != actions || orders.asks() || written(&orders) != said {
                    wrong.push(format!("{program}: {:?} {:?}\n{whole}", orders.actions, orders.message));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, as {}", wrong.len(), wrong[..wrong.len().min(4)].join("\n=====\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_program_and_habit_is_read_as_it_was_meant() {
    let position = position();
    let action = |line: &str| -> LineReading { notation::read(&*position, "pip-pip", line, true) };
    let ours = OurMail::new("play.example.org", None);
    let mut cases = 0;
    let mut wrong = Vec::new();
    for (mail, address) in turn_mails().await {
        let quoted = mail.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
        for (program, form) in PROGRAMS {
            for (habit, text, actions, said) in HABITS {
                let whole = filled(form, text, &address, &quoted, &mail);
                let orders = Orders::read(
                    &whole,
                    Writer {
                        ours: &ours,
                        name: Some("Ann Example"),
                        address: Some("ann@example.org"),
                        handle: "ann",
                    },
                    &action,
                );
                cases += 1;
                let quotes_us =
                    orders.left_out.iter().any(|line| mail.contains(line.as_str()) && line.len() > 5);
                if orders.actions != *actions
                    || written(&orders) != *said
                    || orders.broken.is_some()
                    || orders.asks()
                    || quotes_us
                {
                    wrong.push(format!(
                        "{program}, {habit}: {:?} {:?} {:?}",
                        orders.actions, orders.message, orders.left_out
                    ));
                }
            }
        }
    }
    assert!(cases >= 150, "{cases}");
    assert_eq!(wrong, Vec::<String>::new(), "{} of {cases}", wrong.len());
}
