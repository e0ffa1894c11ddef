//! The program with nothing of the environment in which the tests run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of what cargo has built: tests lie in its folder `deps`.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.parent().and_then(Path::parent).expect("a folder above `deps`").to_owned()
}

/// The program, which cargo builds before the tests of its package.
pub fn executable() -> PathBuf {
    built().join("pippost")
}

/// Cargo's folder for what tests leave behind.
pub fn tests_folder() -> PathBuf {
    built().parent().expect("the target folder").join("tmp")
}

/// A command of the program on the database at `url`, run in `folder`; each `name` has its own data folder there, and all share the keys.
pub fn program(folder: &Path, name: &str, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(executable());
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if name.starts_with("PIPPOST_") || name.starts_with("DATABASE_") {
            command.env_remove(name);
        }
    }
    command.env("DATABASE_URL", url);
    command.env("PIPPOST_DATA_DIR", folder.join(name));
    command.env("PIPPOST_KEYS_DIR", folder.join("keys"));
    command
}
