//! Values larger than any game needs: both verifiers refuse them, and name the same check and place.

use pippost::record::canonical;
use pippost::record::verify::MAX_VALUE_BYTES;
use serde_json::{Value, json};

use super::forging::rebuild;
use super::ours;
use support::javascript::{Verdict, with_engine};
use support::vectors::{lines_of, record_of};

const FINISHED: &str = include_str!("../vectors/pip-pip-1.ndjson");

/// As large as a line of a request may be: as JSON values it would take some two hundred megabytes.
const HUGE_BYTES: usize = 8 * 1024 * 1024;

/// A list of that length.
fn long_list(bytes: usize) -> Value {
    Value::Array(vec![json!(0); bytes / 2])
}

fn refused(check: u64, place: &str) -> Verdict {
    Verdict::Refused { check, place: place.to_owned() }
}

/// The finished record with one line replaced, or with one added at the end.
fn with_line(index: usize, line: &Value) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = FINISHED.lines().map(|line| line.as_bytes().to_vec()).collect();
    let bytes = canonical::to_bytes(line).expect("integers only");
    match lines.get_mut(index) {
        Some(old) => *old = bytes,
        None => lines.push(bytes),
    }
    lines.iter().flat_map(|line| [line.as_slice(), b"\n"].concat()).collect()
}

/// Records with a line of about that many bytes, and the expected verdicts.
fn records(bytes: usize) -> Vec<(&'static str, Vec<u8>, Verdict)> {
    let lines: Vec<Value> = lines_of(FINISHED);
    let (footer, any) = (lines.len() - 1, json!({"a": long_list(bytes)}));
    let with = |line: &Value, member: &str, value: Value| {
        let mut line = line.clone();
        line[member] = value;
        line
    };
    let mut scores = lines[footer].clone();
    scores["result"]["scores"] = long_list(bytes);
    let mut acted = lines.clone();
    acted[3]["action"]["a"] = long_list(bytes);
    assert!(rebuild(&mut acted));
    let mut effects = lines.clone();
    effects[3]["effects"] = Value::Array(vec![json!({"type": "x"}); bytes / 12]);
    assert!(rebuild(&mut effects));
    vec![
        ("anything as header", with_line(0, &any), refused(1, "header")),
        ("a header's options", with_line(0, &with(&lines[0], "options", any.clone())), refused(1, "header")),
        ("anything as event", with_line(4, &any), refused(1, "event 3")),
        (
            "an event with another member",
            with_line(4, &with(&lines[4], "a", long_list(bytes))),
            refused(1, "event 3"),
        ),
        ("anything as footer", with_line(footer, &any), refused(1, &format!("event {}", footer - 1))),
        (
            "a footer with another member",
            with_line(footer, &with(&lines[footer], "a", long_list(bytes))),
            refused(1, "footer"),
        ),
        (
            "a line behind the footer",
            with_line(footer + 1, &any),
            refused(1, &format!("event {}", footer - 1)),
        ),
        ("a footer's scores", with_line(footer, &scores), refused(1, "footer")),
        ("an action", record_of(&acted), refused(3, "event 2")),
        ("effects", record_of(&effects), refused(3, "event 2")),
    ]
}

#[test]
fn a_value_that_is_too_long_is_refused_by_both_verifiers_with_the_same_check_and_place() {
    with_engine(|engine| {
        for (what, record, expected) in records(MAX_VALUE_BYTES + 16 * 1024) {
            assert_eq!(ours(&record), expected, "{what}");
            assert_eq!(engine.judge(&record), expected, "{what}, in the browser");
        }
    });
}

#[test]
fn a_line_as_long_as_a_request_is_refused_with_the_same_check_and_place() {
    for (what, record, expected) in records(HUGE_BYTES) {
        assert_eq!(ours(&record), expected, "{what}");
    }
}

#[test]
fn the_limit_is_far_from_what_games_hold() {
    for line in FINISHED.lines() {
        assert!(line.len() < MAX_VALUE_BYTES / 10, "{line}");
    }
}
