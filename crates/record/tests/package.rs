//! The library can be used without the server: its package holds all that it needs, and it depends on nothing of a server.

use std::path::Path;
use std::process::Command;

/// Runs cargo on this package without a network, in a folder of its own, so that it waits for no other build.
fn cargo(arguments: &[&str]) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    // Where it is now: it may have been compiled in another checkout with the same target folder.
    let given = |name| std::env::var_os(name).expect("cargo runs the tests");
    let mut command = Command::new(given("CARGO"));
    command.current_dir(given("CARGO_MANIFEST_DIR")).env("CARGO_TARGET_DIR", target).args(arguments);
    let done = command.arg("--offline").output().expect("cargo runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "cargo {arguments:?} failed:\n{said}");
    String::from_utf8(done.stdout).expect("text")
}

#[test]
fn no_dependency_is_a_runtime_a_server_a_database_or_a_compiler_of_c() {
    let tree = cargo(&["tree", "--package", env!("CARGO_PKG_NAME"), "--prefix", "none"]);
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"serde_json"), "{tree}");
    for library in names {
        let of_a_server =
            ["tokio", "actix", "diesel", "aws-lc", "blst"].iter().any(|name| library.starts_with(name));
        assert!(!of_a_server && library != "cc" && library != "cmake", "{library}");
    }
}

#[test]
fn the_package_holds_all_that_it_is_built_from() {
    // The sources of the package alone are compiled.
    cargo(&["package", "--package", env!("CARGO_PKG_NAME"), "--allow-dirty"]);
}
