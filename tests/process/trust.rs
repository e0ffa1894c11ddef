//! Runs the manual check of docs/TRUST.md exactly as the page states it.

use std::io::Write as _;
use std::process::Command;

use serde_json::json;

use support::tampering::mend;
use support::vectors::{FILES, lines_of, record_of};

/// The script of the page.
fn script() -> &'static str {
    let page = include_str!("../../docs/TRUST.md");
    let (_, rest) = page.split_once("```bash\n").expect("the page has a script");
    rest.split_once("```").expect("it ends").0
}

/// The script's output for a record, and whether it succeeded.
fn check(record: &[u8]) -> (String, bool) {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(record).expect("a record");
    let done =
        Command::new("bash").args(["-c", script(), "check.sh"]).arg(file.path()).output().expect("bash");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "", "nothing complains");
    let said = String::from_utf8(done.stdout).expect("text");
    (said.trim_end().to_owned(), done.status.success())
}

fn record_named(name: &str) -> &'static str {
    FILES.iter().find(|(known, _)| *known == name).expect("a record").1
}

#[test]
fn the_check_by_hand_is_short_and_accepts_finished_games() {
    assert!(script().lines().count() <= 25, "about twenty lines");
    for (name, events) in
        [("pip-pip-1", 21), ("pip-pip-2", 20), ("serpent-abort", 4), ("dominion-4x4-3p", 23)]
    {
        let expected = format!("{events} events: chained, promised and proved, and so is every die");
        assert_eq!(check(record_named(name).as_bytes()), (expected, true), "{name}");
    }
}

#[test]
fn the_check_by_hand_names_the_first_event_that_is_wrong() {
    let record = record_named("pip-pip-1");
    let changed = record.replacen("\"north\":6", "\"north\":1", 1);
    assert_eq!(check(changed.as_bytes()), ("event 2: was changed".to_owned(), false));
    let sandbox = record.replacen("pippost/1", "pippost-sandbox/1", 1);
    assert_eq!(check(sandbox.as_bytes()), ("event 0: no server chose its chance".to_owned(), false));
    let mut master = lines_of(record);
    let last = master.len() - 1;
    master[last]["master"] = master[0]["commitment"].clone();
    let mut entropy = lines_of(record);
    entropy[0]["players"][0]["entropy"] = json!("another");
    let mut rolled = lines_of(record);
    let effect = rolled[1]["effects"][1].clone();
    rolled[1]["effects"][1]["die"] = json!(effect["die"].as_u64().expect("a die") % 6 + 1);
    for (lines, said) in [
        (&mut master, "event 0: another master was promised"),
        (&mut entropy, "event 0: promised another seed"),
        (&mut rolled, "event 0: should have rolled another die"),
    ] {
        assert!(mend(lines));
        assert_eq!(check(&record_of(lines)), (said.to_owned(), false));
    }
}
