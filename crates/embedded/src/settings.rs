//! The settings of the embedded PostgreSQL, given on its command line, where neither a file nor `ALTER SYSTEM` overrides them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Only part of the socket file's name, because nothing listens on TCP.
pub(super) const PORT: u16 = 5432;
/// The most connections that PostgreSQL accepts, over the pools of all server processes.
pub const MAX_CONNECTIONS: u32 = 100;
/// PostgreSQL's own cache; the kernel's page cache holds the rest.
pub(super) const SHARED_BUFFERS_MIB: u64 = 128;

/// The size of a segment of the write-ahead log, a quarter of the default. A new segment is filled with zeros and synced, and
/// all moves wait for that.
pub(super) const WAL_SEGMENT_MIB: u64 = 4;

/// The socket is the only way in.
const ACCESS: &[(&str, &str)] = &[("listen_addresses", ""), ("unix_socket_permissions", "0700")];

/// An acknowledged commit survives a crash and a power cut.
const DURABLE: &[(&str, &str)] = &[("fsync", "on"), ("full_page_writes", "on"), ("synchronous_commit", "on")];

/// Nothing waits for the disk; what a crash of the machine leaves is lost. Of the hundreds of databases of tests none lives long enough
/// to be vacuumed.
const NOT_DURABLE: &[(&str, &str)] =
    &[("fsync", "off"), ("full_page_writes", "off"), ("synchronous_commit", "off"), ("autovacuum", "off")];

/// Settings for a small server with short statements from one program.
const SMALL_SERVER: &[(&str, &str)] = &[
    ("cluster_name", "pippost"),
    // Compiling a plan costs more than any of our statements.
    ("jit", "off"),
    // Parallel plans want /dev/shm, of which containers have little, and the cores are the server's too.
    ("max_parallel_workers_per_gather", "0"),
    // Data folders are assumed to lie on solid state disks.
    ("random_page_cost", "1.1"),
    // The values for segments of the default size; initdb derives both from the segment size.
    ("min_wal_size", "80MB"),
    ("max_wal_size", "1GB"),
    // A backup that has stopped to receive the log must not fill the disk.
    ("max_slot_wal_keep_size", "4GB"),
    ("timezone", "UTC"),
];

/// Logs to `pg.log`, through a descriptor, without the values of rows, which may be people's addresses and names.
const LOGGING: &[(&str, &str)] = &[
    ("log_destination", "stderr"),
    ("logging_collector", "off"),
    ("log_line_prefix", "%m [%p] %u "),
    ("log_timezone", "UTC"),
    ("log_error_verbosity", "terse"),
    ("log_parameter_max_length_on_error", "0"),
    // Two lines every five minutes would be most of the log.
    ("log_checkpoints", "off"),
];

/// All arguments of `postgres` for the cluster and the socket's folder.
pub(super) fn arguments(cluster: &Path, socket_folder: &Path, durable: bool) -> Vec<OsString> {
    let sizes = [
        ("port", PORT.to_string()),
        ("max_connections", MAX_CONNECTIONS.to_string()),
        ("shared_buffers", format!("{SHARED_BUFFERS_MIB}MB")),
    ];
    let durability = if durable { DURABLE } else { NOT_DURABLE };
    let fixed = [ACCESS, durability, SMALL_SERVER, LOGGING].into_iter().flatten();
    let fixed = fixed.map(|&(name, value)| (name, value.to_owned()));

    let mut arguments = vec!["-D".into(), cluster.into()];
    for (name, value) in sizes.into_iter().chain(fixed) {
        arguments.extend(["-c".into(), format!("{name}={value}").into()]);
    }
    arguments.extend(["-c".into(), socket_folders(socket_folder)]);
    arguments
}

/// The setting is a list, so the folder is quoted in case its path has commas or spaces.
fn socket_folders(folder: &Path) -> OsString {
    let mut setting = b"unix_socket_directories=\"".to_vec();
    for &byte in folder.as_os_str().as_bytes() {
        setting.push(byte);
        if byte == b'"' {
            setting.push(byte);
        }
    }
    setting.push(b'"');
    OsString::from_vec(setting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EmbeddedSettings;

    #[test]
    fn the_socket_folder_is_one_element_whatever_its_path() {
        assert_eq!(socket_folders(Path::new(r#"/a, b/"c""#)), r#"unix_socket_directories="/a, b/""c""""#);
    }

    #[test]
    fn every_setting_is_given_once() {
        let arguments = arguments(Path::new("/d/pg"), Path::new("/d/sock"), true);
        let mut names: Vec<_> = arguments[2..]
            .chunks(2)
            .map(|pair| pair[1].to_str().expect("text").split('=').next().expect("a name").to_owned())
            .collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.contains(&"fsync".to_owned()));
    }
    #[test]
    fn commits_are_durable_unless_the_database_may_be_lost() {
        let given = |durable| {
            let arguments = arguments(Path::new("/d/pg"), Path::new("/d/sock"), durable);
            let settings: Vec<_> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
            ["fsync", "full_page_writes", "synchronous_commit"]
                .map(|name| settings.iter().any(|setting| *setting == format!("{name}=on")))
        };
        assert_eq!(given(EmbeddedSettings::in_folder("/d").durable), [true; 3]);
        assert_eq!(given(false), [false; 3]);
    }
}
