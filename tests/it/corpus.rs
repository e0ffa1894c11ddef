//! Finished games of every rule set, variant and seat class, kept for good in `tests/corpus`: each is verified and played again on every
//! run, and what there was to see at every position is compared with what it was when the game was added. So no change of the rules
//! alters an old game unnoticed.
//!
//! `PIPPOST_ADD_TO_CORPUS=1 cargo test corpus` adds the games that are missing, such as those of a new rule set or version, and
//! writes over nothing (see docs/TESTING.md).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use pippost::record::header::FORM;
use pippost::record::verify::{Played, walk};
use pippost::record::{
    Act, Chronicle, Hash, Header, Master, Player, Recorded, Seating, Timestamp, canonical,
};
use pippost::rules::{self, RuleSet, Seat};
use serde_json::{Value, json};
use time::Duration;
use uuid::{Builder, Uuid};

use crate::laws::viewers;
use crate::support::sample::Sampler;

/// The most bytes that the corpus may have: it is read on every run.
const MAX_CORPUS_BYTES: u64 = 1_500_000;

/// How many hex digits of the digest of a position are kept.
const DIGEST_DIGITS: usize = 16;

/// How a game of the corpus ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// By the rules.
    Played,
    /// After so many actions seats leave until one remains, by resignation and by time in turn.
    Left { actions: usize },
    /// Somebody aborts it at once.
    Aborted,
}

/// A game that the corpus must hold.
struct Class {
    name: &'static str,
    rules: &'static str,
    options: Value,
    seats: u8,
    seating: Seating,
    end: End,
}

fn class(name: &'static str, rules: &'static str, options: Value, seats: u8, end: End) -> Class {
    let seating = if seats.is_multiple_of(2) { Seating::Random } else { Seating::Joined };
    Class { name, rules, options, seats, seating, end }
}

/// Every rule set, variant, size and number of seats that has rules of its own, and every way to end.
fn classes() -> Vec<Class> {
    let rounds = |size: u8, limit: u8| json!({"size": size, "round_limit": limit});
    let board = |variant: &str, size: u8| json!({"variant": variant, "size": size});
    let left = |actions| End::Left { actions };
    vec![
        class("pip-pip", "pip-pip", json!({}), 2, End::Played),
        class("pip-pip-again", "pip-pip", json!({}), 2, End::Played),
        class("pip-pip-left", "pip-pip", json!({}), 2, left(5)),
        class("pip-pip-aborted", "pip-pip", json!({}), 2, End::Aborted),
        class("serpent", "serpent", json!({}), 2, End::Played),
        class("serpent-again", "serpent", json!({}), 2, End::Played),
        class("serpent-left", "serpent", json!({}), 2, left(30)),
        class("serpent-aborted", "serpent", json!({}), 2, End::Aborted),
        class("pippinzip-pipline-5", "pippinzip", board("pipline", 5), 2, End::Played),
        class("pippinzip-pipline-8", "pippinzip", board("pipline", 8), 2, End::Played),
        class("pippinzip-pipline-11", "pippinzip", board("pipline", 11), 2, End::Played),
        class("pippinzip-zipline-5", "pippinzip", board("zipline", 5), 2, End::Played),
        class("pippinzip-zipline-8", "pippinzip", board("zipline", 8), 2, End::Played),
        class("pippinzip-zipline-11", "pippinzip", board("zipline", 11), 2, End::Played),
        class("pippinzip-zipline-19", "pippinzip", board("zipline", 19), 2, End::Played),
        class("pippinzip-freestyle-5", "pippinzip", board("freestyle", 5), 2, End::Played),
        class("pippinzip-freestyle-8", "pippinzip", board("freestyle", 8), 2, End::Played),
        class("pippinzip-freestyle-11", "pippinzip", board("freestyle", 11), 2, End::Played),
        class("pippinzip-left", "pippinzip", board("freestyle", 7), 2, left(6)),
        class("pippinzip-aborted", "pippinzip", board("pipline", 11), 2, End::Aborted),
        class("dominion-3x3-2", "dominion", rounds(3, 16), 2, End::Played),
        class("dominion-4x4-2", "dominion", rounds(4, 20), 2, End::Played),
        class("dominion-4x4-3", "dominion", rounds(4, 16), 3, End::Played),
        class("dominion-4x4-4", "dominion", rounds(4, 12), 4, End::Played),
        class("dominion-5x5-5", "dominion", rounds(5, 8), 5, End::Played),
        class("dominion-5x5-6", "dominion", rounds(5, 6), 6, End::Played),
        class("dominion-5x5-7", "dominion", rounds(5, 5), 7, End::Played),
        class("dominion-5x5-8", "dominion", rounds(5, 5), 8, End::Played),
        class("dominion-4x4-3-left", "dominion", rounds(4, 9), 3, left(20)),
        class("dominion-5x5-8-left", "dominion", rounds(5, 9), 8, left(12)),
        class("dominion-3x3-2-aborted", "dominion", rounds(3, 5), 2, End::Aborted),
    ]
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The names of the games in the corpus, in order, without their extension. What is missing is added first, if that is asked for.
fn names() -> BTreeSet<String> {
    static ADD: Once = Once::new();
    if std::env::var_os("PIPPOST_ADD_TO_CORPUS").is_some() {
        ADD.call_once(add_what_is_missing);
    }
    names_found()
}

fn names_found() -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder()).expect("the corpus");
    let names = entries.filter_map(|entry| {
        let name = entry.expect("an entry").file_name().into_string().expect("plain names");
        name.strip_suffix(".ndjson").map(str::to_owned)
    });
    names.collect()
}

