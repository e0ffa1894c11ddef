//! The second verifier, the page of `templates/verifier`, in a real browser: opened from a saved file, without a network, and
//! compared with ours. The two share no code; they must always give the same verdict and name the same place.

mod after_the_end;
mod agreement;
mod clocks;
mod forging;
mod in_log;
mod large_values;
mod page;

use pippost::clock::log;
use pippost::record::verify;
use pippost::rules;

use support::javascript::Verdict;
use support::open_page::OpenPage;
use support::random_play::{Game, Plan};
use support::tampering::{mend, only_receipts_prove};
use support::vectors::{FILES, all_changes, lines_of, record_of};

/// The most changes of each kind tried in all records together; with `PIPPOST_ALL_CHANGES` all are tried.
const CHANGES_TRIED: usize = 480;

/// The number of random games for the comparison, unless `PIPPOST_RANDOM_GAMES` sets it.
const RANDOM_GAMES: u64 = 24;

/// Our own verifier's verdict. A line that begins as those of clock logs begins one.
fn ours(whole: &[u8]) -> Verdict {
    let (record, clock_log) = log::split(whole);
    let verified = match clock_log {
        None => verify(record).map(|verified| (verified.proved, None)),
        Some(clock_log) => {
            log::verify(record, clock_log).map(|(verified, clock)| (verified.proved, clock.err()))
        }
    };
    match verified {
        Ok((proved, None)) => Verdict::Accepted { proved },
        Ok((_, Some(failure))) => {
            Verdict::Refused { check: failure.check.number().into(), place: failure.place.to_string() }
        }
        Err(failure) => Verdict::Refused { check: failure.check as u64, place: failure.place.to_string() },
    }
}

/// Records and, for messages, their origins.
#[derive(Default)]
struct Cases {
    records: Vec<Vec<u8>>,
    names: Vec<String>,
}

impl Cases {
    fn add(&mut self, name: String, record: Vec<u8>) {
        self.records.push(record);
        self.names.push(name);
    }

    /// Runs both verifiers, which must agree; returns the verdicts.
    fn compare(&self, page: &OpenPage) -> Vec<Verdict> {
        let theirs = page.judge(&self.records);
        let mut differences = Vec::new();
        for ((name, record), theirs) in self.names.iter().zip(&self.records).zip(&theirs) {
            let ours = ours(record);
            if ours != *theirs {
                differences.push(format!("{name}: ours {ours:?}, the page {theirs:?}"));
            }
        }
        let (count, browser) = (differences.len(), page.version());
        assert!(differences.is_empty(), "{count} differ in {browser}:\n{}", differences.join("\n"));
        theirs
    }

    /// As [`Self::compare`], and all records must be refused.
    fn compare_refused(&self, page: &OpenPage) {
        let verdicts = self.compare(page);
        for (name, verdict) in self.names.iter().zip(verdicts) {
            assert!(matches!(verdict, Verdict::Refused { .. }), "{name} was accepted");
        }
    }
}

/// The step through `count` changes with which all records share [`CHANGES_TRIED`].
fn step(count: usize) -> usize {
    let share = CHANGES_TRIED / FILES.len();
    if std::env::var_os("PIPPOST_ALL_CHANGES").is_some() { 1 } else { count.div_ceil(share).max(1) }
}

/// The records of the independent implementation and random games of every rule set, running and finished.
fn good_records() -> Cases {
    let mut cases = Cases::default();
    for (name, record) in FILES {
        cases.add((*name).to_owned(), record.as_bytes().to_vec());
    }
    let kinds = rules::all().count() as u64;
    let asked = std::env::var("PIPPOST_RANDOM_GAMES").ok().and_then(|number| number.parse().ok());
    for seed in 0..asked.unwrap_or(RANDOM_GAMES) {
        let rules = usize::try_from(seed % kinds).expect("small");
        let actions = usize::try_from(seed * 37 % 400).expect("small");
        let mut game = Game::start(&Plan { rules, seed, actions });
        game.play(actions);
        cases.add(format!("random game {seed}, running"), game.record());
        game.end();
        cases.add(format!("random game {seed}"), game.record());
    }
    cases
}

/// Every change of one field; with `mended` the hash chain is rebuilt after it, as a forger would.
fn changed_fields(mended: bool) -> Cases {
    let mut cases = Cases::default();
    for (name, record) in FILES {
        let lines = lines_of(record);
        if mended && !record.contains("\"master\"") {
            continue;
        }
        let changes = all_changes(&lines);
        for (index, changed) in changes.iter().step_by(step(changes.len())) {
            let mut copy = lines.clone();
            copy[*index] = changed.clone();
            if mended
                && (!mend(&mut copy) || copy == lines || only_receipts_prove(&lines[*index], &copy[*index]))
            {
                continue;
            }
            cases.add(format!("{name}, line {index}, mended {mended}: {changed}"), record_of(&copy));
        }
    }
    cases
}

/// The shortest record; every run changes each of its characters.
const EVERY_CHARACTER_OF: &str = "pip-pip-abort";

/// All records with one character replaced, and with one removed.
fn changed_characters() -> Cases {
    const OTHERS: &[u8] = b"01a \"\nZ}";
    let mut cases = Cases::default();
    for (name, record) in FILES {
        let record = record.as_bytes();
        let every = if *name == EVERY_CHARACTER_OF { 1 } else { step(record.len()) };
        for index in (0..record.len()).step_by(every) {
            let other = OTHERS[index % OTHERS.len()];
            let other = if other == record[index] { b'7' } else { other };
            let mut copy = record.to_vec();
            copy[index] = other;
            cases.add(format!("{name}, byte {index} changed to {:?}", char::from(other)), copy);
            let mut shorter = record.to_vec();
            shorter.remove(index);
            cases.add(format!("{name}, byte {index} removed"), shorter);
        }
    }
    cases
}

/// What a rebuilt chain can change unnoticed in a finished game (PROTOCOL.md, "Verifying"): times, in order, and which seat an
/// `abort` came from. Nothing else may be here.
fn what_only_receipts_prove() -> Cases {
    let mut cases = Cases::default();
    for (name, record) in FILES.iter().filter(|(_, record)| record.contains("\"master\"")) {
        let mut later = lines_of(record);
        let last = later.len() - 2;
        later[last]["at"] = serde_json::json!("2031-01-01T00:00:00.000000Z");
        assert!(mend(&mut later), "{name}");
        cases.add(format!("{name}, the last event later"), record_of(&later));
        if name.ends_with("abort") {
            let mut other = lines_of(record);
            let seat = other[last]["seat"].as_u64().expect("a seat");
            other[last]["seat"] = serde_json::json!(1 - seat);
            assert!(mend(&mut other), "{name}");
            cases.add(format!("{name}, aborted by the other seat"), record_of(&other));
        }
    }
    cases
}

#[test]
fn the_page_and_our_verifier_agree_on_every_record_and_every_change() {
    let page = OpenPage::saved();
    let verdicts = good_records().compare(&page);
    assert!(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Accepted { .. })));
    let verdicts = what_only_receipts_prove().compare(&page);
    assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Accepted { proved: true }));
    changed_fields(false).compare_refused(&page);
    changed_fields(true).compare_refused(&page);
    changed_characters().compare_refused(&page);
}
