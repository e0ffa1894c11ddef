//! Bounds the size of PostgreSQL's own log while it is written, and reads its end for error messages.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use super::EmbeddedError;

/// A log that has grown beyond this is copied to `pg.log.1`, replaces the copy before, and is emptied. Both together take at
/// most twice this size, and what PostgreSQL writes between two checks.
pub const MAX_LOG_BYTES: u64 = 8 * 1024 * 1024;
/// The interval between checks of the log's size.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The most lines from the log's end in an error message.
const TAIL_LINES: usize = 12;
const TAIL_BYTES: u64 = 4096;

/// The open log of one run. A thread bounds its size until this is dropped.
#[derive(Debug)]
pub(super) struct ServerLog {
    log: Arc<Bounded>,
    /// Dropping this ends the thread.
    _open: mpsc::Sender<()>,
}

impl ServerLog {
    pub fn open(path: PathBuf) -> Result<Self, EmbeddedError> {
        let failed = EmbeddedError::io("open PostgreSQL's log", &path);
        Self::bounded(path.clone(), MAX_LOG_BYTES, CHECK_INTERVAL).map_err(failed)
    }

    fn bounded(path: PathBuf, limit_bytes: u64, look_every: Duration) -> io::Result<Self> {
        let log = Arc::new(Bounded::open(path, limit_bytes)?);
        let (open, closed) = mpsc::channel::<()>();
        let watched = Arc::clone(&log);
        thread::Builder::new().name("postgres-log".to_owned()).spawn(move || {
            while closed.recv_timeout(look_every) == Err(mpsc::RecvTimeoutError::Timeout) {
                if let Err(error) = watched.shorten() {
                    tracing::warn!(%error, log = %watched.path.display(), "PostgreSQL's log cannot be shortened");
                }
            }
        })?;
        Ok(Self { log, _open: open })
    }

    pub fn path(&self) -> &Path {
        &self.log.path
    }

    /// For a child's standard output or error.
    pub fn stdio(&self) -> Result<Stdio, EmbeddedError> {
        let file =
            self.log.file.try_clone().map_err(EmbeddedError::io("use PostgreSQL's log", self.path()))?;
        Ok(file.into())
    }

    /// The last lines of this run, or why they cannot be read.
    pub fn tail(&self) -> String {
        self.log.read_tail().unwrap_or_else(|error| format!("(cannot be read: {error})"))
    }
}

/// The file. PostgreSQL's processes append to it through descriptors of their own.
#[derive(Debug)]
struct Bounded {
    path: PathBuf,
    file: File,
    /// Where this run's lines begin.
    start: AtomicU64,
    limit_bytes: u64,
}

impl Bounded {
    fn open(path: PathBuf, limit_bytes: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        let log = Self { path, file, start: AtomicU64::new(0), limit_bytes };
        log.shorten()?;
        log.start.store(log.file.metadata()?.len(), Ordering::Relaxed);
        Ok(log)
    }

    /// Copies and empties the file if it is too long. The file itself stays, because PostgreSQL has it open: appending
    /// continues at its new end. A line written between the copy and the truncation is lost.
    fn shorten(&self) -> io::Result<()> {
        if self.file.metadata()?.len() <= self.limit_bytes {
            return Ok(());
        }
        let copied = self.put_aside();
        // Even if the copy failed for lack of space: the log must not fill the disk.
        self.file.set_len(0)?;
        self.start.store(0, Ordering::Relaxed);
        copied
    }