impl Class {
    /// The file's name tells the version that the game was played under.
    fn file_name(&self, rules: &dyn RuleSet) -> String {
        format!("{}.v{}", self.name, rules.version())
    }

    fn rules(&self) -> &'static dyn RuleSet {
        rules::find(self.rules, None).expect("a rule set of this build")
    }

    /// Plays the game; equal classes and versions give equal records.
    fn play(&self) -> Vec<u8> {
        let rules = self.rules();
        let fixed = *Hash::of(&[b"corpus", self.file_name(rules).as_bytes()]).as_bytes();
        let master = Master::from_bytes(fixed);
        let mut sampler = Sampler::new(u64::from_le_bytes(fixed[..8].try_into().expect("eight bytes")));
        let id = game_id(&fixed);
        let player = |seat| Player { name: format!("player{seat}"), entropy: format!("entropy {seat}") };
        let header = Header {
            record: FORM.to_owned(),
            id,
            rules: rules.name().to_owned(),
            rules_version: rules.version(),
            options: rules.complete_options(&self.options).expect("possible options"),
            seating: self.seating,
            commitment: master.commitment(id),
            players: (0..self.seats).map(player).collect(),
            beacon: None,
        };
        header.check().expect("a possible header");
        let mut at = Timestamp::parse("2026-11-21T12:00:00.000000Z").expect("a timestamp");
        let (mut chronicle, start) = Chronicle::start(rules, &header, &master, at);
        let mut events = vec![start];
        while chronicle.table().result().is_none() {
            at = Timestamp::new(at.get() + Duration::minutes(17));
            events.push(self.next_event(&mut chronicle, &mut sampler, events.len(), at));
        }
        let footer = chronicle.footer(&master).expect("the game is over");
        let mut record = canonical::of(&header);
        for line in
            events.into_iter().map(|recorded| recorded.line.into_bytes()).chain([canonical::of(&footer)])
        {
            record.push(b'\n');
            record.extend(line);
        }
        record.push(b'\n');
        record
    }

    fn next_event(
        &self,
        chronicle: &mut Chronicle,
        sampler: &mut Sampler,
        seq: usize,
        at: Timestamp,
    ) -> Recorded {
        let seat = chronicle.table().to_act().expect("a running game asks somebody");
        let act = match self.end {
            End::Aborted => Act::Abort { seat },
            End::Left { actions } if seq > actions && seq.is_multiple_of(2) => Act::Timeout { seat },
            End::Left { actions } if seq > actions => {
                let staying: Vec<Seat> = chronicle.table().staying().collect();
                Act::Resign { seat: staying[sampler.below(staying.len())] }
            }
            _ => {
                let action = sampler.action(&chronicle.table().position().legal());
                return chronicle.act(Act::Play { seat, action: &action }, at).expect("a listed action");
            }
        };
        chronicle.act(act, at).expect("possible at any time")
    }
}

