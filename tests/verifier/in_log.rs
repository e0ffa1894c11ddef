//! The log as the page checks it, offline: two mails or checkpoints, and proofs that a log has a record.

use std::path::Path;

use pippost::log::checkpoint::cosign;
use pippost::log::entry::footer_hash;
use pippost::log::note::{KeyKind, Note, SignerKey};
use pippost::log::proof::Proof;
use pippost::log::tree::{self, Leaves, leaf_hash, prove_consistency, prove_inclusion};
use pippost::log::{Checkpoint, Entry, base64};
use pippost::mail::CHECKPOINT_HEADER;
use pippost::record::{Event, Header};
use serde_json::{Value, json};

use support::open_page::OpenPage;

const RECORD: &str = include_str!("../vectors/pip-pip-1.ndjson");
const OTHER: &str = include_str!("../vectors/pip-pip-abort.ndjson");
const ORIGIN: &str = "play.example.org/log";
const WITNESS: &str = "witness.example/w1";

/// When the witness signed, in seconds since 1970.
const SIGNED_AT: u64 = 1_780_000_000;

fn log_key() -> SignerKey {
    SignerKey::from_seed(ORIGIN, KeyKind::Log, &[5; 32]).expect("a key")
}

fn witness_key() -> SignerKey {
    SignerKey::from_seed(WITNESS, KeyKind::Witness, &[6; 32]).expect("a key")
}

fn entry(number: u64, history: u64) -> Vec<u8> {
    [number, history].map(u64::to_be_bytes).concat()
}

/// A history; all have their first leaves in common.
fn leaves(count: u64, history: u64) -> Leaves {
    let history_at = |number| if number < 3 { 0 } else { history };
    Leaves((0..count).map(|number| leaf_hash(&entry(number, history_at(number)))).collect())
}

fn checkpoint(of: &Leaves, size: u64) -> Note {
    let root = tree::root(of, size).expect("all leaves");
    Checkpoint { origin: ORIGIN.to_owned(), size, root }.sign(&log_key())
}

/// The entries of a record's lines, as the log has them.
fn entries(record: &str) -> Vec<Entry> {
    let mut lines = record.lines();
    let header: Header = serde_json::from_str(lines.next().expect("a header")).expect("a header");
    let of_line = |line: &str| match serde_json::from_str::<Event>(line) {
        Ok(event) => *event.hash.as_bytes(),
        Err(_) => footer_hash(line.as_bytes()),
    };
    (0..).zip(lines).map(|(seq, line)| Entry::of(header.id, seq, of_line(line))).collect()
}

/// The proof that a log has an entry of a record, signed by a witness, too.
fn proof(record: &str, seq: usize, extra: bool) -> Proof {
    let before = leaves(9, 1);
    let own = entries(record).into_iter().map(|entry| entry.leaf());
    let all = Leaves(before.0.iter().copied().chain(own).chain([leaf_hash(b"after")]).collect());
    let (index, size) = ((before.0.len() + seq) as u64, all.0.len() as u64);
    let mut checkpoint = checkpoint(&all, size);
    checkpoint.signatures.push(cosign(&witness_key(), &checkpoint.text, SIGNED_AT));
    let extra = extra.then(|| json!({"seq": seq}).to_string().into_bytes());
    Proof { extra, index, hashes: prove_inclusion(&all, index, size).expect("a leaf"), checkpoint }
}

/// What the page says of two texts: the verdict, or why it refuses them.
fn compare(page: &OpenPage, texts: [&str; 2], proof: &str) -> String {
    let key = log_key().verifier().to_string();
    let asked = format!(
        "pippost.compareCheckpoints({}, {}, {}).then(({{ verdict }}) => verdict, ({{ message }}) => message)",
        json!(texts),
        json!(key),
        json!(proof)
    );
    page.evaluate(&asked).as_str().expect("a text").to_owned()
}

fn lines(hashes: &[tree::Hash]) -> String {
    hashes.iter().map(|hash| base64(hash) + "\n").collect()
}

