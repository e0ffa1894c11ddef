//! Properties of a running database.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{User, geteuid, getpgid, getpgrp};
use pippost::store::embedded::{APP_DATABASE, APP_ROLE, EmbeddedState, FIRST_RESTART_DELAY, SUPERUSER};
use postgres::error::SqlState;
use postgres::{Client, NoTls};

use super::{
    END_TIMEOUT, connect, data_folder_open_to_all_above, empty_data_folder, postmaster_of, start, value,
};
use support::skipped::skipped;

#[test]
fn what_is_committed_is_there_after_a_stop_and_a_start() {
    let data = empty_data_folder();
    let unfinished = data.path().join("pg.new");
    fs::create_dir(&unfinished).expect("makes what a start that was cut short leaves");
    fs::write(unfinished.join("PG_VERSION"), "half").expect("writes");

    let embedded = start(data.path());
    assert!(!unfinished.exists());
    connect(embedded.url())
        .batch_execute("create table moves (note text); insert into moves values ('Ärger')")
        .expect("writes");
    embedded.stop().expect("stops cleanly");
    assert!(!data.path().join("pg/postmaster.pid").exists());

    let embedded = start(data.path());
    assert_eq!(value(&mut connect(embedded.url()), "select lower(note) from moves"), "ärger");
    embedded.stop().expect("stops cleanly");
}

#[test]
fn the_running_database_loses_nothing_and_can_be_reached_by_its_socket_alone() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    let mut client = connect(embedded.url());
    for setting in ["fsync", "full_page_writes", "synchronous_commit", "data_checksums"] {
        assert_eq!(value(&mut client, &format!("show {setting}")), "on", "{setting}");
    }
    assert_eq!(value(&mut client, "show listen_addresses"), "");
    assert_eq!(value(&mut client, "show wal_segment_size"), "4MB", "a new one is soon full of zeros");
    assert_eq!(value(&mut client, "show max_wal_size"), "1GB", "not reckoned by the segment");
    let mode = fs::metadata(embedded.socket_dir()).expect("exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);

    let group = getpgid(Some(postmaster_of(data.path()))).expect("lives");
    assert_ne!(group, getpgrp(), "a terminal's Ctrl-C must not reach PostgreSQL");
    drop(client);
    embedded.stop().expect("stops cleanly");
}

#[test]
fn the_servers_role_owns_its_database_and_has_no_other_power() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    let mut client = connect(embedded.url());
    assert_eq!(value(&mut client, "select current_user"), APP_ROLE);
    assert_eq!(value(&mut client, "select current_database()"), APP_DATABASE);
    let powers = "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls \
                  from pg_roles where rolname = current_user";
    assert_eq!(value(&mut client, powers), "f");
    let owner = "select pg_get_userbyid(datdba) from pg_database where datname = current_database()";
    assert_eq!(value(&mut client, owner), APP_ROLE);
    for forbidden in [
        "select pg_read_file('/etc/hostname')",
        "copy (select 1) to program 'true'",
        "alter system set fsync = off",
        "set role postgres",
    ] {
        let error = client.batch_execute(forbidden).expect_err(forbidden);
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{forbidden}");
    }
    drop(client);

    connect(&embedded.url_for(SUPERUSER, APP_DATABASE))
        .batch_execute("alter role app superuser")
        .expect("a mistake by hand");
    embedded.stop().expect("stops cleanly");
    let embedded = start(data.path());
    assert_eq!(value(&mut connect(embedded.url()), powers), "f");
    embedded.stop().expect("stops cleanly");
}