/// A UUID of version 7 from fixed bytes.
fn game_id(bytes: &[u8; 32]) -> Uuid {
    let milliseconds = 1_795_262_400_000;
    let rest: [u8; 10] = bytes[..10].try_into().expect("ten bytes");
    Builder::from_unix_timestamp_millis(milliseconds, &rest).into_uuid()
}

/// Verifies a finished record and returns the digest of every position: of what the event did, who is asked, what may be done, and what
/// each viewer sees.
fn digests(name: &str, record: &[u8]) -> String {
    let mut digests = String::new();
    let verified = walk(record, |played| {
        let digest = Hash::of(&[&canonical::of(&all_there_is(played))]).to_string();
        let _ = writeln!(digests, "{} {}", played.seq, &digest[..DIGEST_DIGITS]);
    });
    let verified = verified.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    assert!(verified.proved && verified.result.is_some(), "{name} is a finished game");
    digests
}

fn all_there_is(played: &Played<'_>) -> Value {
    let position = played.table.position();
    let views: Vec<Value> = viewers(played.table).into_iter().map(|viewer| position.view(viewer)).collect();
    json!({
        "effects": played.effects, "to_act": played.table.to_act(), "legal": position.legal(), "views": views,
        "result": played.table.result(),
    })
}

/// Writes a new file; one that is there stays as it is.
fn add(path: &Path, bytes: &[u8]) {
    if let Ok(mut file) = std::fs::File::create_new(path) {
        file.write_all(bytes).expect("a whole file");
    }
}

/// Adds the games and digests that are missing.
fn add_what_is_missing() {
    std::fs::create_dir_all(folder()).expect("a folder");
    for class in classes() {
        let path = folder().join(class.file_name(class.rules()) + ".ndjson");
        if !path.exists() {
            add(&path, &class.play());
        }
    }
    for name in names_found() {
        let path = folder().join(name.clone() + ".digests");
        if !path.exists() {
            let record = std::fs::read(folder().join(name.clone() + ".ndjson")).expect("a record");
            add(&path, digests(&name, &record).as_bytes());
        }
    }
}

#[test]
fn every_old_game_verifies_and_looks_at_every_moment_as_it_did_when_it_was_added() {
    let mut bytes = 0;
    for name in names() {
        let record = std::fs::read(folder().join(name.clone() + ".ndjson")).expect("a record");
        let kept = std::fs::read_to_string(folder().join(name.clone() + ".digests")).expect("its digests");
        bytes += record.len() as u64 + kept.len() as u64;
        let now = digests(&name, &record);
        for (now, kept) in now.lines().zip(kept.lines()) {
            assert_eq!(now, kept, "{name}: an old game would go or look another way from here on");
        }
        assert_eq!(now.lines().count(), kept.lines().count(), "{name}");
    }
    assert!(bytes > 100_000, "the corpus is there");
    assert!(bytes <= MAX_CORPUS_BYTES, "the corpus has {bytes} bytes");
}

#[test]
fn every_rule_set_in_every_version_has_its_classes_in_the_corpus() {
    let names = names();
    let how = "`PIPPOST_ADD_TO_CORPUS=1 cargo test corpus` adds it";
    for class in classes() {
        let name = class.file_name(class.rules());
        assert!(names.contains(&name), "{name} is missing; {how}");
    }
    for rules in rules::all() {
        let known = format!("\"rules\":\"{}\",\"rules_version\":{},", rules.name(), rules.version());
        let has = |name: &String| {
            let record = std::fs::read_to_string(folder().join(name.clone() + ".ndjson"));
            record.expect("a record").lines().next().is_some_and(|header| header.contains(&known))
        };
        assert!(names.iter().any(has), "{rules:?} has no game in the corpus");
    }
}

#[test]
fn equal_classes_give_equal_records() {
    let class = &classes()[0];
    assert_eq!(class.play(), class.play());
}
