//! The rules for Prometheus and the dashboard for Grafana in `docs/monitoring` name only metrics that the program has, and runbooks that
//! docs/OPERATIONS.md has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of metrics that a text has, whatever stands around them.
fn names(text: &str) -> BTreeSet<&str> {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    text.match_indices("pippost_")
        .map(|(at, _)| {
            let rest = &text[at..];
            &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())]
        })
        .collect()
}

/// The metrics that the sources describe: string literals that are a name and nothing else.
fn described() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["src", "crates"] {
        super::architecture::rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    let texts = files.iter().map(|file| fs::read_to_string(file).expect("a source"));
    let literals = |text: String| {
        let pieces = text.split('"').map(str::to_owned).collect::<Vec<_>>();
        pieces.into_iter().filter(|piece| names(piece).first() == Some(&piece.as_str())).collect::<Vec<_>>()
    };
    texts.flat_map(literals).collect()
}

/// A histogram has three series beside its name.
fn plain(name: &str) -> &str {
    let endings = ["_bucket", "_count", "_sum"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[test]
fn no_rule_and_no_panel_names_a_metric_that_the_program_does_not_have() {
    let described = described();
    assert!(described.len() > 15, "{described:?}");
    for file in ["docs/monitoring/rules.yml", "docs/monitoring/dashboard.json"] {
        let text = read(file);
        let unknown: Vec<_> = names(&text)
            .into_iter()
            .filter(|name| !described.contains(*name) && !described.contains(plain(name)))
            .collect();
        assert!(unknown.is_empty(), "{file} names {unknown:?}");
        assert!(names(&text).len() > 8, "{file} names few metrics");
    }
    serde_json::from_str::<serde_json::Value>(&read("docs/monitoring/dashboard.json")).expect("JSON");
}

#[test]
fn every_rule_and_everything_that_the_doctor_finds_has_a_runbook() {
    let operations = read("docs/OPERATIONS.md");
    let has = |runbook: &str| operations.lines().any(|line| line.starts_with(&format!("- **{runbook}**")));
    let (rules, doctor) = (read("docs/monitoring/rules.yml"), read("src/cli/doctor.rs"));
    let of_rules = rules.split("runbook: ").skip(1).map(|rest| rest.split('}').next().expect("a name"));
    let of_doctor =
        doctor.split("Self::").skip(1).filter_map(|rest| rest.split_once(" => \"")?.1.split('"').next());
    let runbooks: BTreeSet<&str> = of_rules.chain(of_doctor).collect();
    assert_eq!(runbooks.len(), 6, "{runbooks:?}");
    for runbook in runbooks {
        assert!(has(runbook), "docs/OPERATIONS.md has no runbook `{runbook}`");
        let line = operations.lines().find(|line| line.starts_with(&format!("- **{runbook}**"))).expect("it");
        assert!(line.split_whitespace().count() <= 60, "{line}");
    }
}
