//! A rule set is one folder and one line: nothing else names a game, and its folder has everything that it hands out.
//!
//! Prose for people (README, docs) may name games, and so may tests, which use particular positions, and `tests/vectors`, which
//! others wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pippost::rules::schema::in_pascal_case;
use pippost::rules::{self, RuleSet};
use serde_json::Value;

/// Paths in which no game is named.
const NAMELESS: &[&str] = &[
    "src",
    "crates",
    "templates",
    "benches",
    "migrations",
    "openapi",
    "fuzz",
    "docs/scaling",
    ".ci",
    "run",
    "test",
    "Cargo.toml",
];

/// Folders of generated files, which are not committed.
const MADE: &[&str] = &["target", "node_modules", "corpus", "artifacts", "coverage"];

/// The file that lists the rule sets, a line for each.
const REGISTRY: &str = "crates/record/src/rules/mod.rs";

/// The parts of the API's document, whose schemas come from the registry.
const API_DOCUMENTS: [&str; 4] =
    ["openapi/openapi.json", "openapi/sandbox.json", "openapi/community.json", "openapi/operations.json"];

/// What a test has seen of a running server, for the document's examples; the documents of releases; a game that a test plays as the
/// workflows say, which is one of some rule set; and of the library of records its page for people, and records that others wrote.
const SEEN: &[&str] = &[
    "openapi/examples.json",
    "openapi/released/",
    "openapi/workflows.arazzo.yaml",
    "crates/client/README.md",
    "crates/record/README.md",
    "crates/record/vectors/",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder_name(rules: &dyn RuleSet) -> String {
    rules.name().replace('-', "_")
}

fn folder(rules: &dyn RuleSet) -> PathBuf {
    root().join("crates/record/src/rules").join(folder_name(rules))
}

/// The names of a rule set in lower case: in the protocol, as a folder, as a type, and for people.
fn names(rules: &dyn RuleSet) -> BTreeSet<String> {
    let name = rules.name();
    let as_others = ["_", "", " "].map(|joint| name.replace('-', joint));
    as_others.into_iter().chain([name.to_owned(), rules.title().to_lowercase()]).collect()
}

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        found.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(path).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        if !(path.is_dir() && MADE.contains(&name)) {
            files(&path, found);
        }
    }
}

/// The lines of a text that name the rule set, and its path if that does.
fn naming(rules: &dyn RuleSet, path: &str, text: &str) -> Vec<String> {
    let names = names(rules);
    let may_name = |text: &str| {
        let text = text.to_lowercase();
        names.iter().any(|name| text.contains(name))
    };
    // Most files name none, which is soon seen.
    let text = if may_name(text) { text } else { "" };
    let lines = text.lines().chain([path]).filter(|line| may_name(line));
    lines.filter(|line| names.iter().any(|name| has_word(line, name))).map(str::to_owned).collect()
}

/// Whether a line has the word in any case, alone or as a part of a name as in `of_word` or `WordOf`.
fn has_word(line: &str, word: &str) -> bool {
    let letters: Vec<char> = line.chars().collect();
    let wanted: Vec<char> = word.chars().collect();
    let same = |(one, other): (&char, &char)| one.to_lowercase().eq(other.to_lowercase());
    letters.windows(wanted.len()).enumerate().any(|(at, found)| {
        let end = at + found.len();
        found.iter().zip(&wanted).all(same)
            && (at == 0 || are_apart(letters[at - 1], letters[at]))
            && (end == letters.len() || are_apart(letters[end - 1], letters[end]))
    })
}

/// Whether a word ends between two characters.
fn are_apart(one: char, next: char) -> bool {
    !one.is_alphabetic() || !next.is_alphabetic() || (one.is_lowercase() && next.is_uppercase())
}

/// Whether a line is allowed to name the rule set.
fn may_stand(rules: &dyn RuleSet, path: &str, line: &str) -> bool {
    let line = line.trim();
    match path {
        REGISTRY => line.starts_with(&format!("{}: ", folder_name(rules))) && line.ends_with(';'),
        path if API_DOCUMENTS.contains(&path) => {
            let line = line.trim_end_matches(',');
            let example = format!("\"example\": \"{}\"", rules::sample_name());
            (rules.name() == rules::sample_name() && line == example) || is_of_its_schemas(rules, line)
        }
        _ => false,
    }
}

/// Whether a line of the document is a part of the rule set's schemas, refers to one, or tells bodies apart by the rule set's name.
fn is_of_its_schemas(rules: &dyn RuleSet, line: &str) -> bool {
    let (name, family) = (rules.name(), in_pascal_case(rules.name()));
    let names = [family.clone(), format!("Given{family}")];
    let defines = line.ends_with("\": {") && names.iter().any(|name| line.starts_with(&format!("\"{name}")));
    let refers = names.iter().any(|name| line.contains(&format!("#/components/schemas/{name}")));
    let tells_apart = line == format!("\"{name}\"");
    let is_own = |schema| serde_json::to_string_pretty(&schema).expect("plain data").contains(line);
    defines || refers || tells_apart || rules.schemas().all.into_values().any(is_own)
}

