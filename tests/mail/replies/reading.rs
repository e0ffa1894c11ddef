//! Parses mails of common mail programs: fixtures in the style of each.

use pippost::games::letters::notation::{self, LineReading};
use pippost::replies::OurMail;
use pippost::replies::message::{self, Sender};
use pippost::replies::orders::{Orders, Writer};
use pippost::replies::table_message::Written;

use super::corpus::labelled::At;
use super::corpus::{position, start_of};

fn fixture(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mail");
    std::fs::read(folder.join(format!("{name}.eml"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn orders(name: &str) -> Orders {
    let mail = message::read(&fixture(name), Some("ann@example.org")).expect("a mail");
    assert_eq!(mail.from.address(), Some("ann@example.org"), "{name}");
    assert_eq!(mail.automatic, None, "{name}");
    assert!(mail.to[0].starts_with("play+"), "{name}: {:?}", mail.to);
    let ours = OurMail::new("play.example.org", None);
    Orders::read(
        &mail.text,
        Writer { ours: &ours, name: mail.writer_name(), address: Some("ann@example.org"), handle: "ann" },
        &action,
    )
}

/// The actions of the fixtures.
fn action(line: &str) -> LineReading {
    let lower = line.to_lowercase();
    let known = lower == "store" || lower.starts_with("c3 n");
    if known { LineReading::Action(line.to_owned()) } else { LineReading::Other }
}

#[test]
fn what_every_program_quotes_and_adds_is_left_out() {
    for name in [
        "gmail-top",
        "gmail-bottom",
        "gmail-html-only",
        "gmail-german",
        "outlook-top",
        "outlook-mobile-german",
        "apple-mail",
        "apple-mail-html-only",
        "iphone",
        "k9-android",
        "proton",
        "mutt",
        "attachments",
        "empty-text-with-html",
    ] {
        let orders = orders(name);
        let actions: Vec<_> = orders.actions.iter().map(|action| action.to_lowercase()).collect();
        assert_eq!(actions, ["store"], "{name}");
        let nothing_else = Orders {
            actions: orders.actions.clone(),
            left_out: orders.left_out.clone(),
            words: orders.words.clone(),
            ..Orders::default()
        };
        assert_eq!(orders, nothing_else, "{name}");
        assert!(orders.left_out.len() <= 1, "{name}: {:?}", orders.left_out);
    }
    assert_eq!(orders("outlook-html-only").actions, ["store", "c3 n1"]);
}

#[test]
fn messages_to_the_table_keep_their_letters_and_lose_the_breaks_of_the_program() {
    let flowed = orders("thunderbird-bottom-flowed");
    assert_eq!(flowed.actions, ["store", "c3 n1"]);
    let said =
        "Well played, I did not see that coming until it was too late, and now there is nothing left to do.";
    assert_eq!(flowed.message, Written::message(said));
    let german = orders("thunderbird-german");
    assert_eq!((german.actions.len(), german.message), (1, Written::message("Schöne Grüße!")));
    assert_eq!(orders("shift-jis").message, Written::message("こんにちは"));
}

#[test]
fn what_machines_send_is_known_by_its_headers() {
    for name in ["vacation", "outlook-out-of-office", "mailing-list", "read-receipt"] {
        let mail = message::read(&fixture(name), Some("ann@example.org")).expect("a mail");
        assert!(mail.automatic.is_some() || mail.suspect.is_some(), "{name}");
    }
    for name in ["bounce-hard", "bounce-soft", "bounce-delayed"] {
        let mail = message::read(&fixture(name), Some("")).expect("a mail");
        assert!(mail.automatic.is_some(), "{name}");
    }
}

fn read(name: &str) -> Orders {
    let mail = message::read(&fixture(name), None).expect("a mail");
    let ours = OurMail::new("play.example.org", None);
    let writer =
        Writer { ours: &ours, name: mail.writer_name(), address: mail.from.address(), handle: "ann" };
    Orders::read(&mail.text, writer, &action)
}

#[test]
fn what_companies_and_quotes_add_is_neither_an_order_nor_hides_one() {
    for name in ["73-disclaimer-tight", "n101-disclaimer-30-tight"] {
        let orders = read(name);
        assert_eq!((orders.actions, orders.left_out), (vec!["store".to_owned()], Vec::new()), "{name}");
    }
    let empty = read("12-outlook-word-html-empty");
    assert!(empty.is_empty() && empty.left_out.is_empty(), "{empty:?}");
    assert!(read("dos-prose-234KB").too_much);
}

#[test]
fn what_a_referee_would_ask_about_is_not_played() {
    let position = position();
    let ours = OurMail::new("play.example.org", None);
    let orders = |name: &str| {
        let mail = message::read(&fixture(name), None).expect("a mail");
        let writer =
            Writer { ours: &ours, name: mail.writer_name(), address: mail.from.address(), handle: "ann" };
        Orders::read(&mail.text, writer, &At(&*position))
    };
    for (name, guess) in [("n056-en-dash-in-order", "c6 n2"), ("n068-please-prose", "store")] {
        assert_eq!(orders(name).guess.as_deref(), Some(guess), "{name}");
    }
    for name in
        ["n118-hyphen-list-two", "x01-do-not-newline-store", "x02-wrapped-prose", "x03-cancel", "x05-not-but"]
    {
        assert!(orders(name).doubted, "{name}: {:?}", orders(name));
    }
    let unsubscribing = orders("n135-unsubscribe");
    assert!(unsubscribing.unsubscribes && unsubscribing.preferences.len() == 1, "{unsubscribing:?}");
}

#[test]
fn an_action_without_its_verb_or_with_words_between_is_asked_about() {
    let text = String::from_utf8(fixture("n110-dominion-deploy-noverb")).expect("a text");
    assert!(text.trim_end().ends_with("\na4 1"), "{text}");
    let position = start_of("dominion");
    let legal: Vec<String> = position.legal().iter().filter_map(|action| position.write(action)).collect();
    let action = legal.iter().find(|action| action.starts_with("deploy ")).expect("a deployment");
    let parts: Vec<&str> = action.split(' ').collect();
    for line in [
        format!("{} {}", parts[1], parts[2]),
        format!("deploy {} to {}", parts[2], parts[1]),
        format!("{} \u{2013} {}", parts[1], parts[2]),
    ] {
        assert_eq!(notation::meant(&*position, "dominion", &line).as_ref(), Some(action), "{line}");
    }
}

#[test]
fn every_fixture_is_looked_at() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mail");
    for entry in std::fs::read_dir(folder).expect("fixtures") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let used = [include_str!("reading.rs"), include_str!("bouncing.rs")];
        assert!(used.iter().any(|text| text.contains(&format!("\"{name}\""))), "{name}");
    }
}

#[test]
fn a_mail_names_its_one_sender_or_says_that_it_has_none() {
    let sender = |fields: &str| {
        let raw = format!("{fields}To: play@example.org\r\nMessage-ID: <1@x>\r\n\r\nstore\r\n");
        message::read(raw.as_bytes(), Some("ann@example.org")).expect("a mail").from
    };
    let ann = Sender::One { address: "ann@example.org".to_owned(), name: Some("Ann".to_owned()) };
    assert_eq!(sender("From: Ann <ann@example.org>\r\n"), ann);
    for none in [
        "",
        "From:\r\n",
        "From: \r\n",
        "From: <>\r\n",
        "From: Ann <>\r\n",
        "From: Ann\r\n",
        "From: undisclosed:;\r\n",
    ] {
        assert_eq!(sender(none), Sender::None, "{none:?}");
    }
    assert_eq!(sender("From: Ann <ann@example.org>, eve@example.org\r\n"), Sender::Several);
    assert_eq!(sender("From: Ann <ann@example.org>\r\nFrom: eve@example.org\r\n"), Sender::Several);
}

/// The orders in an HTML mail of these blocks.
fn of_html(html: &str) -> Orders {
    let raw = format!(
        "From: Ann Example <ann@example.org>\r\nTo: play@example.org\r\nMessage-ID: <1@x>\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/html; charset=utf-8\r\n\r\n{html}"
    );
    let mail = message::read(raw.as_bytes(), None).expect("a mail");
    let ours = OurMail::new("play.example.org", None);
    let writer = Writer { ours: &ours, name: Some("Ann Example"), address: None, handle: "ann" };
    Orders::read(&mail.text, writer, &action)
}

#[test]
fn disclaimers_in_blocks_and_below_a_message_are_no_part_of_either_and_what_is_struck_out_is_no_order() {
    let disclaimer = "This e-mail is confidential and intended only for the recipient.";
    for html in [
        format!("<p>store</p><p>{disclaimer}</p>"),
        format!("<div>store</div><div>{disclaimer}<br>If you have received it in error, tell us.</div>"),
        format!("store<br>{disclaimer}"),
        format!("<div>store</div><hr><div>{disclaimer}</div>"),
        "<p><span style=\"text-decoration: underline line-through\">c3 n1</span></p><p>store</p>".to_owned(),
        "<p><font style='text-decoration-line:line-through'>c3 n1</font></p><p>store</p>".to_owned(),
    ] {
        let orders = of_html(&html);
        assert_eq!((&orders.actions, orders.doubted), (&vec!["store".to_owned()], false), "{html}");
    }
    let said = of_html(&format!("<p>store</p><p>---</p><p>Well played!</p><p>{disclaimer}</p>"));
    assert_eq!(said.message, Written::message("Well played!"));
    let link = of_html("<p>store</p><p>---</p><p>Have a look!</p><p>https://www.example.net/rules</p>");
    assert_eq!(link.message, Written::message("Have a look!\nhttps://www.example.net/rules"));
}
