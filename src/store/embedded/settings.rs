//! How the embedded PostgreSQL is set: on its command line, where neither a file nor `ALTER SYSTEM` overrules it.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Only names the socket file, for nothing listens on TCP.
pub(super) const PORT: u16 = 5432;
/// Connections that PostgreSQL accepts, all pools of all server processes together.
pub const MAX_CONNECTIONS: u32 = 100;
/// PostgreSQL's own cache; the system's cache holds the rest.
pub(super) const SHARED_BUFFERS_MIB: u64 = 128;

/// The size of a file of the write-ahead log, a quarter of the usual. Whoever needs a new one fills it with zeros and waits until they
/// are on the disk, and all moves wait with it.
pub(super) const WAL_SEGMENT_MIB: u64 = 4;

/// A commit that was answered survives a crash and a power cut, and only the socket leads in.
const SAFETY: &[(&str, &str)] = &[
    ("listen_addresses", ""),
    ("unix_socket_permissions", "0700"),
    ("fsync", "on"),
    ("full_page_writes", "on"),
    ("synchronous_commit", "on"),
];

/// A small server whose statements are short and come from one program.
const SMALL_SERVER: &[(&str, &str)] = &[
    ("cluster_name", "pippost"),
    // Compiling a plan costs more than any of our statements.
    ("jit", "off"),
    // Parallel plans want /dev/shm, of which containers have little, and the cores are the server's too.
    ("max_parallel_workers_per_gather", "0"),
    // Data folders lie on solid state disks today.
    ("random_page_cost", "1.1"),
    // As with segments of the usual size; initdb reckons both by the segment.
    ("min_wal_size", "80MB"),
    ("max_wal_size", "1GB"),
    ("timezone", "UTC"),
];

/// Into `pg.log`, by descriptor, without the values of rows: those may be addresses and names of people.
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
pub(super) fn arguments(cluster: &Path, socket_folder: &Path) -> Vec<OsString> {
    let sizes = [
        ("port", PORT.to_string()),
        ("max_connections", MAX_CONNECTIONS.to_string()),
        ("shared_buffers", format!("{SHARED_BUFFERS_MIB}MB")),
    ];
    let fixed =
        [SAFETY, SMALL_SERVER, LOGGING].into_iter().flatten().map(|&(name, value)| (name, value.to_owned()));

    let mut arguments = vec!["-D".into(), cluster.into()];
    for (name, value) in sizes.into_iter().chain(fixed) {
        arguments.extend(["-c".into(), format!("{name}={value}").into()]);
    }
    arguments.extend(["-c".into(), socket_folders(socket_folder)]);
    arguments
}

/// The setting is a list, so one folder is quoted against commas and spaces in its path.
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

    #[test]
    fn the_socket_folder_is_one_element_whatever_its_path() {
        assert_eq!(socket_folders(Path::new(r#"/a, b/"c""#)), r#"unix_socket_directories="/a, b/""c""""#);
    }

    #[test]
    fn every_setting_is_given_once() {
        let arguments = arguments(Path::new("/d/pg"), Path::new("/d/sock"));
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
}
