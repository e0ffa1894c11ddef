//! The words of the project: the glossary stays short, pages that everybody reads stay short, and names that were given up do not return.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::architecture::rust_files;

/// The most terms that a reader must learn.
const MAX_TERMS: usize = 30;

/// The most words of a page that everybody reads, without its diagrams and commands.
const MAX_WORDS: usize = 1_500;

/// The most words of all pages together, as `wc -w` counts them.
const MAX_WORDS_OF_PAGES: usize = 22_000;

/// The most decisions, and the most words of each: half a page.
const MAX_DECISIONS: usize = 40;
const MAX_WORDS_OF_A_DECISION: usize = 280;

/// Names for which the field has a standard term, and which this project uses in their place.
const GIVEN_UP: [&str; 14] = [
    "Bell",
    "Companion",
    "Errand",
    "Wishes",
    "Deed",
    "Looker",
    "KeptAnswer",
    "Knocks",
    "DESKS",
    "Deaf",
    "PATIENCE",
    "BREATH",
    "SILENCE",
    "gallery",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).expect("a page")
}

/// The words of each page of a folder but its index, as `wc -w` counts them.
fn lengths(folder: &str) -> BTreeMap<String, usize> {
    let files = fs::read_dir(root().join(folder)).expect("a folder");
    let names = files.map(|file| file.expect("an entry").file_name().into_string().expect("UTF-8"));
    let pages = names.filter(|name| name.strip_suffix(".md").is_some_and(|page| page != "README"));
    let counted = pages.map(|name| {
        let text = fs::read_to_string(root().join(folder).join(&name)).expect("a page");
        (name, text.split_whitespace().count())
    });
    counted.collect()
}

/// The terms of a table: its rows without the heading and the line below it.
fn terms(page: &str) -> usize {
    page.lines().filter(|line| line.starts_with('|')).count().saturating_sub(2)
}

/// Words outside of blocks that are fenced off.
fn words(page: &str) -> usize {
    let prose = page.split("```").step_by(2);
    prose.flat_map(str::split_whitespace).filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// The names that were given up and stand in the text as words of their own.
fn given_up(text: &str) -> Vec<&'static str> {
    let mut names = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect::<Vec<_>>();
    names.sort_unstable();
    GIVEN_UP.into_iter().filter(|name| names.binary_search(name).is_ok()).collect()
}

#[test]
fn the_glossary_and_the_pages_that_everybody_reads_are_short() {
    let terms = terms(&page("GLOSSARY.md"));
    assert!((10..=MAX_TERMS).contains(&terms), "{terms} terms");
    for name in ["ARCHITECTURE.md", "PERFORMANCE.md"] {
        let words = words(&page(name));
        assert!((500..=MAX_WORDS).contains(&words), "{name} has {words} words");
    }
}

#[test]
fn all_pages_together_and_each_decision_are_short() {
    let pages = lengths("docs");
    let words = pages.values().sum::<usize>() + lengths("")["CONTRIBUTING.md"];
    assert!(pages.len() > 10 && words <= MAX_WORDS_OF_PAGES, "{words} words");
    let decisions = lengths("docs/decisions");
    assert!((20..=MAX_DECISIONS).contains(&decisions.len()), "{} decisions", decisions.len());
    for (name, words) in decisions {
        assert!(words <= MAX_WORDS_OF_A_DECISION, "{name} has {words} words");
    }
}

#[test]
fn names_that_were_given_up_do_not_return() {
    let mut files = Vec::new();
    for folder in ["src", "crates", "tests", "benches"] {
        rust_files(&root().join(folder), &mut files);
    }
    assert!(files.len() > 500, "{} files", files.len());
    let this = root().join("tests/laws/vocabulary.rs");
    for file in files.into_iter().filter(|file| *file != this) {
        let found = given_up(&fs::read_to_string(&file).expect("a file"));
        assert!(found.is_empty(), "{} says {found:?}", file.display());
    }
}

/// The files of Rust that a page names in back quotes.
fn named_files(page: &str) -> Vec<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    quoted
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "rs") && !name.contains(' '))
        .collect()
}

#[test]
fn the_tests_that_a_page_names_exist() {
    let mut files = Vec::new();
    for folder in ["src", "crates", "tests"] {
        rust_files(&root().join(folder), &mut files);
    }
    let security = page("SECURITY.md");
    let named = named_files(&security);
    assert!(named.len() > 40, "{} names", named.len());
    let missing: Vec<_> =
        named.iter().filter(|name| !files.iter().any(|file| file.ends_with(name))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_checks_count_and_see_what_they_should() {
    assert_eq!(terms("# T\n| term | meaning |\n|---|---|\n| a | b |\n| c | d |\n"), 2);
    assert_eq!(words("one two — three\n```text\nfour five\n```\n`six`, 7"), 5);
    assert_eq!(named_files("- A: `a/b.rs`, `c`, `d.rs e`."), ["a/b.rs"]);
    assert_eq!(given_up("struct Bell; const X: u8 = PATIENCE; Bellows, WISHES"), ["Bell", "PATIENCE"]);
}
