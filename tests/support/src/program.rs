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

/// A folder that this test program keeps between its runs.
pub fn kept_folder(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let stem = test.file_stem().and_then(|stem| stem.to_str()).expect("a name in UTF-8");
    // Cargo puts a hash behind the name.
    let own = stem.rsplit_once('-').map_or(stem, |(own, _)| own);
    built().parent().expect("the target folder").join("tmp").join(format!("{own}-{name}"))
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
