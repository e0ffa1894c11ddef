//! PostgreSQL's main process: starting it, knowing when it is ready, noticing its end, stopping it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::future::Future;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use tokio::sync::watch;

use super::account::Account;
use super::data_folder::DataFolder;
use super::patience::wait_for;
use super::programs::Programs;
use super::server_log::ServerLog;
use super::{EmbeddedError, spawn};

/// After this the log says that a recovery is under way.
const ORDINARY_START: Duration = Duration::from_secs(5);
/// A recovery that is cut short starts from the beginning next time, so it gets plenty of time.
const RECOVERY_PATIENCE: Duration = Duration::from_mins(10);
/// What ends PostgreSQL, ever more roughly: roll back and write everything; drop everything; no choice.
const STOP_STEPS: [(Signal, Duration); 3] = [
    (Signal::SIGINT, Duration::from_secs(20)),
    (Signal::SIGQUIT, Duration::from_secs(5)),
    (Signal::SIGKILL, Duration::from_secs(5)),
];
/// Lines of `postmaster.pid`, counted from zero.
const PID_LINE: usize = 0;
const STATUS_LINE: usize = 7;

/// The running process. Dropped, it is stopped.
#[derive(Debug)]
pub(super) struct Postmaster {
    child: Child,
    log: Arc<ServerLog>,
    stopping: Arc<AtomicBool>,
    /// How it ended, once it did without being asked to.
    died: watch::Receiver<Option<String>>,
}

impl Postmaster {
    /// Starts it and waits until it accepts connections. `cluster_lock` is closed here: from then on only
    /// PostgreSQL's processes hold it.
    pub fn start(
        programs: &Programs,
        account: Account,
        folder: &DataFolder,
        arguments: &[OsString],
        log: ServerLog,
        cluster_lock: File,
    ) -> Result<Self, EmbeddedError> {
        let mut command = Command::new(&programs.postgres);
        command.args(arguments);
        command.current_dir("/").stdout(log.stdio()?).stderr(log.stdio()?);

        let (died_sender, died) = watch::channel(None);
        let stopping = Arc::new(AtomicBool::new(false));
        let child = spawn_and_watch(command, account, cluster_lock, Arc::clone(&stopping), died_sender)
            .map_err(EmbeddedError::io("run", &programs.postgres))?;
        // From here on whatever fails drops this, and so stops the process.
        let mut postmaster = Self { child, log: Arc::new(log), stopping, died };
        postmaster.wait_until_ready(&folder.postmaster_pid())?;
        Ok(postmaster)
    }

    fn wait_until_ready(&mut self, pid_file: &Path) -> Result<(), EmbeddedError> {
        if self.ready_within(ORDINARY_START, pid_file)? {
            return Ok(());
        }
        tracing::info!(log = %self.log.path().display(), "PostgreSQL needs longer to start: it recovers from a crash");
        if self.ready_within(RECOVERY_PATIENCE, pid_file)? {
            return Ok(());
        }
        Err(EmbeddedError::NotReady {
            waited_seconds: (ORDINARY_START + RECOVERY_PATIENCE).as_secs(),
            log: self.log.path().to_owned(),
            log_tail: self.log.tail(),
        })
    }

    fn ready_within(&mut self, patience: Duration, pid_file: &Path) -> Result<bool, EmbeddedError> {
        let pid = self.child.id().to_string();
        let ready = wait_for(patience, || {
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

    /// Completes when PostgreSQL ends without [`Postmaster::stop`].
    pub fn died(&self) -> impl Future<Output = EmbeddedError> + Send + use<> {
        let (mut died, log) = (self.died.clone(), Arc::clone(&self.log));
        async move {
            let status = died.wait_for(Option::is_some).await.ok().and_then(|status| status.clone());
            // The watcher goes without a word when PostgreSQL was stopped as it should be.
            let Some(status) = status else { return std::future::pending().await };
            EmbeddedError::Died { status, log: log.path().to_owned(), log_tail: log.tail() }
        }
    }

    /// Ends PostgreSQL and waits for its end.
    pub fn stop(&mut self) -> Result<(), EmbeddedError> {
        if let Some(status) = self.exit_status()? {
            let log = self.log.path().to_owned();
            return Err(EmbeddedError::Died { status: status.to_string(), log, log_tail: self.log.tail() });
        }
        self.stopping.store(true, Ordering::SeqCst);
        for (signal, patience) in STOP_STEPS {
            // The number is still its own: only exit_status() collects the child.
            let _ = kill(pid_of(&self.child), signal);
            let Some(status) = wait_for(patience, || self.exit_status())? else {
                tracing::warn!(signal = signal.as_str(), ?patience, "PostgreSQL does not end");
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

/// Whether `postmaster.pid` is that of our process and its status is `ready`.
fn says_ready(postmaster_pid: &str, pid: &str) -> bool {
    let line = |number| postmaster_pid.lines().nth(number).map(str::trim);
    line(PID_LINE) == Some(pid) && line(STATUS_LINE) == Some("ready")
}

/// Starts the process in a thread that then waits for its end.
///
/// The kernel stops PostgreSQL when the *thread* that started it ends, so that thread must be one that stays. It
/// leaves the ended process to [`Postmaster`] to collect: until then its number stays its own, and a signal cannot
/// reach another process.
fn spawn_and_watch(
    command: Command,
    account: Account,
    cluster_lock: File,
    stopping: Arc<AtomicBool>,
    died: watch::Sender<Option<String>>,
) -> io::Result<Child> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::Builder::new().name("postgres-watcher".to_owned()).spawn(move || {
        let spawned = spawn::spawn(command, account, Some(&cluster_lock));
        drop(cluster_lock);
        let pid = spawned.as_ref().ok().map(pid_of);
        // The receiver waits below.
        let _ = sender.send(spawned);
        let Some(pid) = pid else { return };
        let ended = wait_for_the_end(pid);
        if !stopping.load(Ordering::SeqCst) {
            died.send_replace(Some(ended));
        }
    })?;
    receiver.recv().map_err(io::Error::other)?
}

/// How the process ended, once it has.
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
    fn ready_is_what_our_own_process_says() {
        assert!(says_ready(&format!("{PID_FILE}ready   \n"), "4711"));
        assert!(!says_ready(&format!("{PID_FILE}starting\n"), "4711"));
        assert!(!says_ready(&format!("{PID_FILE}ready   \n"), "4712"));
        assert!(!says_ready(PID_FILE, "4711"));
        assert!(!says_ready("", "4711"));
    }
}
