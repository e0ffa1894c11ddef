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
//! | `guests.lock` | who may write games: the server alone, or others too ([`crate::store::guests`]) |
//! | `pg.log`, `pg.log.1` | what PostgreSQL has to say |
//!
//! Linux only: it leans on `prctl(2)` and on `/proc`.

mod account;
mod cluster;
mod data_folder;
mod error;
mod locks;
mod memory;
mod patience;
mod postmaster;
mod programs;
mod roles;
mod server_log;
mod settings;
mod socket;
mod spawn;

use std::fs::File;
use std::future::Future;
use std::path::{Path, PathBuf};

pub use error::EmbeddedError;
pub use roles::{APP_DATABASE, APP_ROLE, SUPERUSER};
pub use settings::MAX_CONNECTIONS;

use account::DatabaseUser;
use data_folder::DataFolder;
use postmaster::Postmaster;
use programs::Programs;
use server_log::ServerLog;
use socket::SocketFolder;

/// Where the embedded database lives and which programs run it.
#[derive(Clone, Debug)]
pub struct EmbeddedSettings {
    /// The server's data folder; made when it is missing.
    pub data_dir: PathBuf,
    /// The folder of `postgres` and `initdb` (`PG_BINDIR`); looked for in the usual places when `None`.
    pub programs_dir: Option<PathBuf>,
}

impl EmbeddedSettings {
    /// The connection string of the database that another process has started in this data folder.
    ///
    /// # Errors
    /// The data folder cannot be used.
    pub fn url_of_running(&self) -> Result<String, EmbeddedError> {
        let folder = DataFolder::open(&self.data_dir)?;
        let user = DatabaseUser::choose(&folder)?;
        let socket = SocketFolder::prepare(&folder, user.as_ref())?;
        Ok(socket.connection_string(APP_ROLE, APP_DATABASE))
    }
}

/// A running PostgreSQL and the lock on its data folder. Dropping it stops PostgreSQL as [`Embedded::stop`]
/// does, but can only log what goes wrong.
#[derive(Debug)]
pub struct Embedded {
    postmaster: Postmaster,
    socket: SocketFolder,
    url: String,
    /// Released last: fields drop in order, so PostgreSQL has ended by then.
    _server_lock: File,
}

impl Embedded {
    /// Starts PostgreSQL, making its cluster, role and database where they are missing, and returns once it
    /// accepts connections. A crash before is recovered from here.
    ///
    /// Call it before any async runtime starts, or where blocking is allowed: it takes a second or, after a crash,
    /// many.
    ///
    /// # Errors
    /// See [`EmbeddedError`]; each message says what to do.
    pub fn start(settings: &EmbeddedSettings) -> Result<Self, EmbeddedError> {
        let folder = DataFolder::open(&settings.data_dir)?;
        let server_lock = locks::lock_for_this_server(&folder)?;
        let user = DatabaseUser::choose(&folder)?;
        let programs = Programs::find(settings.programs_dir.as_deref(), &folder)?;
        let socket = SocketFolder::prepare(&folder, user.as_ref())?;
        let account = account::choose(user.as_ref(), &programs, &[folder.path(), socket.path()])?;

        let cluster_lock = locks::lock_for_the_cluster(&folder)?;
        locks::remove_stale_lock_files(&folder, &socket)?;
        if !folder.has_cluster() {
            cluster::create(&folder, &programs, user.as_ref(), account, &cluster_lock)?;
        }
        memory::warn_when_short();
        let log = ServerLog::open(folder.server_log())?;
        let guests = locks::prepare_for_guests(&folder)?;
        let arguments = settings::arguments(&folder.cluster(), socket.path(), guests.as_deref());
        let postmaster = Postmaster::start(&programs, account, &folder, &arguments, log, cluster_lock)?;
        roles::set_up(&socket)?;
        tracing::info!(version = %programs.version, data_dir = %folder.path().display(), "embedded PostgreSQL is ready");
        let url = socket.connection_string(APP_ROLE, APP_DATABASE);
        Ok(Self { postmaster, socket, url, _server_lock: server_lock })
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

    /// Waits until PostgreSQL ends without [`Embedded::stop`]; the server cannot go on then and should end
    /// with the error that comes back. Works in any async runtime and never completes after a stop.
    pub fn died(&self) -> impl Future<Output = EmbeddedError> + Send + use<> {
        self.postmaster.died()
    }

    /// Stops PostgreSQL: fast and clean, by force if that takes too long. Drop all connections first.
    ///
    /// # Errors
    /// [`EmbeddedError::Died`] if it had ended before, [`EmbeddedError::StoppedByForce`] if it did not end
    /// cleanly in time. No acknowledged commit is lost either way.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        self.postmaster.stop()?;
        self.socket.remove_if_temporary();
        tracing::info!("embedded PostgreSQL has stopped");
        Ok(())
    }
}
