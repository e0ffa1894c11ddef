//! The two locks of a data folder, and the lock files that PostgreSQL leaves behind after a crash.
//!
//! `server.lock` keeps a second server away. PostgreSQL's processes themselves hold `pg.lock`: a process that gets it knows
//! that none of them lives. PostgreSQL's own `postmaster.pid` cannot tell that: its process id may have been given to another
//! process, or belong to a zombie that nobody collects.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::EmbeddedError;
use super::cancel::Cancel;
use super::data_folder::DataFolder;
use super::polling::wait_for;
use super::socket::SocketFolder;

/// The wait for a server that is just ending, as in a restart.
const SERVER_LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// The wait for the PostgreSQL of a killed server, which shuts down by itself.
const CLUSTER_LOCK_TIMEOUT: Duration = Duration::from_secs(20);
/// The wait for the same PostgreSQL after SIGQUIT, which ends it at once.
const SIGQUIT_TIMEOUT: Duration = Duration::from_secs(40);

/// Takes `server.lock`, or reports that another server runs.
pub(super) fn lock_for_this_server(folder: &DataFolder, cancel: &Cancel) -> Result<File, EmbeddedError> {
    let path = folder.server_lock();
    let file = open(&path)?;
    if lock_within(SERVER_LOCK_TIMEOUT, &file, &path, cancel)? {
        Ok(file)
    } else {
        Err(EmbeddedError::AlreadyRunning { data_dir: folder.path().to_owned() })
    }
}

/// Whether a server has `server.lock` at this moment.
pub(super) fn is_served(folder: &DataFolder) -> Result<bool, EmbeddedError> {
    let path = folder.server_lock();
    Ok(!lock_within(Duration::ZERO, &open(&path)?, &path, &Cancel::default())?)
}

/// Takes `pg.lock`, which the new PostgreSQL inherits, once no process of the old one is left. An old one that does not end by
/// itself is ended.
pub(super) fn lock_for_the_cluster(folder: &DataFolder, cancel: &Cancel) -> Result<File, EmbeddedError> {
    let path = folder.cluster_lock();
    let file = open(&path)?;
    if lock_within(Duration::ZERO, &file, &path, cancel)? {
        return Ok(file);
    }
    tracing::info!(data_dir = %folder.path().display(), "waiting for an earlier PostgreSQL to end");
    if lock_within(CLUSTER_LOCK_TIMEOUT, &file, &path, cancel)? {
        return Ok(file);
    }
    if let Some(postmaster) = living_postmaster(folder) {
        tracing::warn!(pid = postmaster.as_raw(), "an earlier PostgreSQL does not end; sending it SIGQUIT");
        if let Err(error) = kill(postmaster, Signal::SIGQUIT) {
            tracing::warn!(%error, "the signal could not be sent");
        }
    }
    if lock_within(SIGQUIT_TIMEOUT, &file, &path, cancel)? {
        return Ok(file);
    }
    let waited = CLUSTER_LOCK_TIMEOUT + SIGQUIT_TIMEOUT;
    Err(EmbeddedError::OldProcessesRemain {
        cluster: folder.cluster(),
        lock: path,
        waited_seconds: waited.as_secs(),
    })
}

/// Removes the lock files of a killed PostgreSQL. Only safe while `pg.lock` is held.
pub(super) fn remove_stale_lock_files(
    folder: &DataFolder,
    socket: &SocketFolder,
) -> Result<(), EmbeddedError> {
    for path in [folder.postmaster_pid(), socket.lock_file()] {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(EmbeddedError::io("remove the stale lock file", &path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<File, EmbeddedError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options.open(path).map_err(EmbeddedError::io("open the lock file", path))
}

/// Whether the lock was taken in time.
fn lock_within(timeout: Duration, file: &File, path: &Path, cancel: &Cancel) -> Result<bool, EmbeddedError> {
    let got = wait_for(timeout, || match file.try_lock() {
        Ok(()) => Ok(Some(())),
        Err(TryLockError::WouldBlock) => cancel.check().map(|()| None),
        Err(TryLockError::Error(error)) => Err(EmbeddedError::io("lock", path)(error)),
    });
    Ok(got?.is_some())
}

/// The postmaster that `postmaster.pid` names, if that process belongs to this cluster.
fn living_postmaster(folder: &DataFolder) -> Option<Pid> {
    let pid: i32 = fs::read_to_string(folder.postmaster_pid()).ok()?.lines().next()?.parse().ok()?;
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let cluster = folder.cluster();
    let ours = arguments.split(|&byte| byte == 0).any(|argument| argument == cluster.as_os_str().as_bytes());
    (ours && pid > 1).then(|| Pid::from_raw(pid))
}
