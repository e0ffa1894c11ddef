//! The document is a valid one, and a linter has nothing to say about it.

use super::tools::{documents, node_program, own_file, python_program, succeeds};

#[test]
fn a_validator_takes_the_document() {
    let (_folder, files) = documents();
    for file in files {
        succeeds(python_program("openapi-spec-validator").arg(file));
    }
}

#[test]
fn the_linter_has_neither_errors_nor_warnings() {
    let (_folder, files) = documents();
    let mut lint = node_program("redocly");
    lint.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    lint.args(["lint", "--max-problems", "50", "--format", "github-actions", "--config"]);
    let output = succeeds(lint.arg(own_file("redocly.yaml")).args(files));
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(!report.contains("::warning"), "{report}");
}
