//! Finished games of every rule set, variant and seat class, kept permanently in `tests/corpus`, with a folder for each rule
//! set whose `classes.json` lists the required games. Every run verifies and replays each game, and compares everything visible
//! at every position with what it was when the game was added. So no change of the rules alters an old game unnoticed.
//!
//! `PIPPOST_ADD_TO_CORPUS=1 cargo test corpus` adds missing games, for example of a new rule set or version, and overwrites
//! nothing (see docs/TESTING.md).

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
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;
use uuid::{Builder, Uuid};

use support::random_play::viewers;
use support::sample::Sampler;

/// The largest size of the corpus, in bytes: it is read on every run.
const MAX_CORPUS_BYTES: u64 = 1_500_000;

/// The number of hex digits that are kept of a position's digest.
const DIGEST_DIGITS: usize = 16;

/// How a game of the corpus ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
    /// By the rules.
    Played,
    /// After that many actions seats leave until one remains, by resignation and by timeout in turn.
    Left(usize),
    /// A player aborts it at once.
    Aborted,
}

/// A game that the corpus must contain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    name: String,
    options: Value,
    seats: u8,
    end: End,
}

/// The folder of a rule set's games.
fn folder(rules: &dyn RuleSet) -> PathBuf {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    corpus.join(rules.name().replace('-', "_"))
}

/// The games of a rule set that the corpus must contain.
fn classes(rules: &dyn RuleSet) -> Vec<Class> {
    let path = folder(rules).join("classes.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The newest version of every rule set.
fn newest() -> impl Iterator<Item = &'static dyn RuleSet> {
    rules::all().filter(|rules| {
        rules::find(rules.name(), None).is_some_and(|newest| newest.version() == rules.version())
    })
}

/// The games of the corpus, in order, by their paths without extension. Adds missing games first if that is requested.
fn games() -> BTreeSet<PathBuf> {
    static ADD: Once = Once::new();
    if std::env::var_os("PIPPOST_ADD_TO_CORPUS").is_some() {
        ADD.call_once(add_what_is_missing);
    }
    newest().flat_map(games_found).collect()
}

fn games_found(rules: &'static dyn RuleSet) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder(rules)).expect("the rule set's part of the corpus");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let records = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ndjson"));
    records.map(|path| path.with_extension("")).collect()
}

/// The path of a game's file: its name has a dot before the version.
fn file(game: &Path, extension: &str) -> PathBuf {
    let mut path = game.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    path.into()
}

impl Class {
    /// The file's name contains the version of the rules under which the game was played.
    fn file_name(&self, rules: &dyn RuleSet) -> String {
        format!("{}.v{}", self.name, rules.version())
    }

    /// Plays the game; equal classes and versions give equal records.
    fn play(&self, rules: &dyn RuleSet) -> Vec<u8> {
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
            seating: if self.seats.is_multiple_of(2) { Seating::Random } else { Seating::Joined },
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
            End::Left(actions) if seq > actions && seq.is_multiple_of(2) => Act::Timeout { seat },
            End::Left(actions) if seq > actions => {
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

/// Verifies a finished record and returns the digest of every position: the event's effects, the seat to act, the legal
/// actions, and each viewer's view.
fn digests(game: &Path, record: &[u8]) -> String {
    let name = game.display();
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

/// Writes a new file; an existing file stays unchanged.
fn add(path: &Path, bytes: &[u8]) {
    if let Ok(mut file) = std::fs::File::create_new(path) {
        file.write_all(bytes).expect("a whole file");
    }
}

/// Adds missing games and digests.
fn add_what_is_missing() {
    for rules in newest() {
        for class in classes(rules) {
            let path = file(&folder(rules).join(class.file_name(rules)), "ndjson");
            if !path.exists() {
                add(&path, &class.play(rules));
            }
        }
        for game in games_found(rules) {
            let path = file(&game, "digests");
            if !path.exists() {
                let record = std::fs::read(file(&game, "ndjson")).expect("a record");
                add(&path, digests(&game, &record).as_bytes());
            }
        }
    }
}

#[test]
fn every_old_game_verifies_and_looks_at_every_moment_as_it_did_when_it_was_added() {
    let mut bytes = 0;
    for game in games() {
        let record = std::fs::read(file(&game, "ndjson")).expect("a record");
        let kept = std::fs::read_to_string(file(&game, "digests")).expect("its digests");
        bytes += record.len() as u64 + kept.len() as u64;
        let now = digests(&game, &record);
        let name = game.display();
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
    let games = games();
    let how = "`PIPPOST_ADD_TO_CORPUS=1 cargo test corpus` adds it";
    for rules in newest() {
        for class in classes(rules) {
            let game = folder(rules).join(class.file_name(rules));
            assert!(games.contains(&game), "{} is missing; {how}", game.display());
        }
    }
    for rules in rules::all() {
        let known = format!("\"rules\":\"{}\",\"rules_version\":{},", rules.name(), rules.version());
        let has = |game: &PathBuf| {
            let record = std::fs::read_to_string(file(game, "ndjson"));
            record.expect("a record").lines().next().is_some_and(|header| header.contains(&known))
        };
        assert!(games.iter().any(has), "{rules:?} has no game in the corpus");
    }
}

#[test]
fn equal_classes_give_equal_records_and_the_corpus_has_them() {
    let games = games();
    for rules in newest() {
        let class = &classes(rules)[0];
        let record = class.play(rules);
        assert_eq!(record, class.play(rules));
        let game = folder(rules).join(class.file_name(rules));
        assert!(games.contains(&game), "{}", game.display());
        assert!(record == std::fs::read(file(&game, "ndjson")).expect("a record"), "{}", game.display());
    }
}
