//! `pippost bench` does all that it should; how fast is another matter.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

#[test]
fn the_bench_measures_every_part_and_leaves_nothing_behind() {
    let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
    // The database's user passes through.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711))
        .expect("a folder of ours");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.args(["bench", "--quick", "--folder"]).arg(folder.path()).stdin(Stdio::null());
    let output = command.output().expect("an exit");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    for figure in [
        "fsync=on",
        "moves at 64 / pgbench at 64",
        "p50 of one client / pgbench's",
        "views / an empty handler",
        "feeds with nothing new",
        "Zipline 11×11, random playouts",
        "Pip•Pip, events verified",
        "record export, MB/s",
        "boards as PNG a second a core",
        "a move in the longest games / in the shortest",
        "ms from the start of the server until it is ready",
    ] {
        let line =
            said.lines().find(|line| line.contains(figure)).unwrap_or_else(|| panic!("{figure}\n{said}"));
        assert!(
            figure.contains('=')
                || line.split_whitespace().any(|word| word.parse::<f64>().is_ok_and(|value| value > 0.0)),
            "{line}"
        );
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
