//! Tests that the bench completes all its parts, without boardgame.io; the figures are not tested.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// A folder for the bench's data; the database's user may pass through it.
fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711))
        .expect("a folder of ours");
    folder
}

fn quick_bench(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost-bench"));
    command.args(["--quick", "--folder"]).arg(folder.path()).stdin(Stdio::null());
    // The same on every machine: an installed boardgame.io is not tested.
    command.args(["--boardgame", "not-there"]);
    command
}

fn entries(folder: &TempDir) -> usize {
    std::fs::read_dir(folder.path()).expect("a folder").count()
}

/// Whether a running process has the folder's path among its arguments.
fn somebody_works_in(folder: &Path) -> bool {
    let path = folder.to_str().expect("a path");
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|arguments| String::from_utf8_lossy(&arguments).contains(path))
}

#[test]
fn the_bench_measures_every_part_and_leaves_nothing_behind() {
    let folder = folder();
    let output = quick_bench(&folder).output().expect("an exit");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let of_rules = pippost::rules::all().flat_map(|rules| {
        ["actions", "random games", "events verified"].map(|what| format!("{}, {what}", rules.title()))
    });
    let figures = [
        "fsync=on",
        "moves at 64 / pgbench at 64",
        "p50 of one client / pgbench's",
        "views by a Unix socket / pgbench's selects",
        "views / an empty handler",
        "feeds with nothing new",
        "record export, MB/s",
        "boards as PNG a second a core",
        "s until the last flag has fallen, alone",
        "s until the last flag has fallen, beside moves",
        "s from commit to signed checkpoint, p99",
        "s until all readers have an event, at most",
        "moves beside readers / without",
        "a move in the longest games / in the shortest",
        "moves a second with 1000 games / with 1500",
        "ms from the start of the server until it is ready",
    ];
    for figure in figures.into_iter().map(str::to_owned).chain(of_rules) {
        let line =
            said.lines().find(|line| line.contains(&figure)).unwrap_or_else(|| panic!("{figure}\n{said}"));
        assert!(
            figure.contains('=')
                || line.split_whitespace().any(|word| word.parse::<f64>().is_ok_and(|value| value > 0.0)),
            "{line}"
        );
    }
    assert_eq!(entries(&folder), 0);
}

#[test]
fn a_bench_that_is_told_to_stop_leaves_nothing_behind_either() {
    let folder = folder();
    let mut bench =
        quick_bench(&folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a bench");
    let mut lines = BufReader::new(bench.stdout.take().expect("a pipe")).lines();
    // Printed once the servers run.
    lines.next().expect("the bench says something").expect("text");
    assert!(somebody_works_in(folder.path()) && entries(&folder) > 0);
    kill(Pid::from_raw(i32::try_from(bench.id()).expect("a pid")), Signal::SIGTERM).expect("it runs");
    // Reads the rest of the output: a closed or full pipe would end the bench before the signal does.
    lines.for_each(drop);
    let output = bench.wait_with_output().expect("an exit");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("asked to stop"), "{} {said}", output.status);
    assert_eq!(entries(&folder), 0);
    assert!(!somebody_works_in(folder.path()));
}

#[test]
fn an_attacked_server_stays_small_and_serves_honest_players() {
    let folder = folder();
    let output = quick_bench(&folder).args(["--only", "hostile"]).output().expect("an exit");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    for verdict in [
        "the server's memory, at most",
        "honest moves that failed: 0 of",
        "answers to attacks with 5xx",
        "mails of each kind to one victim",
        "games at once of an attacker: 200",
    ] {
        let line =
            said.lines().find(|line| line.contains(verdict)).unwrap_or_else(|| panic!("{verdict}\n{said}"));
        assert!(line.ends_with("held"), "{line}");
    }
    // Every attack was made, and its outcomes were counted.
    let table = said.lines().skip_while(|line| !line.starts_with("attack ")).skip(1);
    let attacks: Vec<&str> = table.take_while(|line| !line.is_empty()).collect();
    assert!(attacks.len() >= 37, "{said}");
    // A stalled connection may still be held when the attack ends.
    assert!(attacks.iter().all(|attack| attack.contains(": ") || attack.starts_with("stalled")), "{said}");
    // What anybody may ask for has its price.
    let costs = said.lines().skip_while(|line| !line.starts_with("|request|")).skip(2);
    let costs: Vec<&str> = costs.take_while(|line| line.starts_with('|')).collect();
    assert!(costs.len() >= 12 && costs.iter().all(|cost| !cost.contains("NaN")), "{said}");
    assert_eq!(entries(&folder), 0);
}
