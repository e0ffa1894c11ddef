//! What can keep the embedded database from running, in words for the person who started the server.

use std::io;
use std::path::{Path, PathBuf};

use super::programs::MIN_MAJOR;

/// Why the embedded database could not start, or did not stay.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// A file or folder could not be used.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No usual place has PostgreSQL's programs.
    #[error(
        "PostgreSQL's programs `postgres` and `initdb` were not found (looked in {looked_in}). Install them \
         (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server), or set PG_BINDIR \
         to their folder, or set DATABASE_URL to use another PostgreSQL"
    )]
    ProgramsMissing {
        /// The folders that were searched, for people.
        looked_in: String,
    },
    /// `PG_BINDIR` names a folder without them.
    #[error("{} does not hold PostgreSQL's programs `postgres` and `initdb`; correct or unset PG_BINDIR", folder.display())]
    NoProgramsIn {
        /// The folder that was named.
        folder: PathBuf,
    },
    /// The programs are older than anything tested.
    #[error(
        "PostgreSQL {MIN_MAJOR} or newer is needed, but only {found} was found; set PG_BINDIR to a newer one's folder"
    )]
    ProgramsTooOld {
        /// The versions that were found.
        found: String,
    },
    /// The cluster was made by another major version.
    #[error(
        "the database in {} needs PostgreSQL {needed}, but found {found}. Install PostgreSQL {needed} beside it, or \
         dump the database with version {needed} (pg_dump), move that folder away, and restore into a new one", cluster.display()
    )]
    WrongMajor {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The major version that made it.
        needed: u32,
        /// The versions that were found.
        found: String,
    },
    /// Another server holds the data folder.
    #[error("another server already runs on {}; stop it, or choose another data folder", data_dir.display())]
    AlreadyRunning {
        /// The data folder.
        data_dir: PathBuf,
    },
    /// Processes of an earlier PostgreSQL do not end.
    #[error(
        "processes of an earlier PostgreSQL still use {} after {waited_seconds} seconds; end them (fuser -v {} lists them)",
        cluster.display(), lock.display()
    )]
    OldProcessesRemain {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The lock that they hold.
        lock: PathBuf,
        /// How long was waited.
        waited_seconds: u64,
    },
    /// Started as root, which PostgreSQL refuses, and there is nobody to run it as. A user that other programs share
    /// could read and change all that the database holds, so none is taken.
    #[error(
        "PostgreSQL does not run as root, and there is no user `{user}` to run it as. Make it (useradd --system \
         --no-create-home --shell /usr/sbin/nologin {user}), or name a user of its own in PIPPOST_DATABASE_USER"
    )]
    NoDatabaseUser {
        /// The user that was looked for.
        user: String,
    },
    /// The user that was named is not one for the database alone.
    #[error(
        "PostgreSQL cannot run as `{user}`, {why}; name a user of its own in PIPPOST_DATABASE_USER (useradd --system \
         --no-create-home --shell /usr/sbin/nologin pippost makes one)"
    )]
    UnfitDatabaseUser {
        /// The user that was named.
        user: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The cluster belongs to root, as whom PostgreSQL refuses to run.
    #[error("{} belongs to root, but PostgreSQL does not run as root; give it to another user (chown -R postgres)", cluster.display())]
    ClusterOfRoot {
        /// The cluster's folder.
        cluster: PathBuf,
    },
    /// The cluster belongs to somebody else, and we are not root.
    #[error("{} belongs to {owner}; start the server as that user or as root", cluster.display())]
    ClusterOfAnother {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The owner's name or number.
        owner: String,
    },
    /// The socket's folder exists already and is not safe to use.
    #[error("{} is not a private folder of the database's user; remove it, or choose a data folder with a shorter path", folder.display())]
    UnsafeSocketFolder {
        /// The folder of the socket.
        folder: PathBuf,
    },
    /// No path for the socket fits.
    #[error("{} is too long a path for a Unix socket; choose a data folder (DATA_DIR) or temporary folder (TMPDIR) with a shorter one", folder.display())]
    SocketPathTooLong {
        /// The folder of the socket.
        folder: PathBuf,
    },
    /// The database's user can neither enter the folder nor be given the right to.
    #[error(
        "the user `{user}`, who runs PostgreSQL, cannot enter {} ({source}); choose a data folder that this user can \
         reach, such as one under /var/lib", folder.display()
    )]
    CannotEnter {
        /// Who runs PostgreSQL.
        user: String,
        /// Where it cannot go.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cluster could not be made.
    #[error("initdb could not make the database in {}:\n{output}", cluster.display())]
    Initdb {
        /// The folder that was to become the cluster.
        cluster: PathBuf,
        /// What initdb said.
        output: String,
    },
    /// PostgreSQL ended instead of becoming ready.
    #[error("PostgreSQL did not start ({status}). The end of {}:\n{log_tail}", log.display())]
    DidNotStart {
        /// Exit status or signal.
        status: String,
        /// Its log.
        log: PathBuf,
        /// The last lines of it.
        log_tail: String,
    },
    /// PostgreSQL lives but does not become ready.
    #[error("PostgreSQL was not ready after {waited_seconds} seconds. The end of {}:\n{log_tail}", log.display())]
    NotReady {
        /// How long was waited.
        waited_seconds: u64,
        /// Its log.
        log: PathBuf,
        /// The last lines of it.
        log_tail: String,
    },
    /// The role and the database could not be made.
    #[error("cannot set up the embedded database's role and database: {}", with_cause(.0))]
    SetUp(#[from] postgres::Error),
    /// The cluster was there at the start of the server and is not there any more.
    #[error("the database in {} is gone; no new one is made while the server runs", cluster.display())]
    ClusterGone {
        /// Where it was.
        cluster: PathBuf,
    },
    /// The start was given up, because the server is to stop.
    #[error("the start of PostgreSQL was given up, because the server stops")]
    Cancelled,
    /// PostgreSQL ended by itself.
    #[error("the embedded PostgreSQL ended by itself ({status}). The end of {}:\n{log_tail}", log.display())]
    Died {
        /// Exit status or signal.
        status: String,
        /// Its log.
        log: PathBuf,
        /// The last lines of it.
        log_tail: String,
    },
    /// PostgreSQL had to be ended the hard way; it recovers at the next start.
    #[error(
        "PostgreSQL did not stop cleanly (needed {signal}, ended with {status}); it will recover at the next start"
    )]
    StoppedByForce {
        /// The last signal that was sent.
        signal: &'static str,
        /// Exit status or signal.
        status: String,
    },
}

impl EmbeddedError {
    /// For `map_err`: `file.sync_all().map_err(EmbeddedError::io("write", &path))`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

/// `postgres::Error` says "db error" alone; the words of the database are its source.
fn with_cause(error: &postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
