//! The private PostgreSQL that the server starts and owns when no `DATABASE_URL` is given.
//!
//! It lives in the data folder, listens on a Unix socket in a folder that only its user may enter,
//! never loses an acknowledged commit, and ends with the server however the server ends.
//!
//! What lies in the data folder:
//!
//! | name | what |
//! |---|---|
//! | `pg/` | the cluster, owned by the database's user |
//! | `pg.new/` | a cluster in the making; renamed to `pg` once it is whole |
//! | `sock/` | the folder of the Unix socket, mode 0700: entering it is the access control |
//! | `server.lock` | held by the one server that may use this folder |
//! | `pg.lock` | held by every process of the cluster, through an inherited descriptor |
//! | `pg.log`, `pg.log.1` | what PostgreSQL has to say |
//!
//! Linux only: it leans on `prctl(2)` and on `/proc`.

mod account;
mod cancel;
mod cluster;
mod data_folder;
mod error;
mod locks;
mod memory;
mod polling;
mod postmaster;
mod programs;
mod roles;
mod server_log;
mod settings;
mod socket;
mod spawn;
mod supervisor;

use std::fs::File;
use std::path::{Path, PathBuf};

pub use account::DEFAULT_USER;
pub use cancel::Cancel;
pub use error::EmbeddedError;
pub use postmaster::STOP_SECONDS;
pub use roles::{APP_DATABASE, APP_ROLE, SUPERUSER};
pub use server_log::MAX_LOG_BYTES;
pub use settings::MAX_CONNECTIONS;
pub use supervisor::{EmbeddedState, EmbeddedStatus, FIRST_RESTART_DELAY, MAX_RESTART_DELAY};

use account::DatabaseUser;
use data_folder::DataFolder;
use programs::Programs;
use socket::SocketFolder;
use supervisor::{Cluster, Supervisor};

/// Where the embedded database lives and which programs run it.
#[derive(Clone, Debug)]
pub struct EmbeddedSettings {
    /// The server's data folder; made when it is missing.
    pub data_dir: PathBuf,
    /// The folder of `postgres` and `initdb` (`PG_BINDIR`); looked for in the usual places when `None`.
    pub programs_dir: Option<PathBuf>,
    /// Who runs PostgreSQL for root, instead of [`DEFAULT_USER`]. A database that exists keeps its owner.
    pub user: Option<String>,
}

impl EmbeddedSettings {
    /// The usual settings for that data folder.
    #[must_use]
    pub fn in_folder(data_dir: impl Into<PathBuf>) -> Self {
        Self { data_dir: data_dir.into(), programs_dir: None, user: None }
    }

    /// The connection string of the database that another process has started in this data folder.
    ///
    /// # Errors
    /// The data folder cannot be used.
    pub fn url_of_running(&self) -> Result<String, EmbeddedError> {
        let folder = DataFolder::open(&self.data_dir)?;
        let user = DatabaseUser::choose(&folder, self.user.as_deref())?;
        let socket = SocketFolder::prepare(&folder, user.as_ref())?;
        Ok(socket.connection_string(APP_ROLE, APP_DATABASE))
    }
}

/// A running PostgreSQL and the lock on its data folder. If it ends by itself it is started again. Dropping this stops
/// PostgreSQL as [`Embedded::stop`] does, but can only log what goes wrong.
#[derive(Debug)]
pub struct Embedded {
    supervisor: Supervisor,
    socket: SocketFolder,
    url: String,
    /// Released last: fields drop in order, so PostgreSQL has ended by then.
    _server_lock: File,
}

impl Embedded {
    /// Starts PostgreSQL, making its cluster, role and database where they are missing, and returns once it
    /// accepts connections. A crash before is recovered from here.
    ///
    /// Call it where blocking is allowed: it takes a second or, after a crash, many.
    ///
    /// # Errors
    /// See [`EmbeddedError`]; each message says what to do.
    pub fn start(settings: &EmbeddedSettings) -> Result<Self, EmbeddedError> {
        Self::start_unless(settings, &Cancel::default())
    }

    /// The same, given up once `cancel` is set.
    ///
    /// # Errors
    /// As [`Embedded::start`], and [`EmbeddedError::Cancelled`].
    pub fn start_unless(settings: &EmbeddedSettings, cancel: &Cancel) -> Result<Self, EmbeddedError> {
        let folder = DataFolder::open(&settings.data_dir)?;
        let server_lock = locks::lock_for_this_server(&folder, cancel)?;
        let user = DatabaseUser::choose(&folder, settings.user.as_deref())?;
        let socket = SocketFolder::prepare(&folder, user.as_ref())?;
        if !folder.has_cluster() {
            let programs = Programs::find(settings.programs_dir.as_deref(), &folder)?;
            let account = account::choose(user.as_ref(), &programs, &[folder.path(), socket.path()])?;
            let cluster_lock = locks::lock_for_the_cluster(&folder, cancel)?;
            cluster::create(&folder, &programs, user.as_ref(), account, &cluster_lock)?;
        }
        let arguments = settings::arguments(&folder.cluster(), socket.path());
        let (data_dir, url) = (folder.path().to_owned(), socket.connection_string(APP_ROLE, APP_DATABASE));
        let cluster = Cluster {
            settings: settings.clone(),
            folder,
            user,
            socket: socket.clone(),
            arguments,
            cancel: cancel.clone(),
        };
        let supervisor = Supervisor::start(cluster)?;
        roles::set_up(&socket)?;
        tracing::info!(data_dir = %data_dir.display(), "embedded PostgreSQL is ready");
        Ok(Self { supervisor, socket, url, _server_lock: server_lock })
    }

    /// The connection string (key/value form) of the server's own role and database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection string for another role or database: maintenance and tests that make databases of
    /// their own connect as [`SUPERUSER`].
    #[must_use]
    pub fn url_for(&self, role: &str, database: &str) -> String {
        self.socket.connection_string(role, database)
    }

    /// The folder of the Unix socket, as in `psql -h FOLDER -U app pippost`.
    #[must_use]
    pub fn socket_dir(&self) -> &Path {
        self.socket.path()
    }

    /// Tells how PostgreSQL fares from now on.
    #[must_use]
    pub fn status(&self) -> EmbeddedStatus {
        self.supervisor.status()
    }

    /// Stops PostgreSQL: fast and clean, by force if that takes too long. Drop all connections first.
    ///
    /// # Errors
    /// [`EmbeddedError::StoppedByForce`] if it did not end cleanly within [`STOP_SECONDS`]. No acknowledged commit is
    /// lost. One that had ended and could not be started again needs no stop.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        self.supervisor.stop()?;
        self.socket.remove_if_temporary();
        tracing::info!("embedded PostgreSQL has stopped");
        Ok(())
    }
}
