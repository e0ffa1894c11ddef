//! The readers of what strangers send. For each there is one function that takes any bytes and panics if the reader does what it must not;
//! the tests (`tests/laws/readers.rs`) and the fuzz targets (`fuzz/`) share this file, so that they cannot differ.

use std::sync::LazyLock;

use pippost::beacon::Chain;
use pippost::clock::log;
use pippost::keys::{PublicKeys, Purpose, SecretKey};
use pippost::language::Language;
use pippost::record::header::FORM;
use pippost::record::{Act, Chronicle, Header, Master, Player, Seating, Timestamp};
use pippost::replies::lmtp::{Said, Speech};
use pippost::replies::{MAX_READ_BYTES, message};
use pippost::rules::{self, Choose, Position, RuleSet};
use pippost::store::EventId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::tampering;

/// What reads.
pub type Reader = fn(&[u8]);

/// Every reader by the name of its fuzz target. `verify` reads records.
pub const READERS: [(&str, Reader); 10] = [
    ("verify", record),
    ("clock_log", clock_log),
    ("notation", notation),
    ("options", options),
    ("mail", mail),
    ("lmtp", lmtp),
    ("cursor", cursor),
    ("token", token),
    ("drand", drand),
    ("accept_language", accept_language),
];

/// Splits an input into what it chooses and the rest.
fn choices<const N: usize>(input: &[u8]) -> Option<([usize; N], &[u8])> {
    let (chosen, rest) = input.split_first_chunk::<N>()?;
    Some((chosen.map(usize::from), rest))
}

/// The original with the changes that bytes stand for.
fn changed(original: &[u8], changes: &[u8]) -> Vec<u8> {
    let changes = changes.as_chunks::<6>().0.iter().take(4);
    changes.fold(original.to_vec(), |text, change| tampering::apply(&text, *change))
}

/// As [`tampering::run`].
pub fn record(input: &[u8]) {
    tampering::run(input);
}

/// Games with clock logs of every form.
const LOGS: [&[u8]; 4] = [
    include_bytes!("../../clock_vectors/250.ndjson"),
    include_bytes!("../../clock_vectors/before-offsets-258.ndjson"),
    include_bytes!("../../clock_vectors/before-substitutes-365.ndjson"),
    include_bytes!("../../clock_vectors/other-tzdata.ndjson"),
];

/// A changed clock log is refused. An input that begins with no number of a log is taken for a record with its log.
pub fn clock_log(input: &[u8]) {
    match choices::<1>(input) {
        Some(([number], changes)) if number < LOGS.len() => {
            let (record, log) = log::split(LOGS[number]);
            let log = log.expect("a clock log");
            let other = changed(log, changes);
            let accepted = log::verify(record, &other).expect("the record is good").1.is_ok();
            assert!(!accepted || other == log, "a changed log: {}", String::from_utf8_lossy(&other));
        }
        _ => {
            let (record, log) = log::split(input);
            assert_eq!([record, log.unwrap_or_default()].concat(), input);
            let _verdict = log::verify(record, log.unwrap_or_default());
        }
    }
}

/// So many actions lead to the positions in which notations are read.
const DEPTHS: [usize; 4] = [0, 2, 7, 16];

fn started(rules: &dyn RuleSet) -> Chronicle {
    let options = rules.complete_options(&json!({})).expect("all have defaults");
    let (id, master) = (Uuid::from_u128(1), Master::from_bytes([7; 32]));
    let header = Header {
        record: FORM.to_owned(),
        id,
        rules: rules.name().to_owned(),
        rules_version: rules.version(),
        seating: Seating::Joined,
        commitment: master.commitment(id),
        players: (0..*rules.seats(&options).expect("complete options").start())
            .map(|seat| Player { name: format!("player{seat}"), entropy: String::new() })
            .collect(),
        options,
        beacon: None,
    };
    let at = Timestamp::parse("2026-11-21T12:00:00.000000Z").expect("a timestamp");
    Chronicle::start(rules, &header, &master, at).0
}

