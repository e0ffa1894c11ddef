//! PostgreSQL's own log, and the end of it for error messages.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::EmbeddedError;

/// At a start with a larger log it becomes `pg.log.1`, in place of the one before.
const ROTATE_AT_BYTES: u64 = 8 * 1024 * 1024;
/// How much of the end an error message shows at most.
const TAIL_LINES: usize = 12;
const TAIL_BYTES: u64 = 4096;

/// The open log of one run.
#[derive(Debug)]
pub(super) struct ServerLog {
    path: PathBuf,
    file: File,
    /// Where this run's lines begin.
    start: u64,
}

impl ServerLog {
    pub fn open(path: PathBuf) -> Result<Self, EmbeddedError> {
        Self::open_rotating_at(ROTATE_AT_BYTES, &path)
            .map_err(EmbeddedError::io("open PostgreSQL's log", &path))
            .map(|(file, start)| Self { path, file, start })
    }

    fn open_rotating_at(limit_bytes: u64, path: &Path) -> io::Result<(File, u64)> {
        let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
        if bytes > limit_bytes {
            fs::rename(path, path.with_extension("log.1"))?;
        }
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
        let start = file.metadata()?.len();
        Ok((file, start))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// For a child's standard output or error.
    pub fn stdio(&self) -> Result<Stdio, EmbeddedError> {
        let file = self.file.try_clone().map_err(EmbeddedError::io("use PostgreSQL's log", &self.path))?;
        Ok(file.into())
    }

    /// The last lines of this run, or why they cannot be read.
    pub fn tail(&self) -> String {
        self.read_tail().unwrap_or_else(|error| format!("(cannot be read: {error})"))
    }

    fn read_tail(&self) -> io::Result<String> {
        let mut file = File::open(&self.path)?;
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(self.start.max(end.saturating_sub(TAIL_BYTES))))?;
        let mut bytes = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        Ok(lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_tail_shows_the_last_lines_of_this_run_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("pg.log");
        fs::write(&path, "an earlier run\n").expect("writes");
        let mut log = ServerLog::open(path).expect("opens");
        assert_eq!(log.tail(), "");
        for number in 0..2000 {
            writeln!(log.file, "line {number}").expect("writes");
        }
        let tail = log.tail();
        assert!(tail.starts_with("line 1988\n") && tail.ends_with("line 1999"), "{tail}");
    }

    #[test]
    fn a_log_over_the_limit_is_put_aside_in_place_of_the_one_before() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("pg.log");
        for text in ["one, too long", "two, too long"] {
            fs::write(&path, text).expect("writes");
            let (_, start) = ServerLog::open_rotating_at(5, &path).expect("opens");
            assert_eq!(start, 0);
            assert_eq!(fs::read_to_string(folder.path().join("pg.log.1")).expect("reads"), text);
        }
        fs::write(&path, "short").expect("writes");
        let (_, start) = ServerLog::open_rotating_at(5, &path).expect("opens");
        assert_eq!(start, 5);
    }
}
