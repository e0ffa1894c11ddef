//! PostgreSQL's main process: starts it, waits until it is ready, notices its end, and stops it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use super::account::Account;
use super::cancel::Cancel;
use super::data_folder::DataFolder;
use super::polling::wait_for;
use super::programs::Programs;
use super::server_log::ServerLog;
use super::{EmbeddedError, spawn};

/// After this time the log says that a recovery is under way.
const START_TIMEOUT: Duration = Duration::from_secs(5);
/// A generous limit, because an interrupted recovery starts from the beginning next time.
const RECOVERY_TIMEOUT: Duration = Duration::from_mins(10);
/// The signals that end PostgreSQL, by rising force: roll back and write everything; drop everything; kill.
const STOP_STEPS: [(Signal, Duration); 3] = [
    (Signal::SIGINT, Duration::from_secs(15)),
    (Signal::SIGQUIT, Duration::from_secs(3)),
    (Signal::SIGKILL, Duration::from_secs(2)),
];
/// The longest time that a stop takes, over all steps.
pub const STOP_SECONDS: u64 = 20;
/// Lines of `postmaster.pid`, counted from zero.
const PID_LINE: usize = 0;
const STATUS_LINE: usize = 7;

/// The parameters of a start.
pub(super) struct Launch<'a> {
    pub programs: &'a Programs,
    pub account: Account,
    pub folder: &'a DataFolder,
    pub arguments: &'a [OsString],
    pub cancel: &'a Cancel,
}

/// The end of a process.
#[derive(Debug)]
pub(super) struct Ended {
    pub pid: u32,
    /// Exit status or signal.
    pub status: String,
}

/// The running process. Dropping this stops it.
#[derive(Debug)]
pub(super) struct Postmaster {
    child: Child,
    log: ServerLog,
}

impl Postmaster {
    /// Starts PostgreSQL and waits until it accepts connections. `cluster_lock` is closed here, so only PostgreSQL's processes
    /// hold it from then on. The end of the process is reported to `ended`, whatever the reason.
    pub fn start(
        launch: &Launch<'_>,
        log: ServerLog,
        cluster_lock: File,
        ended: impl FnOnce(Ended) + Send + 'static,
    ) -> Result<Self, EmbeddedError> {
        let program = &launch.programs.postgres;
        let mut command = Command::new(program);
        command.args(launch.arguments);
        command.current_dir("/").stdout(log.stdio()?).stderr(log.stdio()?);
        let child = spawn_and_watch(command, launch.account, cluster_lock, ended)
            .map_err(EmbeddedError::io("run", program))?;
        // An error after this line drops the postmaster and so stops the process.
        let mut postmaster = Self { child, log };
        postmaster.wait_until_ready(&launch.folder.postmaster_pid(), launch.cancel)?;
        Ok(postmaster)
    }

    fn wait_until_ready(&mut self, pid_file: &Path, cancel: &Cancel) -> Result<(), EmbeddedError> {
        if self.ready_within(START_TIMEOUT, pid_file, cancel)? {
            return Ok(());
        }
        tracing::info!(log = %self.log.path().display(), "PostgreSQL needs longer to start: it recovers from a crash");
        if self.ready_within(RECOVERY_TIMEOUT, pid_file, cancel)? {
            return Ok(());
        }
        Err(EmbeddedError::NotReady {
            waited_seconds: (START_TIMEOUT + RECOVERY_TIMEOUT).as_secs(),
            log: self.log.path().to_owned(),
            log_tail: self.log.tail(),
        })
    }

