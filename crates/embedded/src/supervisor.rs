//! The thread that keeps PostgreSQL running. It restarts a process that ends by itself, with growing delays while that fails.

use std::ffi::OsString;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::account::{self, DatabaseUser};
use super::cancel::Cancel;
use super::data_folder::DataFolder;
use super::postmaster::{Ended, Launch, Postmaster};
use super::programs::Programs;
use super::server_log::ServerLog;
use super::socket::SocketFolder;
use super::{EmbeddedError, EmbeddedSettings, locks, memory};

/// The first delay before PostgreSQL is started again. Each further delay is twice as long, up to [`MAX_RESTART_DELAY`].
pub const FIRST_RESTART_DELAY: Duration = Duration::from_millis(100);

/// The longest delay before PostgreSQL is started again.
pub const MAX_RESTART_DELAY: Duration = Duration::from_secs(30);

/// A PostgreSQL that has run for this long is restarted without delay; after a shorter run the delays keep growing.
const STEADY_AFTER: Duration = Duration::from_mins(1);

/// The state of the embedded PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddedState {
    /// It accepts connections, as far as the supervisor knows.
    Running,
    /// It has ended by itself and is being started again.
    Restarting {
        /// The number of attempts so far.
        attempts: u32,
    },
}

/// What the supervisor reports. Cheap to clone.
#[derive(Clone, Debug)]
pub struct EmbeddedStatus(watch::Receiver<Report>);

#[derive(Clone, Copy, Debug)]
struct Report {
    state: EmbeddedState,
    restarts: u64,
}

impl EmbeddedStatus {
    /// The current state.
    #[must_use]
    pub fn state(&self) -> EmbeddedState {
        self.0.borrow().state
    }

    /// The number of successful restarts.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.0.borrow().restarts
    }
}

/// What the supervisor's thread receives.
#[derive(Debug)]
enum Event {
    Ended(Ended),
    Stop,
}

/// The parameters of every start of the cluster.
#[derive(Debug)]
pub(super) struct Cluster {
    pub settings: EmbeddedSettings,
    pub folder: DataFolder,
    pub user: Option<DatabaseUser>,
    pub socket: SocketFolder,
    pub arguments: Vec<OsString>,
    pub cancel: Cancel,
}

impl Cluster {
    /// Starts PostgreSQL on the existing cluster, once no process of an earlier one is left. The programs are searched for
    /// again, because an upgrade of the system may have moved them.
    fn start(&self, events: &Sender<Event>) -> Result<Postmaster, EmbeddedError> {
        self.cancel.check()?;
        if !self.folder.has_cluster() {
            return Err(EmbeddedError::ClusterGone { cluster: self.folder.cluster() });
        }
        let programs = Programs::find(self.settings.programs_dir.as_deref(), &self.folder)?;
        let entered = [self.folder.path(), self.socket.path()];
        let account = account::choose(self.user.as_ref(), &programs, &entered)?;
        let cluster_lock = locks::lock_for_the_cluster(&self.folder, &self.cancel)?;
        locks::remove_stale_lock_files(&self.folder, &self.socket)?;
        memory::warn_when_short();
        let log = ServerLog::open(self.folder.server_log())?;
        let launch = Launch {
            programs: &programs,
            account,
            folder: &self.folder,
            arguments: &self.arguments,
            cancel: &self.cancel,
        };
        tracing::info!(version = %programs.version, "starting PostgreSQL");
        let events = events.clone();
        // If the supervisor has ended, nobody needs the event.
        let ended = move |ended| drop(events.send(Event::Ended(ended)));
        Postmaster::start(&launch, log, cluster_lock, ended)
    }
}

/// A handle to the thread. Dropping it stops PostgreSQL.
#[derive(Debug)]
pub(super) struct Supervisor {
    events: Sender<Event>,
    cancel: Cancel,
    status: EmbeddedStatus,
    thread: Option<JoinHandle<Result<(), EmbeddedError>>>,
}

