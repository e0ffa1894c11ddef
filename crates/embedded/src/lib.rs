//! The private PostgreSQL that the server starts and owns when no `DATABASE_URL` is given.
//!
//! It lives in the data folder, listens on a Unix socket in a folder that only its user may enter, never loses an acknowledged
//! commit, and ends with the server, even if the server is killed.
//!
//! The contents of the data folder:
//!
//! | name | what |
//! |---|---|
//! | `pg/` | the cluster, owned by the database's user |
//! | `pg.new/` | a cluster that is being created; renamed to `pg` once it is complete |
//! | `sock/` | the folder of the Unix socket, mode 0700 |
//! | `pg_hba.conf`, `pg_ident.conf` | who may connect by the socket: root, the server's user and the database's |
//! | `server.lock` | held by the one server that may use this folder |
//! | `pg.lock` | held by every process of the cluster, through an inherited descriptor |
//! | `pg.log`, `pg.log.1` | PostgreSQL's log |
//!
//! Linux only: it depends on `prctl(2)` and `/proc`.

mod access;
mod account;
mod cancel;
mod cluster;
mod copies;
mod data_folder;
mod error;
mod locks;
mod memory;
mod polling;
mod postmaster;
mod programs;
mod restore;
mod roles;
mod server_log;
mod settings;
mod socket;
mod spawn;
mod supervisor;
mod wal_files;

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

pub use account::DEFAULT_USER;
pub use cancel::Cancel;
pub use copies::{Copier, SLOT, Source};
pub use error::EmbeddedError;
pub use postmaster::STOP_SECONDS;
pub use restore::{Restored, restore};
pub use roles::{APP_DATABASE, APP_ROLE, SUPERUSER};
pub use server_log::MAX_LOG_BYTES;
pub use settings::MAX_CONNECTIONS;
pub use supervisor::{EmbeddedState, EmbeddedStatus, FIRST_RESTART_DELAY, MAX_RESTART_DELAY};
pub use wal_files::first_segment;

use account::DatabaseUser;
use data_folder::DataFolder;
use programs::Programs;
use socket::SocketFolder;
use supervisor::{Cluster, Supervisor};

/// Where the embedded database lives and which programs run it.
#[derive(Clone, Debug)]
pub struct EmbeddedSettings {
    /// The server's data folder; created if it is missing.
    pub data_dir: PathBuf,
    /// The folder of `postgres` and `initdb` (`PG_BINDIR`); `None` searches the usual places.
    pub programs_dir: Option<PathBuf>,
    /// The user that runs PostgreSQL if root starts the server, instead of [`DEFAULT_USER`]. An existing database keeps its
    /// owner.
    pub user: Option<String>,
    /// Whether commits survive a crash of the machine. Only a database that may be lost, such as one of tests, is not durable.
    pub durable: bool,
}

impl EmbeddedSettings {
    /// The default settings for that data folder.
    #[must_use]
    pub fn in_folder(data_dir: impl Into<PathBuf>) -> Self {
        Self { data_dir: data_dir.into(), programs_dir: None, user: None, durable: true }
    }

    /// The connection string of a database that another process has started in this data folder.
    ///
    /// # Errors
    /// The data folder cannot be used.
    pub fn url_of_running(&self) -> Result<String, EmbeddedError> {
        let folder = DataFolder::open(&self.data_dir)?;
        Ok(self.socket(&folder)?.connection_string(APP_ROLE, APP_DATABASE))
    }

    /// The same, if such a database takes connections at this moment. One that starts or ends does not.
    ///
    /// # Errors
    /// The data folder cannot be used.
    pub fn url_if_ready(&self) -> Result<Option<String>, EmbeddedError> {
        let folder = DataFolder::open(&self.data_dir)?;
        if !locks::is_served(&folder)? {
            return Ok(None);
        }
        let socket = self.socket(&folder)?;
        Ok(roles::is_ready(&socket).then(|| socket.connection_string(APP_ROLE, APP_DATABASE)))
    }

    fn socket(&self, folder: &DataFolder) -> Result<SocketFolder, EmbeddedError> {
        let user = DatabaseUser::choose(folder, self.user.as_deref())?;
        SocketFolder::prepare(folder, user.as_ref())
    }
}