    fn ready_within(
        &mut self,
        timeout: Duration,
        pid_file: &Path,
        cancel: &Cancel,
    ) -> Result<bool, EmbeddedError> {
        let pid = self.child.id().to_string();
        let ready = wait_for(timeout, || {
            cancel.check()?;
            if let Some(status) = self.exit_status()? {
                return Err(EmbeddedError::DidNotStart {
                    status: status.to_string(),
                    log: self.log.path().to_owned(),
                    log_tail: self.log.tail(),
                });
            }
            let text = fs::read_to_string(pid_file).unwrap_or_default();
            Ok(says_ready(&text, &pid).then_some(()))
        });
        Ok(ready?.is_some())
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The error for a process that ended by itself.
    pub fn died(&self, status: &str) -> EmbeddedError {
        let log = self.log.path().to_owned();
        EmbeddedError::Died { status: status.to_owned(), log, log_tail: self.log.tail() }
    }

    /// Ends PostgreSQL and waits for its end.
    pub fn stop(&mut self) -> Result<(), EmbeddedError> {
        if let Some(status) = self.exit_status()? {
            return Err(self.died(&status.to_string()));
        }
        for (signal, timeout) in STOP_STEPS {
            // The process id is still its own: only exit_status() collects the child.
            let _ = kill(pid_of(&self.child), signal);
            let Some(status) = wait_for(timeout, || self.exit_status())? else {
                tracing::warn!(signal = signal.as_str(), ?timeout, "PostgreSQL does not end");
                continue;
            };
            if signal == Signal::SIGINT && status.success() {
                return Ok(());
            }
            return Err(EmbeddedError::StoppedByForce {
                signal: signal.as_str(),
                status: status.to_string(),
            });
        }
        let status = "no end seen".to_owned();
        Err(EmbeddedError::StoppedByForce { signal: Signal::SIGKILL.as_str(), status })
    }

    fn exit_status(&mut self) -> Result<Option<ExitStatus>, EmbeddedError> {
        self.child.try_wait().map_err(EmbeddedError::io("wait for the process that writes", self.log.path()))
    }
}

impl Drop for Postmaster {
    fn drop(&mut self) {
        if !matches!(self.exit_status(), Ok(Some(_)))
            && let Err(error) = self.stop()
        {
            tracing::error!(%error, "stopping the embedded PostgreSQL");
        }
    }
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("Linux numbers processes below 2^22"))
}

/// Whether `postmaster.pid` belongs to our process and has the status `ready`.
fn says_ready(postmaster_pid: &str, pid: &str) -> bool {
    let line = |number| postmaster_pid.lines().nth(number).map(str::trim);
    line(PID_LINE) == Some(pid) && line(STATUS_LINE) == Some("ready")
}

/// Starts the process in a thread that then waits for its end.
///
/// The kernel stops PostgreSQL when the *thread* that started it ends, so that thread must live as long. It leaves the ended
/// process for [`Postmaster`] to collect: until then the process id is not reused, and a signal cannot reach another process.
fn spawn_and_watch(
    command: Command,
    account: Account,
    cluster_lock: File,
    ended: impl FnOnce(Ended) + Send + 'static,
) -> io::Result<Child> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::Builder::new().name("postgres-watcher".to_owned()).spawn(move || {
        let spawned = spawn::spawn(command, account, Some(&cluster_lock));
        drop(cluster_lock);
        let child = spawned.as_ref().ok().map(|child| (child.id(), pid_of(child)));
        // The receiver waits below.
        let _ = sender.send(spawned);
        let Some((id, pid)) = child else { return };
        ended(Ended { pid: id, status: wait_for_the_end(pid) });
    })?;
    receiver.recv().map_err(io::Error::other)?
}

/// Waits for the process to end and says how it ended.
fn wait_for_the_end(pid: Pid) -> String {
    loop {
        match waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
            Err(Errno::EINTR) => {}
            Ok(WaitStatus::Exited(_, code)) => return format!("exit status: {code}"),
            Ok(WaitStatus::Signaled(_, signal, _)) => return format!("signal: {signal}"),
            Ok(other) => return format!("{other:?}"),
            Err(error) => return format!("cannot be watched: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PID_FILE: &str = "4711\n/data/pg\n1795000000\n5432\n/data/sock\n\n  17891 3\n";

    #[test]
    fn the_steps_of_a_stop_take_no_longer_than_is_said() {
        let all: Duration = STOP_STEPS.iter().map(|(_, timeout)| *timeout).sum();
        assert_eq!(all, Duration::from_secs(STOP_SECONDS));
    }

    #[test]
    fn ready_is_what_our_own_process_says() {
        assert!(says_ready(&format!("{PID_FILE}ready   \n"), "4711"));
        assert!(!says_ready(&format!("{PID_FILE}starting\n"), "4711"));
        assert!(!says_ready(&format!("{PID_FILE}ready   \n"), "4712"));
        assert!(!says_ready(PID_FILE, "4711"));
        assert!(!says_ready("", "4711"));
    }
}
