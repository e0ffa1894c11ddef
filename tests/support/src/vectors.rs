//! The records of the independent implementation, and every change of one field of them.

use pippost::record::canonical;
use serde_json::{Value, json};

/// The records of the rule sets in this build.
pub const FILES: &[(&str, &str)] = &[
    ("pip-pip-1", include_str!("../../vectors/pip-pip-1.ndjson")),
    ("pip-pip-2", include_str!("../../vectors/pip-pip-2.ndjson")),
    ("pip-pip-abort", include_str!("../../vectors/pip-pip-abort.ndjson")),
    ("dominion-3x3-2p", include_str!("../../vectors/dominion-3x3-2p.ndjson")),
    ("dominion-4x4-3p", include_str!("../../vectors/dominion-4x4-3p.ndjson")),
    ("dominion-4x4-3p-conquest", include_str!("../../vectors/dominion-4x4-3p-conquest.ndjson")),
    ("dominion-4x4-4p-leave", include_str!("../../vectors/dominion-4x4-4p-leave.ndjson")),
    ("dominion-4x4-4p-occupy", include_str!("../../vectors/dominion-4x4-4p-occupy.ndjson")),
    ("pippinzip-pipline-5", include_str!("../../vectors/pippinzip-pipline-5.ndjson")),
    ("pippinzip-zipline-5", include_str!("../../vectors/pippinzip-zipline-5.ndjson")),
    ("pippinzip-freestyle-5", include_str!("../../vectors/pippinzip-freestyle-5.ndjson")),
    ("pippinzip-timeout", include_str!("../../vectors/pippinzip-timeout.ndjson")),
    ("serpent-1", include_str!("../../vectors/serpent-1.ndjson")),
    ("serpent-abort", include_str!("../../vectors/serpent-abort.ndjson")),
    ("serpent-resign", include_str!("../../vectors/serpent-resign.ndjson")),
    ("serpent-running", include_str!("../../vectors/serpent-running.ndjson")),
];

pub fn lines_of(record: &str) -> Vec<Value> {
    record.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

pub fn record_of(lines: &[Value]) -> Vec<u8> {
    let line = |value| [canonical::of(value), b"\n".to_vec()].concat();
    lines.iter().flat_map(line).collect()
}

/// The most changes tried in all records together; with `PIPPOST_ALL_CHANGES` all are tried (see docs/TESTING.md).
const CHANGES_TRIED: usize = 3000;

/// The step with which each record gets its share of [`CHANGES_TRIED`], spread over the whole record.
pub fn sample(changes: usize) -> usize {
    let share = CHANGES_TRIED / FILES.len();
    if std::env::var_os("PIPPOST_ALL_CHANGES").is_some() { 1 } else { changes.div_ceil(share).max(1) }
}

/// All changes of one field of a record: the line and what it becomes.
pub fn all_changes(lines: &[Value]) -> Vec<(usize, Value)> {
    let changes = lines
        .iter()
        .enumerate()
        .flat_map(|(index, line)| changes_of(line).into_iter().map(move |changed| (index, changed)));
    changes.collect()
}

/// Every change of one field of a value: each leaf altered, each member and entry removed or doubled.
fn changes_of(value: &Value) -> Vec<Value> {
    let mut changes = match value {
        Value::Null => vec![json!(0), json!("")],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => {
            let number = number.as_i64().expect("an integer");
            vec![json!(number + 1), json!(number - 1), json!(number.to_string()), Value::Null]
        }
        Value::String(text) => {
            vec![json!(changed_text(text)), json!(format!("{text}0")), json!(1), Value::Null]
        }
        Value::Array(_) | Value::Object(_) => vec![Value::Null],
    };
    match value {
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                let with = |replacement: &[Value]| {
                    let (before, after) = (&entries[..index], &entries[index + 1..]);
                    Value::Array([before, replacement, after].concat())
                };
                changes.push(with(&[]));
                changes.push(with(&[entry.clone(), entry.clone()]));
                changes.extend(changes_of(entry).into_iter().map(|changed| with(&[changed])));
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let mut without = members.clone();
                without.remove(name);
                changes.push(Value::Object(without));
                changes.extend(changes_of(member).into_iter().map(|changed| {
                    let mut with = members.clone();
                    with.insert(name.clone(), changed);
                    Value::Object(with)
                }));
            }
            let mut more = members.clone();
            more.insert("more".into(), json!(1));
            changes.push(Value::Object(more));
        }
        _ => {}
    }
    changes
}

/// The text with its last letter or digit replaced by a neighbour.
fn changed_text(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    if let Some(last) = characters.iter_mut().rev().find(|character| character.is_ascii_alphanumeric()) {
        *last = match *last {
            '9' => '8',
            'z' => 'y',
            'Z' => 'Y',
            other => char::from(other as u8 + 1),
        };
    } else {
        characters.push('x');
    }
    characters.into_iter().collect()
}