#[test]
fn a_data_folder_with_a_path_too_long_for_a_socket_works() {
    let data = empty_data_folder();
    let deep = data.path().join("d".repeat(100)).join("e".repeat(100));
    let embedded = start(&deep);
    let socket_dir = embedded.socket_dir().to_owned();
    assert!(!socket_dir.starts_with(data.path()));
    let mode = fs::metadata(&socket_dir).expect("exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    assert_eq!(value(&mut connect(embedded.url()), "select 1"), "1");
    embedded.stop().expect("stops cleanly");
    assert!(!socket_dir.exists());
}

#[test]
fn postgresql_enters_a_closed_folder_with_one_capability_and_an_open_one_with_none() {
    /// `CAP_DAC_READ_SEARCH`, or `CAP_DAC_OVERRIDE` if a container has dropped the first.
    const TO_PASS_FOLDERS: [u64; 2] = [1 << 2, 1 << 1];

    let data = data_folder_open_to_all_above();
    let rights = |mode| {
        fs::set_permissions(data.path(), Permissions::from_mode(mode)).expect("is ours");
        let embedded = start(data.path());
        assert_eq!(value(&mut connect(embedded.url()), "select 1"), "1");
        let status = fs::read_to_string(format!("/proc/{}/status", postmaster_of(data.path())));
        let status = status.expect("lives");
        let line = status.lines().find_map(|line| line.strip_prefix("CapEff:")).expect("the capabilities");
        embedded.stop().expect("stops cleanly");
        u64::from_str_radix(line.trim(), 16).expect("a hexadecimal set")
    };
    let closed = rights(0o700);
    if nix::unistd::geteuid().is_root() {
        assert!(TO_PASS_FOLDERS.contains(&closed), "{closed:#x}");
    } else {
        assert_eq!(closed, 0);
        skipped("the one capability that root's PostgreSQL keeps", "it needs root");
    }
    assert_eq!(rights(0o711), 0);
}

#[test]
fn the_thread_that_started_postgresql_may_end() {
    let data = empty_data_folder();
    let embedded = std::thread::scope(|scope| scope.spawn(|| start(data.path())).join()).expect("starts");
    assert_eq!(value(&mut connect(embedded.url()), "select 1"), "1");
    embedded.stop().expect("is still there and stops cleanly");
}

#[test]
fn postgresql_that_ends_by_itself_is_started_again_with_all_that_it_had() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    connect(embedded.url())
        .batch_execute("create table kept (n int); insert into kept values (1)")
        .expect("commits");
    let status = embedded.status();
    assert_eq!((status.state(), status.restarts()), (EmbeddedState::Running, 0));
    for round in 1..=3 {
        let killed = postmaster_of(data.path());
        kill(killed, Signal::SIGKILL).expect("lives");
        until("the next PostgreSQL", || {
            status.restarts() == round && status.state() == EmbeddedState::Running
        });
        assert_ne!(postmaster_of(data.path()), killed);
        assert_eq!(value(&mut connect(embedded.url()), "select n from kept"), "1");
    }
    embedded.stop().expect("stops cleanly");
}

#[test]
fn a_start_that_fails_again_and_again_is_tried_ever_less_often_and_makes_no_new_database() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    connect(embedded.url()).batch_execute("create table kept ()").expect("commits");
    let status = embedded.status();
    let (cluster, aside) = (data.path().join("pg"), data.path().join("aside"));
    let killed = postmaster_of(data.path());
    fs::rename(&cluster, &aside).expect("moves away");
    let begun = Instant::now();
    kill(killed, Signal::SIGKILL).expect("lives");
    let tries = 4;
    until("some tries", || status.state() == EmbeddedState::Restarting { attempts: tries });
    let delays = FIRST_RESTART_DELAY * (2_u32.pow(tries) - 1);
    assert!(begun.elapsed() >= delays, "{:?}", begun.elapsed());
    assert!(!cluster.exists(), "an empty database in place of the one that is gone");
    fs::rename(&aside, &cluster).expect("moves back");
    until("PostgreSQL", || status.state() == EmbeddedState::Running);
    assert_eq!(value(&mut connect(embedded.url()), "select count(*) from kept"), "0");
    embedded.stop().expect("stops cleanly");
}