/// A legal action of that number, as the list has it.
fn legal(position: &dyn Position, number: usize) -> Option<Value> {
    let listed = position.legal();
    let entry = listed.get(number % listed.len().max(1))?.clone();
    match serde_json::from_value::<Choose>(entry.clone()) {
        Ok(choice) => Some(choice.action(|limit| number % limit)),
        Err(_) => Some(entry),
    }
}

/// A few positions of every rule set.
static GAMES: LazyLock<Vec<Chronicle>> = LazyLock::new(|| {
    let mut games = Vec::new();
    for rules in rules::all() {
        let mut game = started(rules);
        for number in 0..=DEPTHS[DEPTHS.len() - 1] {
            if DEPTHS.contains(&number) {
                games.push(game.clone());
            }
            let at = game.at();
            let Some(seat) = game.table().to_act() else { break };
            let action = legal(game.table().position(), number * 5).expect("asked means able");
            game.act(Act::Play { seat, action: &action }, at).expect("legal");
        }
    }
    games
});

/// What is read is written so that it reads as the same. Chooses a position and a legal action, whose notation is changed; or, if there
/// are no changes, the rest is the text.
pub fn notation(input: &[u8]) {
    let Some(([game, number, is_text], rest)) = choices::<3>(input) else { return };
    let position = GAMES[game % GAMES.len()].table().position();
    let text = if is_text % 4 == 0 {
        rest.to_vec()
    } else {
        let written = legal(position, number).and_then(|action| position.write(&action));
        changed(written.unwrap_or_default().as_bytes(), rest)
    };
    let text = String::from_utf8_lossy(&text);
    if let Ok(action) = position.read(&text)
        && let Some(written) = position.write(&action)
    {
        assert_eq!(
            position.read(&written).as_ref().ok(),
            Some(&action),
            "{text:?} is written as {written:?}"
        );
    }
    let _none = position.advance_answer(&text);
    if let Some(meant) = position.meant(&text) {
        assert!(!meant.candidates.is_empty(), "{text:?} is incomplete, and nothing completes it");
    }
}

