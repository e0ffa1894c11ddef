//! The table of test suites, `.ci/suites`, against the files: what changes has suites that notice, and no test is left out of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The beginnings of paths by suite; `every` has those that concern all suites.
fn table() -> BTreeMap<String, Vec<String>> {
    let text = read(".ci/suites");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = lines.map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        (words.next().expect("a suite"), words.collect())
    });
    rows.collect()
}

/// All files below the folders whose changes concern tests, as paths from the repository's root.
fn sources() -> Vec<String> {
    fn collect(path: &Path, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            for entry in fs::read_dir(path).expect("a folder") {
                collect(&entry.expect("an entry").path(), found);
            }
        } else {
            found.push(path.to_owned());
        }
    }
    let root = root();
    let mut found = Vec::new();
    for folder in [
        "src",
        "crates",
        "migrations",
        "templates",
        "openapi",
        "packaging",
        "tests",
        "benches",
        "examples",
        "fuzz",
        ".ci",
    ] {
        if root.join(folder).exists() {
            collect(&root.join(folder), &mut found);
        }
    }
    found.extend(["Cargo.toml", "Cargo.lock", "deny.toml", "run", "test"].map(|file| root.join(file)));
    let relative = |path: PathBuf| path.strip_prefix(&root).expect("below the root").display().to_string();
    let left_out = |path: &String| path.contains("node_modules") || path.starts_with("fuzz/target");
    found.into_iter().map(relative).filter(|path| !left_out(path)).collect()
}

#[test]
fn every_source_has_a_suite_and_every_path_of_the_table_a_source() {
    let (table, sources) = (table(), sources());
    assert!(sources.len() > 1_000, "{}", sources.len());
    let paths: Vec<&String> = table.values().flatten().collect();
    let begins = |source: &&String| paths.iter().any(|path| source.starts_with(path.as_str()));
    let without: Vec<&String> = sources.iter().filter(|source| !begins(source)).collect();
    assert!(without.is_empty(), "these have no suite in .ci/suites: {without:?}");
    for (suite, paths) in &table {
        assert!(!paths.is_empty(), "the suite {suite} has no paths");
        for path in paths {
            let is_page =
                path.starts_with("docs/") || Path::new(path).extension().is_some_and(|end| end == "md");
            let exists = is_page && root().join(path).exists()
                || sources.iter().any(|source| source.starts_with(path.as_str()));
            assert!(exists, "{suite} names {path}, which is no source");
        }
    }
}

/// `./test`, each command on one line.
fn script() -> String {
    read("test").replace("\\\n", " ")
}

/// The names of the programs that plain `cargo test` would run.
fn core_programs(listed: &[String]) -> Vec<String> {
    let sources = sources();
    let of_folders = sources.iter().filter_map(|path| {
        let below = path.strip_prefix("tests/").or_else(|| {
            let (_, below) = path.strip_prefix("crates/")?.split_once('/')?;
            below.strip_prefix("tests/")
        })?;
        let name = below.strip_suffix("/main.rs").or_else(|| below.strip_suffix(".rs"))?;
        (!name.contains('/') && name != "support").then(|| name.to_owned())
    });
    of_folders.filter(|name| !listed.contains(name)).collect()
}

#[test]
fn every_test_program_and_every_ignored_test_is_run_by_a_suite() {
    let (table, script) = (table(), script());
    for suite in table.keys().filter(|suite| *suite != "every") {
        let in_turn = |line: &str| {
            line.trim_start().starts_with("run_in_turn ") && line.split(' ').any(|word| word == suite)
        };
        assert!(
            script.contains(&format!("\nsuite_{suite}() {{\n")) && script.lines().any(in_turn),
            "./test has no {suite}"
        );
        assert!(
            read("docs/TESTING.md").contains(&format!("| `{suite}` |")),
            "docs/TESTING.md has no {suite}"
        );
    }
    // Programs that plain `cargo test` leaves out are named in ./test.
    let mut left_out = Vec::new();
    for manifest in ["Cargo.toml", "benches/server/Cargo.toml"] {
        for program in read(manifest).split("[[test]]").skip(1) {
            let fields = program.split("\n[").next().unwrap_or_default();
            let name =
                fields.split("name = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a name");
            assert!(fields.contains("test = false"), "{name} is listed and left out of nothing");
            let runs = |line: &str| line.contains("cargo test") && line.ends_with(&format!("--test {name}"));
            assert!(table.contains_key(name) || script.lines().any(runs), "no suite runs the program {name}");
            left_out.push(name.to_owned());
        }
    }
    assert!(left_out.len() > 5, "{left_out:?}");
    let core = core_programs(&left_out);
    assert!(core.len() > 5, "{core:?}");
    for name in core {
        let runs = |line: &str| {
            line.contains("cargo test") && format!("{line} ").contains(&format!(" --test {name} "))
        };
        assert!(script.lines().any(runs), "./test does not run the program {name}");
    }
    let mut ignored = 0;
    for source in
        sources().iter().filter(|source| source.starts_with("tests/") && source.strip_suffix(".rs").is_some())
    {
        let text = read(source);
        let program = source.split('/').nth(1).expect("a program").trim_end_matches(".rs");
        for after in text.split(concat!("#[", "ignore")).skip(1) {
            let name = after.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).expect("a name");
            let run = script.lines().any(|line| {
                let filter = line.split("--ignored").nth(1).map(str::trim);
                line.contains(&format!("--test {program}"))
                    && filter.is_some_and(|filter| filter.is_empty() || name.starts_with(filter))
            });
            assert!(run, "./test does not run {name} in {source}");
            ignored += 1;
        }
    }
    assert!(ignored > 4, "{ignored}");
}

/// The suites that the script prints for these changed paths.
fn touched(changed: &str) -> Vec<String> {
    let script = read(".ci/touched-suites");
    let program =
        script.split("awk '").nth(1).and_then(|rest| rest.split("' - .ci/suites").next()).expect("awk");
    let mut awk = std::process::Command::new("awk")
        .args([program, "-", ".ci/suites"])
        .current_dir(root())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("awk");
    std::io::Write::write_all(&mut awk.stdin.take().expect("a pipe"), changed.as_bytes()).expect("lines");
    let output = awk.wait_with_output().expect("an answer");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn a_change_concerns_the_suites_of_its_paths_and_shared_files_concern_all() {
    let mut all: Vec<String> = table().into_keys().filter(|suite| suite != "every").collect();
    all.sort();
    let sorted = |changed: &str| {
        let mut suites = touched(changed);
        suites.sort();
        suites
    };
    for shared in [".ci/suites\n", "Cargo.lock\n", "docs/API.md\ntests/support/src/lib.rs\n"] {
        assert_eq!(sorted(shared), all, "{shared}");
    }
    assert_eq!(touched("README.md\n"), ["site"]);
    assert_eq!(touched("\n"), [""; 0]);
    assert_eq!(touched("docs/API.md\nREADME.md\n"), ["contract", "site"]);
    assert!(touched("migrations/2026-11-21-000001_accounts/up.sql\n").contains(&"cluster".to_owned()));
}