/// The document without the examples that a test has seen: those of media types, which stand beside a schema, and lists of a schema's.
fn without_seen_examples(document: &str) -> String {
    fn remove(part: &mut Value) {
        match part {
            Value::Object(members) => {
                if members.contains_key("schema") {
                    members.remove("example");
                }
                if members.contains_key("schemas") || members.get("examples").is_some_and(Value::is_array) {
                    members.remove("examples");
                }
                members.values_mut().for_each(remove);
            }
            Value::Array(members) => members.iter_mut().for_each(remove),
            _ => {}
        }
    }
    let mut document = serde_json::from_str(document).expect("JSON");
    remove(&mut document);
    serde_json::to_string_pretty(&document).expect("plain data")
}

#[test]
fn nothing_outside_its_folder_names_a_rule_set_but_its_line() {
    let mut found = Vec::new();
    for place in NAMELESS {
        files(&root().join(place), &mut found);
    }
    assert!(found.len() > 300, "{} files", found.len());
    let mut wrong = Vec::new();
    for file in &found {
        let path = file.strip_prefix(root()).expect("a file of ours").to_str().expect("a plain path");
        if SEEN.iter().any(|seen| path.starts_with(seen)) {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(file).expect("a file")).into_owned();
        let text = if API_DOCUMENTS.contains(&path) { without_seen_examples(&text) } else { text };
        for rules in rules::all().filter(|rules| !file.starts_with(folder(*rules))) {
            let lines = naming(rules, path, &text);
            let (stand, others): (Vec<_>, Vec<_>) =
                lines.iter().partition(|line| may_stand(rules, path, line));
            assert!(
                path != REGISTRY || stand.len() == 1,
                "{} has one line in {REGISTRY}: {stand:?}",
                rules.name()
            );
            wrong.extend(others.into_iter().map(|line| format!("{path}: {}", line.trim())));
        }
    }
    assert!(wrong.is_empty(), "{} lines name a game:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_check_sees_a_name_however_it_is_written() {
    for rules in rules::all() {
        let title = rules.title();
        for name in names(rules) {
            let line = format!("// as in {}", name.to_uppercase());
            assert_eq!(naming(rules, "src/any.rs", &format!("nothing\n{line}\n")), [line]);
        }
        assert_eq!(naming(rules, &format!("src/{title}.rs"), "nothing").len(), 1, "{title}");
        assert!(!may_stand(rules, REGISTRY, &format!("pub mod {};", folder_name(rules))));
        assert!(!may_stand(rules, "src/any.rs", &format!("{}: Any;", folder_name(rules))));
        assert!(!may_stand(rules, API_DOCUMENTS[0], &format!("\"description\": \"{title}\"")));
    }
}

/// The files of a folder with this extension, by name.
fn with_extension(folder: &Path, extension: &str) -> BTreeSet<String> {
    let mut found = Vec::new();
    files(folder, &mut found);
    let fitting = found.iter().filter(|file| file.extension().is_some_and(|of| of == extension));
    fitting
        .map(|file| file.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned())
        .collect()
}

#[test]
fn a_word_inside_a_longer_word_is_another_word() {
    for (line, has) in [
        ("a race", true),
        ("RaceOptions", true),
        ("theRace()", true),
        ("RACE_2", true),
        ("TRACE", false),
        ("embraces", false),
    ] {
        assert_eq!(has_word(line, "race"), has, "{line}");
    }
}

#[test]
fn the_folder_of_a_rule_set_holds_all_that_it_hands_out_and_no_more() {
    for rules in rules::all() {
        let (name, folder) = (rules.name(), folder(rules));
        let read = |file: &str| {
            fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{name}, {file}: {error}"))
        };
        assert_eq!(rules.text(), read("rules.md"), "{name}");
        for translation in rules.texts() {
            assert_eq!(translation.fluent, read(&format!("texts/{}.ftl", translation.language)), "{name}");
            let keys =
                translation.fluent.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key);
            let keys = keys.filter(|key| !key.starts_with([' ', '#', '}', '*', '[']));
            for key in keys {
                assert!(key.starts_with(&format!("{name}-")), "{name}: {key} could be another game's");
            }
        }
        let modules = rules.verifier().modules;
        for script in modules {
            assert_eq!(script.source, read(&format!("verifier/{}", script.file)), "{name}");
        }
        let handed_out: BTreeSet<_> = modules.iter().map(|script| script.file.to_owned()).collect();
        assert_eq!(with_extension(&folder, "js"), handed_out, "{name}");
        let languages = rules.texts().iter().map(|translation| format!("{}.ftl", translation.language));
        assert_eq!(with_extension(&folder, "ftl"), languages.collect(), "{name}");
    }
}
