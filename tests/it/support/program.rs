//! The program with nothing of the environment in which the tests run.

use std::path::Path;
use std::process::{Command, Stdio};

/// A command of the program on the database at `url`, run in `folder`; each `name` has its own data folder there, and all share the keys.
pub fn program(folder: &Path, name: &str, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
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
