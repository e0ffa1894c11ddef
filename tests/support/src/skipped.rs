//! Reports what a test could not test on this machine.

use std::fs::OpenOptions;
use std::io::Write;

/// Reports that something is not tested on this machine; a test that returns early calls this. `./test` lists the reports at
/// its end. If nothing may be skipped (`./test --all`, or CI), the test fails.
///
/// # Panics
/// If nothing may be skipped.
pub fn skipped(what: &str, why: &str) {
    let is_true = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    let nothing = is_true("CI", "true") || is_true("PIPPOST_SKIP_NOTHING", "1");
    assert!(!nothing, "{what} is not tested: {why}");
    if let Some(path) = std::env::var_os("PIPPOST_SKIPPED") {
        let mut list = OpenOptions::new().append(true).create(true).open(path).expect("the list of ./test");
        // One write, because tests run in parallel.
        list.write_all(format!("{what}\t{why}\n").as_bytes()).expect("room for a line");
    }
}