/// What the page says of a proof beside a record: what it shows, or why it refuses it.
fn prove(page: &OpenPage, record: &str, proof: &str, witnesses: &[SignerKey], needed: usize) -> Value {
    let witnesses: Vec<String> = witnesses.iter().map(|key| key.verifier().to_string()).collect();
    let asked = json!({
        "proof": proof, "key": log_key().verifier().to_string(), "witnesses": witnesses.join("\n"), "needed": needed,
    });
    page.evaluate(&format!(
        "pippost.verify(new TextEncoder().encode({})).then((report) => pippost.checkLogProof(report, {asked})).then(
            ({{ seq, isWhole, seen }}) => ({{ seq, isWhole, seen: seen.map(({{ name, time }}) => `${{name}} ${{time}}`) }}),
            ({{ message }}) => message,
        )",
        json!(record)
    ))
}

#[test]
fn two_checkpoints_or_mails_are_compared_as_our_own_program_compares_them() {
    let page = OpenPage::saved();
    let (one, fork) = (leaves(300, 1), leaves(300, 2));
    let mail = |note: &Note| {
        let words = note.in_words().replace(' ', "\r\n\t");
        format!(
            "From: a@example.org\r\n{CHECKPOINT_HEADER}: {words}\r\nSubject: turn\r\n\r\n{ORIGIN}, size 9\r\n"
        )
    };
    let note = |of: &Leaves, size| checkpoint(of, size).to_string();
    let seven = note(&one, 7);
    assert_eq!(compare(&page, [&seven, &format!("Hello,\n\n{seven}\nBye.\n")], ""), "same");
    assert_eq!(compare(&page, [&mail(&checkpoint(&one, 7)), &seven], ""), "same");
    assert_eq!(compare(&page, [&mail(&checkpoint(&one, 7)), &mail(&checkpoint(&fork, 7))], ""), "contradict");
    for (old, new) in [(1, 2), (3, 4), (4, 8), (7, 9), (100, 256), (256, 257), (257, 300)] {
        let proof = lines(&prove_consistency(&one, old, new).expect("all leaves"));
        let (small, large) = (note(&one, old), note(&one, new));
        assert_eq!(compare(&page, [&small, &large], ""), "unknown", "{old} {new}");
        assert_eq!(compare(&page, [&large, &small], &proof), "continues", "{old} {new}");
        let forked = if new > 3 { note(&fork, new) } else { note(&leaves(new, 3), new) };
        let expected = if new > 3 { "unproved" } else { "continues" };
        assert_eq!(compare(&page, [&small, &forked], &proof), expected, "{old} {new}");
        let longer = format!("{proof}{proof}");
        assert_eq!(compare(&page, [&small, &large], &longer), "unproved", "{old} {new}");
    }
    // What others have written or changed is refused.
    let other = SignerKey::from_seed(ORIGIN, KeyKind::Log, &[8; 32]).expect("a key");
    let forged =
        Checkpoint::of_text(&checkpoint(&one, 7).text).expect("a checkpoint").sign(&other).to_string();
    for (text, why) in [
        (forged.as_str(), "has not signed it"),
        (&seven.replace("\n7\n", "\n8\n"), "its signature is wrong"),
        (&seven.replace(ORIGIN, "other.example/log"), "needs its headers"),
        (&format!("The log of all games: {ORIGIN}, size 7, root x"), "needs its headers"),
        ("", "needs its headers"),
    ] {
        let said = compare(&page, [&seven, text], "");
        assert!(said.starts_with("The second text: ") && said.contains(why), "{said} for {text}");
    }
}

