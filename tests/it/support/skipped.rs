//! What a test could not test here.

use std::fs::OpenOptions;
use std::io::Write;

/// Says that something is not tested on this machine. `./test` lists it in the end; where nothing may be skipped (`./test --all`, or CI)
/// the test fails. A test that returns early says so here.
///
/// # Panics
/// Nothing may be skipped.
pub fn skipped(what: &str, why: &str) {
    let is_true = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    let nothing = is_true("CI", "true") || is_true("PIPPOST_SKIP_NOTHING", "1");
    assert!(!nothing, "{what} is not tested: {why}");
    if let Some(path) = std::env::var_os("PIPPOST_SKIPPED") {
        let mut list = OpenOptions::new().append(true).create(true).open(path).expect("the list of ./test");
        // One write, because tests run side by side.
        list.write_all(format!("{what}\t{why}\n").as_bytes()).expect("room for a line");
    }
}