#[test]
fn a_database_that_cannot_be_started_again_is_stopped_at_once() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    let killed = postmaster_of(data.path());
    fs::rename(data.path().join("pg"), data.path().join("aside")).expect("moves away");
    kill(killed, Signal::SIGKILL).expect("lives");
    let status = embedded.status();
    until("a try", || matches!(status.state(), EmbeddedState::Restarting { attempts: 1.. }));
    embedded.stop().expect("there is nothing to wait for");
    // The folder is free for the next server.
    fs::rename(data.path().join("aside"), data.path().join("pg")).expect("moves back");
    start(data.path()).stop().expect("stops cleanly");
}

/// Waits until `condition` holds.
fn until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + END_TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "no {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_log_of_a_database_that_says_much_stays_bounded_while_it_runs() {
    const LIMIT_BYTES: u64 = pippost::store::embedded::MAX_LOG_BYTES;
    let data = empty_data_folder();
    let embedded = start(data.path());
    let mut client = connect(&embedded.url_for(SUPERUSER, APP_DATABASE));
    let (log, aside) = (data.path().join("pg.log"), data.path().join("pg.log.1"));
    let size = |path: &std::path::Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    // Some 20 MB, without any restart.
    let say = "do $$ begin for n in 1..100 loop raise log '%', repeat('x', 100000); end loop; end $$";
    let until = std::time::Instant::now() + END_TIMEOUT;
    let mut said = 0;
    while said < 2 || size(&aside) == 0 || size(&log) > LIMIT_BYTES {
        assert!(std::time::Instant::now() < until, "{} and {} bytes", size(&log), size(&aside));
        if said < 2 {
            client.batch_execute(say).expect("a long message");
            said += 1;
        }
    }
    assert!(size(&aside) <= LIMIT_BYTES, "{}", size(&aside));
    client.batch_execute("do $$ begin raise log 'still heard'; end $$").expect("a short one");
    assert!(fs::read_to_string(&log).expect("text").contains("still heard"));
    drop(client);
    embedded.stop().expect("stops cleanly");
}

/// The environment variable with which the test below runs itself as another user: where to connect.
const CONNECT_TO: &str = "PIPPOST_TEST_CONNECT_TO";

#[test]
fn another_user_is_refused_even_where_it_can_open_the_socket_and_the_cluster_once_trusted_everybody() {
    if let Ok(url) = std::env::var(CONNECT_TO) {
        let said = Client::connect(&url, NoTls).err().map(|error| error.to_string());
        return println!("said: {said:?}");
    }
    if !geteuid().is_root() {
        return skipped("another user at the database's socket", "it needs root");
    }
    let data = data_folder_open_to_all_above();
    start(data.path()).stop().expect("stops cleanly");
    fs::write(data.path().join("pg/pg_hba.conf"), "local all all trust\n").expect("writes");
    let embedded = start(data.path());
    assert_eq!(value(&mut connect(embedded.url()), "select current_user"), APP_ROLE);
    let socket = embedded.socket_dir().join(".s.PGSQL.5432");
    for path in [data.path(), embedded.socket_dir(), &socket] {
        fs::set_permissions(path, Permissions::from_mode(0o777)).expect("root may");
    }
    let nobody = User::from_name("nobody").expect("a list of users").expect("every system has nobody");
    for role in [APP_ROLE, SUPERUSER] {
        let name = "embedded::running::another_user_is_refused_even_where_it_can_open_the_socket_and_the_cluster_once_trusted_everybody";
        let mut command = Command::new("/proc/self/exe");
        command.args(["--exact", name, "--nocapture"]).env(CONNECT_TO, embedded.url_for(role, APP_DATABASE));
        command.uid(nobody.uid.as_raw()).gid(nobody.gid.as_raw()).current_dir("/");
        let output = command.output().expect("runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("said: Some("), "{role}: {output:?}");
    }
    let log = fs::read_to_string(data.path().join("pg.log")).expect("a log");
    assert!(log.contains("for user \"app\" authenticated as \"nobody\""), "{log}");
    embedded.stop().expect("stops cleanly");
}
