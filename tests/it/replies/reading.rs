//! What the usual mail programs send, read: fixtures in the style of each.

use pippost::replies::message;
use pippost::replies::orders::Orders;

fn fixture(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mail");
    std::fs::read(folder.join(format!("{name}.eml"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn orders(name: &str) -> Orders {
    let mail = message::read(&fixture(name), Some("ann@example.org")).expect("a mail");
    assert_eq!(mail.from.as_deref(), Some("ann@example.org"), "{name}");
    assert_eq!(mail.automatic, None, "{name}");
    assert!(mail.to[0].starts_with("play+"), "{name}: {:?}", mail.to);
    Orders::read(&mail.text).unwrap_or_else(|confused| panic!("{name}: {confused:?}"))
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
        assert_eq!(orders, Orders { actions: orders.actions.clone(), ..Orders::default() }, "{name}");
    }
    assert_eq!(orders("outlook-html-only").actions, ["store", "c3 n1"]);
}

#[test]
fn messages_to_the_table_keep_their_letters_and_lose_the_breaks_of_the_program() {
    let flowed = orders("thunderbird-bottom-flowed");
    assert_eq!(flowed.actions, ["store", "c3 n1"]);
    let said =
        "Well played, I did not see that coming until it was too late, and now there is nothing left to do.";
    assert_eq!(flowed.message.as_deref(), Some(said));
    let german = orders("thunderbird-german");
    assert_eq!((german.actions.len(), german.message.as_deref()), (1, Some("Schöne Grüße!")));
    assert_eq!(orders("shift-jis").message.as_deref(), Some("こんにちは"));
}

#[test]
fn what_machines_send_is_known_by_its_headers() {
    for name in ["vacation", "outlook-out-of-office", "mailing-list", "read-receipt"] {
        let mail = message::read(&fixture(name), Some("ann@example.org")).expect("a mail");
        assert!(mail.automatic.is_some(), "{name}");
    }
    for name in ["bounce-hard", "bounce-soft", "bounce-delayed"] {
        let mail = message::read(&fixture(name), Some("")).expect("a mail");
        assert!(mail.automatic.is_some(), "{name}");
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