/// A running PostgreSQL and the lock on its data folder. If PostgreSQL ends by itself, it is started again. Dropping this stops
/// PostgreSQL as [`Embedded::stop`] does, but can only log errors.
#[derive(Debug)]
pub struct Embedded {
    supervisor: Supervisor,
    socket: SocketFolder,
    url: String,
    /// Released last: fields drop in order, so PostgreSQL has ended by then.
    _server_lock: File,
}

impl Embedded {
    /// Starts PostgreSQL, creates its cluster, role and database if they are missing, and returns once it accepts connections.
    /// It recovers from an earlier crash.
    ///
    /// This blocks for a second, or much longer after a crash.
    ///
    /// # Errors
    /// See [`EmbeddedError`]; each message says what to do.
    pub fn start(settings: &EmbeddedSettings) -> Result<Self, EmbeddedError> {
        Self::start_unless(settings, &Cancel::default())
    }

    /// Like [`Embedded::start`], but gives up once `cancel` is set.
    ///
    /// # Errors
    /// As [`Embedded::start`], and [`EmbeddedError::Cancelled`].
    pub fn start_unless(settings: &EmbeddedSettings, cancel: &Cancel) -> Result<Self, EmbeddedError> {
        Self::start_with(settings, cancel, &[], |_| Ok(()))
    }

    /// Starts PostgreSQL with further arguments; `adopt` is called before the role and the database are looked at.
    fn start_with(
        settings: &EmbeddedSettings,
        cancel: &Cancel,
        further: &[OsString],
        adopt: impl FnOnce(&SocketFolder) -> Result<(), EmbeddedError>,
    ) -> Result<Self, EmbeddedError> {
        let folder = DataFolder::open(&settings.data_dir)?;
        let server_lock = locks::lock_for_this_server(&folder, cancel)?;
        let user = DatabaseUser::choose(&folder, settings.user.as_deref())?;
        let socket = SocketFolder::prepare(&folder, user.as_ref())?;
        if !folder.has_cluster() {
            let programs = Programs::find(settings.programs_dir.as_deref(), &folder)?;
            let account = account::choose(user.as_ref(), &programs, &[folder.path(), socket.path()])?;
            let cluster_lock = locks::lock_for_the_cluster(&folder, cancel)?;
            cluster::create(&folder, &programs, user.as_ref(), account, &cluster_lock, settings.durable)?;
        }
        let mut arguments = settings::arguments(&folder.cluster(), socket.path(), settings.durable);
        arguments.extend(access::prepare(&folder, user.as_ref())?);
        arguments.extend_from_slice(further);
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
        adopt(&socket)?;
        roles::set_up(&socket)?;
        tracing::info!(data_dir = %data_dir.display(), "embedded PostgreSQL is ready");
        Ok(Self { supervisor, socket, url, _server_lock: server_lock })
    }

    /// The connection string (key/value form) of the server's own role and database.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection string for another role or database. Maintenance and tests that create databases connect as [`SUPERUSER`].
    #[must_use]
    pub fn url_for(&self, role: &str, database: &str) -> String {
        self.socket.connection_string(role, database)
    }

    /// The folder of the Unix socket, as in `psql -h FOLDER -U app pippost`.
    #[must_use]
    pub fn socket_dir(&self) -> &Path {
        self.socket.path()
    }

    /// Reports PostgreSQL's state from now on.
    #[must_use]
    pub fn status(&self) -> EmbeddedStatus {
        self.supervisor.status()
    }

    /// Stops PostgreSQL with a fast shutdown, or by force if that takes too long. Drop all connections first.
    ///
    /// # Errors
    /// [`EmbeddedError::StoppedByForce`] if it did not end cleanly within [`STOP_SECONDS`]. No acknowledged commit is lost. If
    /// PostgreSQL has ended and could not be started again, nothing needs to stop.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        self.supervisor.stop()?;
        self.socket.remove_if_temporary();
        tracing::info!("embedded PostgreSQL has stopped");
        Ok(())
    }
}
