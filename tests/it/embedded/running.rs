//! What a database that was started is like.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{getpgid, getpgrp};
use pippost::store::embedded::{APP_DATABASE, APP_ROLE, EmbeddedError, SUPERUSER};
use postgres::error::SqlState;

use super::{
    END_PATIENCE, connect, data_folder_open_to_all_above, empty_data_folder, postmaster_of, start, value,
};

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
    /// `CAP_DAC_READ_SEARCH`, or where a container has taken it away, `CAP_DAC_OVERRIDE`.
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
fn the_server_is_told_when_postgresql_ends_by_itself() {
    let data = empty_data_folder();
    let embedded = start(data.path());
    let died = embedded.died();
    kill(postmaster_of(data.path()), Signal::SIGKILL).expect("lives");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let error = runtime.block_on(async { tokio::time::timeout(END_PATIENCE, died).await }).expect("is told");
    assert!(matches!(error, EmbeddedError::Died { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("SIGKILL") && message.contains("pg.log"), "{message}");
    let error = embedded.stop().expect_err("there is nothing to stop");
    assert!(matches!(error, EmbeddedError::Died { .. }), "{error}");
}
