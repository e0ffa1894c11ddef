//! Conditions under which the database does not start, and the messages about them.

use std::fs;

use pippost::store::embedded::{Embedded, EmbeddedError, EmbeddedSettings};

use super::{connect, empty_data_folder, start, try_start, value};

#[test]
fn a_second_server_on_the_same_folder_is_refused_and_does_no_harm() {
    let data = empty_data_folder();
    let first = start(data.path());
    let error = try_start(data.path()).expect_err("the folder is taken");
    assert!(matches!(error, EmbeddedError::AlreadyRunning { .. }), "{error}");
    let message = error.to_string();
    let folder = fs::canonicalize(data.path()).expect("exists");
    assert!(message.contains("another server already runs on"), "{message}");
    assert!(message.contains(folder.to_str().expect("text")), "{message}");

    assert_eq!(value(&mut connect(first.url()), "select 1"), "1");
    first.stop().expect("stops cleanly");
    start(data.path()).stop().expect("the folder is free again");
}

#[test]
fn a_database_can_be_shared_while_it_is_served_and_no_longer() {
    let data = empty_data_folder();
    let settings = EmbeddedSettings::in_folder(data.path());
    let ready = || settings.url_if_ready().expect("a usable folder");
    assert_eq!(ready(), None);
    let server = start(data.path());
    assert_eq!(ready().as_deref(), Some(server.url()));
    server.stop().expect("stops cleanly");
    assert_eq!(ready(), None);
    start(data.path()).stop().expect("whoever asked holds nothing");
}

#[test]
fn a_folder_without_the_programs_is_refused_by_its_name() {
    let (data, empty) = (empty_data_folder(), empty_data_folder());
    let programs_dir = Some(empty.path().to_owned());
    let settings = EmbeddedSettings { programs_dir, ..EmbeddedSettings::in_folder(data.path()) };
    let error = Embedded::start(&settings).expect_err("no programs");
    assert!(matches!(error, EmbeddedError::NoProgramsIn { .. }), "{error}");
    let message = error.to_string();
    assert!(
        message.contains(empty.path().to_str().expect("text")) && message.contains("PG_BINDIR"),
        "{message}"
    );
}

#[test]
fn a_database_of_another_major_version_is_left_alone_and_the_version_named() {
    let data = empty_data_folder();
    start(data.path()).stop().expect("stops cleanly");
    let version = data.path().join("pg/PG_VERSION");
    fs::write(&version, "1\n").expect("writes");
    let error = try_start(data.path()).expect_err("no such version");
    assert!(matches!(error, EmbeddedError::WrongMajor { needed: 1, .. }), "{error}");
    assert!(error.to_string().contains("needs PostgreSQL 1,"), "{error}");
}

#[test]
fn a_database_that_does_not_start_shows_the_end_of_its_log() {
    let data = empty_data_folder();
    start(data.path()).stop().expect("stops cleanly");
    fs::write(data.path().join("pg/postgresql.conf"), "no_such_setting = 1\n").expect("writes");
    let error = try_start(data.path()).expect_err("broken settings");
    assert!(matches!(error, EmbeddedError::DidNotStart { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("no_such_setting") && message.contains("pg.log"), "{message}");
}