/// Completed options are complete. Chooses a rule set; the rest is JSON.
pub fn options(input: &[u8]) {
    let Some(([number], text)) = choices::<1>(input) else { return };
    let all: Vec<&dyn RuleSet> = rules::all().collect();
    let (rules, Ok(given)) = (all[number % all.len()], serde_json::from_slice::<Value>(text)) else { return };
    match rules.complete_options(&given) {
        Ok(complete) => {
            assert_eq!(rules.complete_options(&complete).as_ref().ok(), Some(&complete), "{given}");
            assert!(rules.seats(&complete).is_ok_and(|seats| *seats.start() >= 1), "{given}");
        }
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}

/// The head that is read alone is that of the whole mail, and the text has a bound.
pub fn mail(input: &[u8]) {
    let raw = &input[..input.len().min(MAX_READ_BYTES)];
    for sender in [None, Some(""), Some("ann@example.org")] {
        let (head, mail) = (message::read_head(raw, sender), message::read(raw, sender));
        let Some(mail) = mail else { continue };
        assert_eq!(Some(mail.key), message::read(raw, sender).map(|again| again.key));
        // A byte of another character set has three at most; HTML becomes shorter.
        assert!(mail.text.len() <= 4 * raw.len() + 64, "{} bytes of {}", mail.text.len(), raw.len());
        let head = head.expect("a mail has a head");
        assert_eq!((head.from, head.to), (mail.from, mail.to));
    }
}

/// A conversation as its client writes it, which waits for no answer, in pieces of that size.
fn heard(conversation: &[u8], piece: usize) -> Vec<String> {
    let (mut speech, mut parts) = (Speech::default(), Vec::new());
    for piece in conversation.chunks(piece) {
        let mut bytes = piece.iter();
        while let Some(said) = speech.hear(&mut bytes) {
            if let Said::Mail { raw, bytes } = &said {
                assert!(raw.len() <= MAX_READ_BYTES && raw.len() <= *bytes, "{} of {bytes}", raw.len());
            }
            let said = format!("{said:?}");
            if said == "Command(Data)" {
                speech.expect_mail();
            }
            parts.push(said);
        }
    }
    parts
}

/// A conversation is heard as the same wherever the network cuts it. Where there are mistakes it need not be: a command that is broken in two
/// lines is one for smtp-proto if both are there at once.
pub fn lmtp(input: &[u8]) {
    let has_mistakes = |parts: &[String]| parts.iter().any(|part| part.starts_with("Mistake"));
    let whole = heard(input, input.len().max(1));
    for piece in [1, 7] {
        let parts = heard(input, piece);
        assert!(has_mistakes(&whole) || has_mistakes(&parts) || parts == whole, "{parts:?}\nis {whole:?}");
    }
}

/// An id of an event is read only as it is written.
pub fn cursor(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(id) = text.parse::<EventId>() {
        assert_eq!(id.to_string(), text);
    }
}

/// The key of the tokens.
static KEY: LazyLock<SecretKey> = LazyLock::new(|| SecretKey::from_hex(&"5a".repeat(32)).expect("a key"));

const PURPOSES: [Purpose; 4] = [Purpose::ConfirmEmail, Purpose::Invitation, Purpose::Reply, Purpose::Bounce];

/// A changed token is refused, and so is one for another purpose. Chooses whether the token is for a link or an address, and its purpose.
/// Keys that are published, and what they have signed, are read, too.
pub fn token(input: &[u8]) {
    let Some(([form, purpose], rest)) = choices::<2>(input) else { return };
    let (purpose, other) = (PURPOSES[purpose % 4], PURPOSES[(purpose + 1) % 4]);
    let id = Uuid::from_u128(48);
    match form % 3 {
        0 => {
            let token = KEY.link_token(purpose, id);
            let given = String::from_utf8_lossy(&changed(token.as_bytes(), rest)).into_owned();
            assert_eq!(KEY.read_link_token(purpose, &given).is_some(), given == token, "{given}");
            assert_eq!(KEY.read_link_token(other, &given), None);
        }
        1 => {
            let token = KEY.address_token(purpose, id.as_bytes());
            let given = String::from_utf8_lossy(&changed(token.as_bytes(), rest)).into_owned();
            let is_same = given.eq_ignore_ascii_case(&token);
            assert_eq!(KEY.read_address_token(purpose, &given).is_some(), is_same, "{given}");
            assert_eq!(KEY.read_address_token(other, &given), None);
        }
        _ => {
            let text = String::from_utf8_lossy(rest);
            let _found = KEY.is_token_in(&text);
            let (keys, signed) = text.split_once('\n').unwrap_or((&text, ""));
            if let Some(keys) = PublicKeys::parse(keys) {
                // Nobody has the private half of the keys in the corpus.
                assert!(keys.verify::<Value>("pippost-receipt+jws", signed).is_err());
            }
        }
    }
}

/// A published round of quicknet.
const ROUND: u64 = 1000;
const SIGNATURE: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

/// Of a chain only itself, and of its round only the published one, is accepted. An endpoint's answer, or the description of a chain.
pub fn drand(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let quicknet = Chain::quicknet();
    if let Ok(chain) = Chain::parse(&text) {
        assert_eq!(chain.hash(), quicknet.hash(), "another chain with a known key: {text}");
    }
    let Ok(answer) = serde_json::from_str::<Value>(&text) else { return };
    let member = |name: &str| answer[name].as_str().unwrap_or_default();
    if let Ok(beacon) = quicknet.check(ROUND, member("randomness"), member("signature")) {
        assert_eq!((beacon.round, beacon.signature.as_str()), (ROUND, SIGNATURE));
    }
}

/// Whatever is preferred, the language is one that there is.
pub fn accept_language(input: &[u8]) {
    let accepted = Language::accepted(&String::from_utf8_lossy(input));
    assert!(Language::all().any(|language| language == accepted));
}