#[test]
fn a_proof_is_checked_offline_with_its_checkpoint_and_cosignatures() {
    let page = OpenPage::saved();
    let newest = entries(RECORD).len() - 1;
    let text = |seq, extra| proof(RECORD, seq, extra).text();
    let seen = format!("{WITNESS} {SIGNED_AT}");
    assert_eq!(
        prove(&page, RECORD, &text(newest, true), &[witness_key()], 1),
        json!({"seq": newest, "isWhole": true, "seen": [seen]})
    );
    assert_eq!(prove(&page, RECORD, &text(newest, false), &[], 0)["isWhole"], true);
    assert_eq!(
        prove(&page, RECORD, &text(4, true).replace('\n', "\r\n"), &[], 0),
        json!({"seq": 4, "isWhole": false, "seen": []})
    );
    let stranger = SignerKey::from_seed("other.example/w", KeyKind::Witness, &[7; 32]).expect("a key");
    let good = text(newest, true);
    let signature = good.trim_end().rsplit(' ').next().expect("a signature");
    let damaged = good.replace(signature, &format!("{}AAAA", &signature[..signature.len() - 4]));
    let moved = Proof { index: 3, ..proof(RECORD, newest, true) }.text();
    for (record, proof, witnesses, needed, why) in [
        (OTHER, good.as_str(), vec![], 0, "no line"),
        (OTHER, &text(1, true), vec![], 0, "does not have this record"),
        (RECORD, &moved, vec![], 0, "does not have this record"),
        (RECORD, &text(4, false), vec![], 0, "does not have this record"),
        (RECORD, &good, vec![stranger], 1, "0 of the 1 witnesses"),
        (RECORD, &good, vec![witness_key(), witness_key()], 2, "1 of the 2 witnesses"),
        (RECORD, &damaged, vec![witness_key()], 0, "signature of the witness"),
        (RECORD, &good, vec![log_key()], 0, "no witness’s"),
        (RECORD, RECORD, vec![], 0, "no proof of a log"),
        (&RECORD.replacen("\"die\":", "\"die\": ", 1), &good, vec![], 0, "accepted is needed first"),
    ] {
        let said = prove(&page, record, proof, &witnesses, needed);
        assert!(said.as_str().is_some_and(|said| said.contains(why)), "{said} should say {why}");
    }
}

/// Fills the fields, sends the form, and gives the verdict in words.
fn fill(page: &OpenPage, fields: &[(&str, &str)], form: &str) -> String {
    let fields = json!(fields);
    page.evaluate(&format!(
        "new Promise((done) => {{
            for (const [id, text] of {fields}) document.getElementById(id).value = text;
            for (const part of document.querySelectorAll('#log details')) part.open = true;
            const banner = document.getElementById('log-banner');
            new MutationObserver((_, observer) => {{ if (!banner.hidden) {{ observer.disconnect(); done(true); }} }})
                .observe(banner, {{ attributes: true }});
            document.getElementById('{form}').requestSubmit();
        }})"
    ));
    page.text("log-banner")
}

#[test]
fn people_compare_mails_and_check_proofs_on_a_telephone_too() {
    let page = OpenPage::saved();
    let (one, fork, key) = (leaves(9, 1), leaves(9, 2), log_key().verifier().to_string());
    let note = |of: &Leaves, size| checkpoint(of, size).to_string();
    let mut seen = 0;
    let mut look = |fields: &[(&str, &str)], form: &str, words: &str| {
        for (width, dark) in [(320, false), (320, true), (1200, false)] {
            page.look(width, dark);
            let said = fill(&page, fields, form);
            assert!(said.contains(words), "{said} should say {words}");
            assert!(page.has_no_sideways_scroll(), "{words} at {width}");
            if let Ok(folder) = std::env::var("PIPPOST_PICTURES") {
                page.keep_picture(&Path::new(&folder).join(format!("log-{seen}-{width}-{dark}.png")));
            }
        }
        seen += 1;
    };
    let compared = |one: String, other: String, proof: String| {
        [("log-key", key.clone()), ("first-text", one), ("second-text", other), ("between-proof", proof)]
    };
    for (fields, words) in [
        (compared(note(&one, 9), note(&fork, 9), String::new()), "These contradict: keep both"),
        (compared(note(&one, 4), note(&one, 9), String::new()), "Different sizes: a proof is needed"),
        (
            compared(note(&one, 4), note(&one, 9), lines(&prove_consistency(&one, 4, 9).expect("leaves"))),
            "One continues the other",
        ),
        (
            compared("nothing".to_owned(), note(&one, 9), String::new()),
            "The first text: it has no checkpoint",
        ),
    ] {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(id, text)| (*id, text.as_str())).collect();
        look(&fields, "compare", words);
    }
    let link = page.evaluate("document.getElementById('between-link').href");
    assert_eq!(link, json!(format!("https://{ORIGIN}/consistency/4/9")));
    let whole = proof(RECORD, entries(RECORD).len() - 1, true).text();
    let witness = witness_key().verifier().to_string();
    let fields = [
        ("log-key", key.as_str()),
        ("proof-text", whole.as_str()),
        ("witness-keys", witness.as_str()),
        ("witnesses-needed", "1"),
    ];
    look(&fields, "log-proof", "a record that is accepted is needed first");
    page.choose("good.ndjson", RECORD);
    look(&fields, "log-proof", "witness.example/w1 saw it on 2026-05-28 20:26:40 UTC");
}
