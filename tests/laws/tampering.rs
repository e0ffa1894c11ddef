//! Changed records: the verifier refuses every change that the protocol can bind.
//!
//! The exceptions have names in [`Unbound`]. No change of a single character is among them.

use proptest::prelude::*;

use support::tampering::{self, CHANGE, FORGE, RECORDS, Unbound};

/// The most single characters tried in all records together; with `PIPPOST_ALL_CHANGES` all are tried (see docs/TESTING.md).
const CHARACTERS_TRIED: usize = 600;

/// The replacements for a character, beside its neighbour in the code table.
const REPLACEMENTS: &[u8] = b"0a\" \n\\\xff";

/// All changes at one place: the character is deleted, doubled, and replaced.
fn changes(record: &[u8], index: usize) -> impl Iterator<Item = Vec<u8>> {
    let (before, after) = (&record[..index], &record[index + 1..]);
    let byte = record[index];
    let neighbour = [byte ^ 1];
    let others = REPLACEMENTS.iter().chain(&neighbour).filter(|other| **other != byte);
    let replaced: Vec<Vec<u8>> = others.map(|other| [before, &[*other], after].concat()).collect();
    let (deleted, doubled) = ([before, after].concat(), [before, &[byte, byte], after].concat());
    [deleted, doubled].into_iter().chain(replaced)
}

/// Tries every `step`-th character of a record; returns the number of changes.
fn try_characters(name: &str, record: &[u8], step: usize) -> usize {
    let mut tried = 0;
    for index in (0..record.len()).step_by(step) {
        for changed in changes(record, index) {
            // A single change could leave a valid record only by removing a line feed after which a line is empty, and no
            // record has such a line.
            let accepted = tampering::judge(name, record, &changed, false);
            assert!(accepted.is_none(), "{name}: byte {index}: {accepted:?}");
            tried += 1;
        }
    }
    tried
}

#[test]
fn every_change_of_a_single_character_is_refused() {
    let share = CHARACTERS_TRIED / RECORDS.len();
    let whole = std::env::var_os("PIPPOST_ALL_CHANGES").is_some();
    let tried: usize = std::thread::scope(|scope| {
        let tries = RECORDS.iter().map(|(name, record)| {
            // An odd step is not in phase with any length.
            let step = if whole { 1 } else { record.len().div_ceil(share) | 1 };
            scope.spawn(move || try_characters(name, record, step))
        });
        let tries: Vec<_> = tries.collect();
        tries.into_iter().map(|tried| tried.join().expect("refused")).sum()
    });
    println!("{tried} changes of single characters, all refused");
    assert!(tried > CHARACTERS_TRIED * 4, "{tried}");
}

#[test]
fn a_record_without_its_last_lines_is_a_running_game_and_lines_from_elsewhere_are_not_taken() {
    for (name, record) in RECORDS {
        let lines: Vec<&[u8]> = record.split_inclusive(|byte| *byte == b'\n').collect();
        let shorter = lines[..lines.len() - 1].concat();
        if lines.len() > 2 {
            let accepted = tampering::judge(name, record, &shorter, false);
            assert_eq!(accepted, Some(Unbound::CutToARunningGame), "{name}");
        }
        for gap in 1..lines.len() - 1 {
            let without = [&lines[..gap], &lines[gap + 1..]].concat().concat();
            assert_eq!(tampering::judge(name, record, &without, false), None, "{name} without line {gap}");
        }
    }
}

/// Inputs for [`tampering::run`]: random changes, or entirely random bytes.
fn inputs() -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec(any::<u8>(), 8..26);
    let with_mode =
        (prop::sample::select(&[CHANGE, CHANGE, FORGE][..]), changes).prop_map(|(mode, mut input)| {
            input[0] = mode;
            input
        });
    prop_oneof![9 => with_mode, 1 => prop::collection::vec(any::<u8>(), 0..200), 1 => near_records()]
}

/// A few lines of records, in any order.
fn near_records() -> impl Strategy<Value = Vec<u8>> {
    let line = any::<(prop::sample::Index, prop::sample::Index)>().prop_map(|(record, line)| {
        let lines: Vec<&[u8]> = record.get(RECORDS).1.split_inclusive(|byte| *byte == b'\n').collect();
        line.get(&lines).to_vec()
    });
    prop::collection::vec(line, 0..5).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_verifier_never_panics_and_accepts_no_changed_record(input in inputs()) {
        tampering::run(&input);
    }
}
