//! kill -9 of the server, of PostgreSQL, of single processes of it: the next start recovers, and every acknowledged commit is
//! there.
//!
//! The killed server is this test program, started again with an environment variable that makes it play the server.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};

use super::{
    connect, data_folder_open_to_all_above, empty_data_folder, postmaster_of, start, value,
    wait_until_postgresql_has_ended,
};
use support::skipped::skipped;

/// The variable that names the data folder to a process that is to play the server.
const PLAY_SERVER_ON: &str = "PIPPOST_TEST_PLAY_SERVER_ON";
/// The test at which such a process enters.
const ENTRANCE: &str = "embedded::crash::the_servers_end_is_the_end_of_postgresql_and_no_commit_is_lost";
/// The number of crashes and recoveries of one database.
const ROUNDS: usize = 3;
/// The number of commits before each crash.
const COMMITS: usize = 100;

#[derive(Clone, Copy)]
enum Victims {
    Server,
    Postmaster,
    PostmasterAndChildren,
    Everything,
}

#[test]
fn the_servers_end_is_the_end_of_postgresql_and_no_commit_is_lost() {
    if let Some(data_dir) = std::env::var_os(PLAY_SERVER_ON) {
        play_server(&PathBuf::from(data_dir));
    }
    commits_survive(Victims::Server);
}

#[test]
fn no_commit_is_lost_with_the_postmaster() {
    commits_survive(Victims::Postmaster);
}

#[test]
fn no_commit_is_lost_with_the_postmaster_and_all_its_children() {
    commits_survive(Victims::PostmasterAndChildren);
}

#[test]
fn no_commit_is_lost_with_everything_at_once() {
    commits_survive(Victims::Everything);
}

#[test]
fn an_ordinary_user_owns_its_cluster_and_root_lets_it_keep_it() {
    let data = data_folder_open_to_all_above();
    let mut command = server_on(data.path());
    // Settings for a user's other PostgreSQLs must have no effect.
    command.env("PGDATA", "/nowhere").env("PGPORT", "1").env("LC_ALL", "xx_YY");
    if geteuid().is_root() {
        let nobody = User::from_name("nobody").expect("a list of users").expect("every system has nobody");
        let (uid, gid) = (nobody.uid.as_raw(), nobody.gid.as_raw());
        chown(data.path(), Some(uid), Some(gid)).expect("root may");
        command.uid(uid).gid(gid);
    } else {
        skipped("root on the cluster of an ordinary user", "it needs root");
    }
    let owner = fs::metadata(data.path()).expect("exists").uid();

    let (mut server, mut lines) = run(command);
    let acknowledged = next_commits(&mut lines, COMMITS);
    assert_eq!(acknowledged.len(), COMMITS);
    server.kill().and_then(|()| server.wait()).expect("is killed");
    wait_until_postgresql_has_ended(data.path());

    let embedded = start(data.path());
    assert_eq!(fs::metadata(data.path().join("pg")).expect("exists").uid(), owner);
    assert_eq!(fs::metadata(embedded.socket_dir()).expect("exists").uid(), owner);
    let count: usize =
        value(&mut connect(embedded.url()), "select count(*) from moves").parse().expect("a number");
    assert!(count >= COMMITS, "{count}");
    embedded.stop().expect("stops cleanly");
}

#[test]
fn lock_files_that_name_another_living_process_do_not_keep_the_database_from_starting() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    let lock_files =
        [data.path().join("pg/postmaster.pid"), embedded.socket_dir().join(".s.PGSQL.5432.lock")];
    let texts = lock_files.each_ref().map(|path| fs::read_to_string(path).expect("PostgreSQL runs"));
    embedded.stop().expect("stops cleanly");

    // As after a crash, when the process id has been given to another process: here to one that ends with its input.
    let owner = fs::metadata(data.path().join("pg")).expect("exists");
    let mut other = Command::new("cat");
    if geteuid().is_root() {
        other.uid(owner.uid()).gid(owner.gid());
    }
    let mut other = other.current_dir("/").stdin(Stdio::piped()).spawn().expect("starts");
    for (path, text) in lock_files.iter().zip(&texts) {
        let (_, rest) = text.split_once('\n').expect("lines");
        fs::write(path, format!("{}\n{rest}", other.id())).expect("writes");
        chown(path, Some(owner.uid()), Some(owner.gid())).expect("is ours");
    }
    start(data.path()).stop().expect("stops cleanly");
    drop(other.stdin.take());
    other.wait().expect("has ended");
}