impl Supervisor {
    /// Starts PostgreSQL and the thread that keeps it running.
    pub fn start(cluster: Cluster) -> Result<Self, EmbeddedError> {
        let (events, heard) = mpsc::channel();
        let postmaster = cluster.start(&events)?;
        let (reports, status) = watch::channel(Report { state: EmbeddedState::Running, restarts: 0 });
        let cancel = cluster.cancel.clone();
        let supervision =
            Supervision { cluster, events: events.clone(), heard, reports, delay: FIRST_RESTART_DELAY };
        let thread = thread::Builder::new().name("postgres-supervisor".to_owned());
        let folder = supervision.cluster.folder.path().to_owned();
        let thread = thread
            .spawn(move || supervision.run(postmaster))
            .map_err(EmbeddedError::io("start a thread for", &folder))?;
        Ok(Self { events, cancel, status: EmbeddedStatus(status), thread: Some(thread) })
    }

    pub fn status(&self) -> EmbeddedStatus {
        self.status.clone()
    }

    /// Stops PostgreSQL, or stops the attempts to restart it; waits for the end.
    pub fn stop(&mut self) -> Result<(), EmbeddedError> {
        let Some(thread) = self.thread.take() else { return Ok(()) };
        self.cancel.set();
        // A thread that has ended receives nothing.
        let _heard = self.events.send(Event::Stop);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            tracing::error!(%error, "stopping the embedded PostgreSQL");
        }
    }
}

/// The state of the thread.
struct Supervision {
    cluster: Cluster,
    events: Sender<Event>,
    heard: Receiver<Event>,
    reports: watch::Sender<Report>,
    /// The delay before the next start.
    delay: Duration,
}

impl Supervision {
    fn run(mut self, mut postmaster: Postmaster) -> Result<(), EmbeddedError> {
        loop {
            let since = Instant::now();
            let Some(status) = self.end_of(postmaster.pid()) else { return postmaster.stop() };
            tracing::error!(error = %postmaster.died(&status), "PostgreSQL is started again");
            // Collects the process that has ended.
            drop(postmaster);
            if since.elapsed() >= STEADY_AFTER {
                self.delay = FIRST_RESTART_DELAY;
            }
            match self.start_again() {
                Some(running) => postmaster = running,
                None => return Ok(()),
            }
        }
    }

    /// Waits for the process to end and says how it ended; `None` if PostgreSQL is to be stopped.
    fn end_of(&self, pid: u32) -> Option<String> {
        loop {
            match self.heard.recv() {
                Ok(Event::Ended(ended)) if ended.pid == pid => return Some(ended.status),
                // The end of a start that failed.
                Ok(Event::Ended(_)) => {}
                Ok(Event::Stop) | Err(_) => return None,
            }
        }
    }

    /// Retries until PostgreSQL runs; `None` if it is to be stopped.
    fn start_again(&mut self) -> Option<Postmaster> {
        for attempts in 0_u32.. {
            self.report(EmbeddedState::Restarting { attempts });
            if self.stopped_within(self.delay) {
                return None;
            }
            self.delay = (self.delay * 2).min(MAX_RESTART_DELAY);
            match self.cluster.start(&self.events) {
                Ok(postmaster) => {
                    self.reports.send_modify(|report| report.restarts += 1);
                    self.report(EmbeddedState::Running);
                    tracing::warn!(attempts = attempts + 1, "PostgreSQL runs again");
                    return Some(postmaster);
                }
                Err(EmbeddedError::Cancelled) => return None,
                Err(error) => {
                    let next_seconds = self.delay.as_secs_f32();
                    tracing::error!(%error, attempts = attempts + 1, next_seconds, "PostgreSQL could not be started again");
                }
            }
        }
        None
    }

    /// Waits; true if the thread is told to stop meanwhile.
    fn stopped_within(&self, delay: Duration) -> bool {
        let deadline = Instant::now() + delay;
        loop {
            match self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Ended(_)) => {}
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    fn report(&self, state: EmbeddedState) {
        self.reports.send_modify(|report| report.state = state);
    }
}
