//! The foreign tools, and the document as a file for them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pippost::api::openapi::Part;
use tempfile::TempDir;

/// The folder of the tools.
pub fn folder() -> PathBuf {
    std::env::var_os("PIPPOST_CONTRACT_TOOLS").expect("PIPPOST_CONTRACT_TOOLS names the tools' folder").into()
}

/// A program of a Python package.
pub fn python_program(name: &str) -> Command {
    Command::new(folder().join("python/bin").join(name))
}

/// A program of a Node.js package.
pub fn node_program(name: &str) -> Command {
    Command::new(node_modules().join(".bin").join(name))
}

/// The Node.js packages.
pub fn node_modules() -> PathBuf {
    folder().join("node/node_modules")
}

/// A file of these tests' own folder.
pub fn own_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract").join(name)
}

/// A folder with the document as the code generates it, each part as a file.
pub fn documents() -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = Part::ALL.into_iter().map(|part| {
        let file = folder.path().join(part.name()).with_extension("json");
        std::fs::write(&file, pippost::http::committed_document(part)).expect("a file");
        file
    });
    let files = files.collect();
    (folder, files)
}

/// Runs the command and returns its output.
///
/// # Panics
/// If it cannot be started or fails, with what it wrote.
pub fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    output
}
