//! The embedded database as the server uses it: real PostgreSQL, real crashes, as root or as an ordinary user.

mod crash;
mod refusals;
mod running;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use nix::unistd::Pid;
use pippost::store::embedded::{Embedded, EmbeddedError, EmbeddedSettings};
use postgres::{Client, NoTls};
use tempfile::TempDir;

/// The time for PostgreSQL to end after its server: far more than it needs, so that only a real fault exceeds it.
const END_TIMEOUT: Duration = Duration::from_mins(1);

fn empty_data_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// For tests in which a user other than root must reach the folder: `TMPDIR` may lie in a home folder.
fn data_folder_open_to_all_above() -> TempDir {
    tempfile::tempdir_in("/var/tmp").expect("a temporary folder")
}

fn try_start(data_dir: &Path) -> Result<Embedded, EmbeddedError> {
    Embedded::start(&EmbeddedSettings {
        programs_dir: programs_dir(),
        ..EmbeddedSettings::in_folder(data_dir)
    })
}

fn start(data_dir: &Path) -> Embedded {
    try_start(data_dir).unwrap_or_else(|error| panic!("{error}"))
}

/// From the environment, as in the server.
fn programs_dir() -> Option<PathBuf> {
    std::env::var_os("PG_BINDIR").map(PathBuf::from)
}

fn connect(url: &str) -> Client {
    Client::connect(url, NoTls).expect("connects")
}

/// One value of one row, as text.
fn value(client: &mut Client, query: &str) -> String {
    let rows = client.simple_query(query).expect(query);
    let row = rows.iter().find_map(|message| match message {
        postgres::SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    row.expect("a value").to_owned()
}

fn postmaster_of(data_dir: &Path) -> Pid {
    let text = fs::read_to_string(data_dir.join("pg/postmaster.pid")).expect("PostgreSQL runs");
    Pid::from_raw(text.lines().next().expect("a line").parse().expect("a process number"))
}

/// Every process of PostgreSQL holds `pg.lock`, so getting it means that all have ended.
fn wait_until_postgresql_has_ended(data_dir: &Path) {
    let lock = File::open(data_dir.join("pg.lock")).expect("was started before");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(lock.lock()));
    receiver.recv_timeout(END_TIMEOUT).expect("PostgreSQL ends in time").expect("a lock");
}
