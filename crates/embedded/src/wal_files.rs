//! Segments of the write-ahead log that were received beside a base backup, put where recovery reads them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::EmbeddedError;

/// Digits of a segment's name: timeline, log and segment, eight each.
const NAME_DIGITS: usize = 24;

/// The ending of a segment that is still being received.
const PARTIAL: &str = ".partial";

/// Bytes of the log that one value of the middle digits stands for.
const LOG_BYTES: u64 = 1 << 32;

/// The name of the segment at which recovery of the base backup begins.
///
/// # Errors
/// It is no base backup.
pub fn first_segment(cluster: &Path) -> Result<String, EmbeddedError> {
    let path = cluster.join("backup_label");
    let text = fs::read_to_string(&path).map_err(EmbeddedError::io("read", &path))?;
    let name = text.split("(file ").nth(1).and_then(|rest| rest.split(')').next());
    name.filter(|name| is_segment(name))
        .map(ToOwned::to_owned)
        .ok_or_else(|| EmbeddedError::NoBaseBackup { cluster: cluster.to_owned() })
}

/// Copies what was received in `wal` from the first segment on into the copy of the cluster.
pub(super) fn add(wal: &Path, cluster: &Path) -> Result<(), EmbeddedError> {
    let (first, inside) = (first_segment(cluster)?, cluster.join("pg_wal"));
    for (name, path) in files(wal)? {
        let plain = name.trim_end_matches(PARTIAL);
        let target = inside.join(plain);
        let is_needed = plain.ends_with(".history") || is_segment(plain) && plain[8..] >= first[8..];
        // Both have the same beginning, and zeros behind what was written.
        if is_needed && (!is_segment(plain) || written(&path)? >= written(&target)?) {
            fs::copy(&path, &target).map_err(EmbeddedError::io("copy the log to", &target))?;
        }
    }
    check_no_gap(wal, &inside, &first)
}

/// Recovery would end at a gap without a word.
fn check_no_gap(wal: &Path, inside: &Path, first: &str) -> Result<(), EmbeddedError> {
    let mut numbers = BTreeMap::new();
    for (name, path) in files(inside)? {
        if is_segment(&name) {
            let bytes = fs::metadata(&path).map_err(EmbeddedError::io("look at", &path))?.len();
            numbers.insert(number(&name, bytes), name);
        }
    }
    let Some(start) = numbers.iter().find_map(|(number, name)| (name[8..] == first[8..]).then_some(*number))
    else {
        return Err(EmbeddedError::WalGap { wal: wal.to_owned(), at: first.to_owned() });
    };
    let mut expected = start..;
    for (found, name) in numbers.range(start..) {
        if expected.next() != Some(*found) {
            return Err(EmbeddedError::WalGap { wal: wal.to_owned(), at: name.clone() });
        }
    }
    Ok(())
}

/// Files by name.
fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, EmbeddedError> {
    let entries = fs::read_dir(folder).map_err(EmbeddedError::io("list", folder))?;
    let named =
        entries.flatten().map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    Ok(named.collect())
}

fn is_segment(name: &str) -> bool {
    name.len() == NAME_DIGITS && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The place of a segment of that size in the log of its timeline.
fn number(name: &str, bytes: u64) -> u64 {
    let part = |digits: std::ops::Range<usize>| u64::from_str_radix(&name[digits], 16).unwrap_or(0);
    part(8..16) * (LOG_BYTES / bytes.max(1)) + part(16..24)
}

/// How much of a segment was written; nothing of one that is not there.
fn written(path: &Path) -> Result<usize, EmbeddedError> {
    if !path.exists() {
        return Ok(0);
    }
    let bytes = fs::read(path).map_err(EmbeddedError::io("read", path))?;
    Ok(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "000000010000000000000007";

    /// A copy of a cluster that begins at [`FIRST`], and a folder with received segments.
    fn folders(received: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let top = tempfile::tempdir().expect("a folder");
        let (cluster, wal) = (top.path().join("pg"), top.path().join("wal"));
        fs::create_dir_all(cluster.join("pg_wal")).expect("makes");
        fs::create_dir(&wal).expect("makes");
        let label = format!("START WAL LOCATION: 0/7000028 (file {FIRST})\nCHECKPOINT LOCATION: 0/7000060\n");
        fs::write(cluster.join("backup_label"), label).expect("writes");
        fs::write(cluster.join("pg_wal").join(FIRST), "abc\0\0\0\0\0").expect("writes");
        for (name, text) in received {
            fs::write(wal.join(name), text).expect("writes");
        }
        (top, cluster, wal)
    }

    #[test]
    fn the_fuller_one_of_two_segments_counts_and_what_came_before_is_left_out() {
        let received = [
            ("000000010000000000000006", "old!old!"),
            (FIRST, "abcdefgh"),
            ("000000010000000000000008.partial", "ij\0\0\0\0\0\0"),
            ("00000002.history", "1\t0/9000000"),
        ];
        let (_top, cluster, wal) = folders(&received);
        add(&wal, &cluster).expect("no gap");
        let inside = cluster.join("pg_wal");
        assert_eq!(fs::read_to_string(inside.join(FIRST)).expect("a file"), "abcdefgh");
        assert!(inside.join("000000010000000000000008").exists() && inside.join("00000002.history").exists());
        assert!(!inside.join("000000010000000000000006").exists());
        fs::write(wal.join(FIRST), "a\0\0\0\0\0\0\0").expect("writes");
        add(&wal, &cluster).expect("no gap");
        assert_eq!(fs::read_to_string(inside.join(FIRST)).expect("a file"), "abcdefgh", "the emptier one");
    }

    #[test]
    fn a_gap_is_told_and_not_passed_over() {
        let (_top, cluster, wal) = folders(&[("000000010000000000000009", "klmnopqr")]);
        let said = add(&wal, &cluster).expect_err("8 is missing").to_string();
        assert!(said.contains("000000010000000000000009") && said.contains("gap"), "{said}");
    }

    #[test]
    fn a_folder_that_is_no_base_backup_is_refused() {
        let (_top, cluster, _wal) = folders(&[]);
        fs::write(cluster.join("backup_label"), "nothing").expect("writes");
        assert!(matches!(first_segment(&cluster), Err(EmbeddedError::NoBaseBackup { .. })));
    }
}
