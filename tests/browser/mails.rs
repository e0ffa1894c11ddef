//! Every mail as mail programs show it on a telephone: light, dark, with pictures blocked, without style sheets, and by Outlook's
//! rules. Pictures for people to look at: `PIPPOST_PICTURES=folder cargo test --test browser mails`.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use pippost::board::{self, Theme};
use pippost::keys::SecretKey;
use pippost::language::Language;
use pippost::mail::{Content, MailCheckpoint, MailHeaders, OutgoingMail, Writer};
use pippost::notices::delivery::{Addressee, Reader};
use pippost::notices::{BoardPicture, GameContent, Links, ReplyAddresses};
use pippost::rules::{self, Captions, Chance, Position, RuleSet, Seat, Step, Viewer, Words};
use serde_json::{Value, json};
use support::window::{Window, browser};
use support::{REPLY_ADDRESS, START};
use uuid::Uuid;

/// The contents whose snapshots are reviewed.
#[allow(dead_code, reason = "of some kinds only the mails are needed")]
#[path = "../../crates/mail/src/samples.rs"]
mod samples;

/// Shows a mail and looks for what cannot be read or touched.
const SCRIPT: &str = include_str!("mails.js");

/// The narrowest telephone, and the width of Outlook's window, in pixels.
const TELEPHONE_PX: u32 = 320;
const OUTLOOK_PX: u32 = 680;

/// How a program shows a mail.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
struct Look {
    name: &'static str,
    width: u32,
    dark: bool,
    blocks: bool,
    bare: bool,
    outlook: bool,
    word: bool,
}

const PLAIN: Look = Look {
    name: "light",
    width: TELEPHONE_PX,
    dark: false,
    blocks: false,
    bare: false,
    outlook: false,
    word: false,
};

const LOOKS: [Look; 7] = [
    PLAIN,
    Look { name: "dark", dark: true, ..PLAIN },
    Look { name: "blocked", blocks: true, ..PLAIN },
    Look { name: "blocked-dark", blocks: true, dark: true, ..PLAIN },
    Look { name: "bare", bare: true, ..PLAIN },
    Look { name: "outlook", outlook: true, ..PLAIN },
    Look { name: "outlook-wide", outlook: true, word: true, width: OUTLOOK_PX, ..PLAIN },
];

/// A mail and its pictures, by the names under which its page shows them.
struct Shown {
    name: String,
    mail: Value,
    has_picture: bool,
    is_english: bool,
}

/// Chance in which every word is zero.
struct Zeros;

impl Words for Zeros {
    fn next_word(&mut self) -> u32 {
        0
    }
}

/// The beginning of a game of the rule set with its largest board.
fn position(rules: &dyn RuleSet) -> Box<dyn Position> {
    let chosen = if rules.name() == "dominion" { json!({"size": 4}) } else { json!({}) };
    let options = rules.complete_options(&chosen).expect("options");
    let mut zeros = Zeros;
    let mut step = Step::new(Chance::Drawn(&mut zeros));
    rules.start(&options, 2, &mut step).unwrap_or_else(|_| panic!("chance is known"))
}

/// A turn mail with the board of a rule set, drawn as a server draws it.
fn turn(rules: &dyn RuleSet, language: Language) -> Content {
    let position = position(rules);
    let names = ["alice", "bob"].map(str::to_owned);
    let captions = Captions::new(&names, &language);
    let viewer = Viewer::Seat(Seat(0));
    let picture = position.picture(viewer, &captions, &[]);
    let png = Bytes::from(board::png(&picture, 720, Theme::Light).expect("a picture"));
    let alt = format!("{}. {}", picture.title, picture.description);
    let legal = position.legal().into_iter().filter_map(|action| position.write(&action));
    Content::Game(GameContent {
        rules_title: rules.title().to_owned(),
        board: position.board_text(viewer, &captions),
        picture: Some(BoardPicture { png, width_px: 480, alt }),
        legal_notation: legal.take(5).collect(),
        ..samples::turn()
    })
}

/// The mail as the program writes it.
fn written(writer: &Writer, content: Content, language: Language) -> OutgoingMail {
    let unsubscribe = Some("https://play.example.org/unsubscribe?token=not-a-real-token".to_owned());
    let notice_id = Uuid::from_u128(11);
    let checkpoint = Some(Arc::new(samples::checkpoint()));
    let headers =
        MailHeaders { notice_id, player_id: None, thread_root: None, unsubscribe, list: None, checkpoint };
    let reader = Reader { language, ..Reader::default() };
    let to = Addressee { address: "alice@example.org".to_owned(), handle: Some("alice".to_owned()), reader };
    writer.write(headers, to, content, START).expect("a mail")
}