fn commits_survive(victims: Victims) {
    let data = empty_data_folder();
    let mut acknowledged = HashSet::new();
    for round in 1..=ROUNDS {
        let (mut server, mut lines) = run(server_on(data.path()));
        acknowledged.extend(next_commits(&mut lines, COMMITS));
        assert!(acknowledged.len() >= round * COMMITS, "the server committed");
        kill_victims(victims, &server, data.path());
        // The commits acknowledged until the end; a server whose database is gone ends by itself.
        acknowledged.extend(next_commits(&mut lines, usize::MAX));
        server.wait().expect("has ended");
        if let Victims::Server = victims {
            wait_until_postgresql_has_ended(data.path());
        }
        let embedded = start(data.path());
        let rows = connect(embedded.url()).query("select id from moves", &[]).expect("a table");
        let kept: HashSet<i64> = rows.iter().map(|row| row.get(0)).collect();
        assert!(kept.is_superset(&acknowledged), "lost: {:?}", acknowledged.difference(&kept));
        // In each round one commit may have been made but not acknowledged.
        assert!(kept.len() <= acknowledged.len() + round, "{} of {}", kept.len(), acknowledged.len());
        embedded.stop().expect("stops cleanly");
    }
}

fn kill_victims(victims: Victims, server: &Child, data_dir: &Path) {
    let server = Pid::from_raw(server.id().try_into().expect("a process number"));
    let postmaster = postmaster_of(data_dir);
    let doomed = match victims {
        Victims::Server => vec![server],
        Victims::Postmaster => vec![postmaster],
        Victims::PostmasterAndChildren => [vec![postmaster], children_of(postmaster)].concat(),
        Victims::Everything => [vec![server, postmaster], children_of(postmaster)].concat(),
    };
    for pid in doomed {
        // A process that ended between the listing and the signal is dead as well.
        let _ = kill(pid, Signal::SIGKILL);
    }
}

fn children_of(parent: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").expect("Linux").flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent.as_raw())).map(Pid::from_raw).collect()
}

/// Parses `pid (name, which may hold anything) state ppid …`.
fn parent_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// This program, through a link for a user who cannot reach it by its path.
fn server_on(data_dir: &Path) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.args(["--exact", ENTRANCE, "--nocapture"]).env(PLAY_SERVER_ON, data_dir).current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn run(mut command: Command) -> (Child, BufReader<ChildStdout>) {
    let mut server = command.spawn().expect("starts");
    let output = server.stdout.take().expect("is piped");
    (server, BufReader::new(output))
}

/// The next commits that the server reports; fewer only if it ends before.
fn next_commits(lines: &mut BufReader<ChildStdout>, count: usize) -> Vec<i64> {
    let texts = lines.lines().map_while(Result::ok);
    texts.filter_map(|line| line.strip_prefix("committed ")?.parse().ok()).take(count).collect()
}

/// Commits and reports, until it is killed, its database is gone, or nobody reads the reports.
fn play_server(data_dir: &Path) -> ! {
    let embedded = start(data_dir);
    let mut client = connect(embedded.url());
    client.batch_execute("create table if not exists moves (id bigserial primary key)").expect("a table");
    // The test harness has begun a line of its own.
    println!();
    loop {
        let row = client.query_one("insert into moves default values returning id", &[]).expect("commits");
        let id: i64 = row.get(0);
        println!("committed {id}");
    }
}