    /// Copies the last part of the log, up to the limit.
    fn put_aside(&self) -> io::Result<()> {
        let mut from = File::open(&self.path)?;
        let bytes = from.metadata()?.len();
        from.seek(SeekFrom::Start(bytes.saturating_sub(self.limit_bytes)))?;
        let new = self.path.with_extension("log.new");
        let mut to = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&new)?;
        let moved = io::copy(&mut from.take(self.limit_bytes), &mut to)
            .and_then(|_| fs::rename(&new, self.path.with_extension("log.1")));
        if moved.is_err() {
            // An incomplete copy is useless.
            let _ = fs::remove_file(&new);
        }
        moved
    }

    fn read_tail(&self) -> io::Result<String> {
        let mut file = File::open(&self.path)?;
        let end = file.metadata()?.len();
        let start = self.start.load(Ordering::Relaxed);
        file.seek(SeekFrom::Start(start.max(end.saturating_sub(TAIL_BYTES))))?;
        let mut bytes = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        Ok(lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::Command;

    use super::super::polling::wait_for;
    use super::*;

    #[test]
    fn the_tail_shows_the_last_lines_of_this_run_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("pg.log");
        fs::write(&path, "an earlier run\n").expect("writes");
        let log = ServerLog::open(path).expect("opens");
        assert_eq!(log.tail(), "");
        for number in 0..2000 {
            writeln!(&log.log.file, "line {number}").expect("writes");
        }
        let tail = log.tail();
        assert!(tail.starts_with("line 1988\n") && tail.ends_with("line 1999"), "{tail}");
    }

    #[test]
    fn a_log_over_the_limit_is_put_aside_at_the_start_in_place_of_the_one_before() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("pg.log");
        for text in ["one, too long", "two, too long"] {
            fs::write(&path, text).expect("writes");
            let log = Bounded::open(path.clone(), 5).expect("opens");
            assert_eq!(log.start.into_inner(), 0);
            // The last part, up to the limit.
            assert_eq!(fs::read_to_string(folder.path().join("pg.log.1")).expect("reads"), " long");
        }
        fs::write(&path, "short").expect("writes");
        assert_eq!(Bounded::open(path, 5).expect("opens").start.into_inner(), 5);
    }

    #[test]
    fn a_log_that_another_process_writes_to_stays_bounded() {
        const LIMIT_BYTES: u64 = 10_000;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("pg.log");
        let log = ServerLog::bounded(path.clone(), LIMIT_BYTES, Duration::from_millis(1)).expect("opens");
        let mut writer = Command::new("sh");
        writer.args(["-c", "while echo a line of somebody who writes all the time; do :; done"]);
        let mut writer = writer.stdout(log.stdio().expect("a descriptor")).spawn().expect("a shell");
        let aside = path.with_extension("log.1");
        let mut turns = 0;
        let turned = wait_for(Duration::from_secs(30), || {
            let size = fs::metadata(&aside).map_or(0, |metadata| metadata.len());
            turns += usize::from(size > 0 && log.log.start.load(Ordering::Relaxed) == 0);
            Ok::<_, io::Error>((size == LIMIT_BYTES && turns > 20).then_some(()))
        });
        let tail = log.tail();
        writer.kill().and_then(|()| writer.wait()).expect("an end");
        assert!(turned.expect("a look").is_some(), "the log was put aside");
        let short = wait_for(Duration::from_secs(30), || {
            let size = fs::metadata(&path)?.len();
            Ok::<_, io::Error>((size <= LIMIT_BYTES).then_some(()))
        });
        assert!(short.expect("a look").is_some(), "what came last was put aside, too");
        // The first and the last line may be cut.
        let lines: Vec<&str> = tail.lines().skip(1).collect();
        let whole = &lines[..lines.len().saturating_sub(1)];
        assert!(whole.iter().all(|line| *line == "a line of somebody who writes all the time"), "{tail}");
    }

    #[test]
    fn a_log_whose_copy_does_not_fit_is_cut_all_the_same() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("pg.log");
        // A file cannot replace a folder.
        fs::create_dir_all(folder.path().join("pg.log.1/in the way")).expect("a folder");
        fs::write(&path, "too long").expect("writes");
        Bounded::open(path.clone(), 5).expect_err("the copy has no place");
        assert_eq!(fs::metadata(&path).expect("a log").len(), 0);
        assert!(!path.with_extension("log.new").exists());
    }
}