/// Every kind of mail, and a turn of every rule set, in both languages.
fn all() -> Vec<Shown> {
    let folder = tempfile::tempdir().expect("a folder for the key");
    let secret = Arc::new(SecretKey::in_folder(folder.path()).expect("a key"));
    let addresses = ReplyAddresses::new(REPLY_ADDRESS.parse().expect("an address"), secret);
    let links = Links::new("https://play.example.org").expect("a URL");
    let from = format!("pippost <{REPLY_ADDRESS}>").parse().expect("a mailbox");
    let writer = Writer::new(from, links).with_replies(Some(addresses));
    let mut all = Vec::new();
    for language in [Language::ENGLISH, Language::GERMAN] {
        let kinds = samples::named().into_iter().map(|(name, content)| (name.to_owned(), content));
        let boards = rules::all().map(|rules| (format!("board-{}", rules.name()), turn(rules, language)));
        for (name, content) in kinds.chain(boards) {
            let mail = written(&writer, content, language);
            let url = |png: &Bytes| format!("data:image/png;base64,{}", STANDARD.encode(png));
            let picture = mail.picture.as_ref();
            let pictures = picture.map_or(json!({}), |picture| json!({"board": url(&picture.png)}));
            all.push(Shown {
                name: format!("{name}.{}", language.tag()),
                has_picture: mail.picture.is_some(),
                is_english: language == Language::ENGLISH,
                mail: json!({"html": mail.html, "pictures": pictures}),
            });
        }
    }
    all
}

/// What is wrong with a mail, shown so.
fn problems(window: &Window, look: Look, shown: &Shown) -> Vec<String> {
    let Look { dark, blocks, bare, outlook, word, .. } = look;
    let asked = json!({
        "mail": shown.mail,
        "look": {"dark": dark, "blocks": blocks, "bare": bare, "outlook": outlook, "word": word},
        "bounds": {"px": 12, "contrast": 4.5, "button": 44, "picture": 100, "letters": 100},
    });
    let found = window.evaluate(&format!("({SCRIPT})({asked})"));
    let found: Vec<String> = serde_json::from_value(found).expect("a list");
    found.into_iter().map(|problem| format!("{}, {}: {problem}", shown.name, look.name)).collect()
}

#[test]
fn every_mail_can_be_read_and_touched_however_it_is_shown() {
    let mails = all();
    let browser = browser();
    let window = Window::of(&browser, "about:blank");
    let pictures = std::env::var("PIPPOST_PICTURES").ok();
    let (mut looked, mut wrong) = (0, Vec::new());
    for look in LOOKS {
        window.look(look.width, 640, look.dark);
        // Of the longer words of German only the widths are of interest.
        let is_wanted = |shown: &&Shown| {
            (shown.has_picture || !look.blocks) && (shown.is_english || matches!(look.name, "light" | "bare"))
        };
        for shown in mails.iter().filter(is_wanted) {
            wrong.extend(problems(&window, look, shown));
            looked += 1;
            if let Some(folder) = &pictures {
                window.keep_picture(&Path::new(folder).join(format!("{}-{}.png", shown.name, look.name)));
            }
        }
    }
    assert!(looked > 250, "{looked}");
    assert!(wrong.is_empty(), "{} of {looked}:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}

#[test]
fn what_cannot_be_read_or_touched_is_found() {
    let browser = browser();
    let window = Window::of(&browser, "about:blank");
    window.look(TELEPHONE_PX, 640, false);
    let html = format!(
        "<!doctype html><body style=\"margin:0;background:#fff\"><p style=\"width:400px;font-size:8px;color:#aaa\">{}</p>\
         <a class=\"code\" href=\"x:\">store</a><img src=\"cid:board\" alt=\"\">",
        "Small and pale. ".repeat(20)
    );
    let mail = json!({"html": html, "pictures": {"board": "data:,"}});
    let shown = Shown { name: "bad".to_owned(), mail, has_picture: true, is_english: true };
    let found = problems(&window, PLAIN, &shown).join("\n");
    for problem in ["400 px wide", "text of 8 px", "contrast of 2.32", "a button of", "a picture of"] {
        assert!(found.contains(problem), "{problem} is not in\n{found}");
    }
}
