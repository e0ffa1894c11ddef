//! The reasons why the embedded database does not run, worded for the person who started the server.

use std::io;
use std::path::{Path, PathBuf};

use super::programs::MIN_MAJOR;

/// Why the embedded database could not start or keep running.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// A file or folder could not be used.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// PostgreSQL's programs are in none of the usual places.
    #[error(
        "PostgreSQL's programs `postgres` and `initdb` were not found (looked in {looked_in}). Install them \
         (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server), or set PG_BINDIR \
         to their folder, or set DATABASE_URL to use another PostgreSQL"
    )]
    ProgramsMissing {
        /// The folders that were searched, as text.
        looked_in: String,
    },
    /// `PG_BINDIR` names a folder without the programs.
    #[error("{} does not hold PostgreSQL's programs `postgres` and `initdb`; correct or unset PG_BINDIR", folder.display())]
    NoProgramsIn {
        /// The folder that was named.
        folder: PathBuf,
    },
    /// The programs are older than the oldest tested version.
    #[error(
        "PostgreSQL {MIN_MAJOR} or newer is needed, but only {found} was found; set PG_BINDIR to a newer one's folder"
    )]
    ProgramsTooOld {
        /// The versions that were found.
        found: String,
    },
    /// The cluster was created by another major version.
    #[error(
        "the database in {} needs PostgreSQL {needed}, but found {found}. Install PostgreSQL {needed} beside it, or \
         dump the database with version {needed} (pg_dump), move that folder away, and restore into a new one", cluster.display()
    )]
    WrongMajor {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The major version that created it.
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
    /// Processes of an earlier PostgreSQL are still running.
    #[error(
        "processes of an earlier PostgreSQL still use {} after {waited_seconds} seconds; end them (fuser -v {} lists them)",
        cluster.display(), lock.display()
    )]
    OldProcessesRemain {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The lock that they hold.
        lock: PathBuf,
        /// How long the server waited, in seconds.
        waited_seconds: u64,
    },
    /// PostgreSQL refuses to run as root, and its user does not exist. No user shared with other programs is taken instead,
    /// because they could read and change the whole database.
    #[error(
        "PostgreSQL does not run as root, and there is no user `{user}` to run it as. Make it (useradd --system \
         --no-create-home --shell /usr/sbin/nologin {user}), or name a user of its own in PIPPOST_DATABASE_USER"
    )]
    NoDatabaseUser {
        /// The name that was looked up.
        user: String,
    },
    /// The named user is not reserved for the database.
    #[error(
        "PostgreSQL cannot run as `{user}`, {why}; name a user of its own in PIPPOST_DATABASE_USER (useradd --system \
         --no-create-home --shell /usr/sbin/nologin pippost makes one)"
    )]
    UnfitDatabaseUser {
        /// The named user.
        user: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The cluster belongs to root, and PostgreSQL refuses to run as root.
    #[error("{} belongs to root, but PostgreSQL does not run as root; give it to another user (chown -R postgres)", cluster.display())]
    ClusterOfRoot {
        /// The cluster's folder.
        cluster: PathBuf,
    },
    /// The cluster belongs to another user, and the server does not run as root.
    #[error("{} belongs to {owner}; start the server as that user or as root", cluster.display())]
    ClusterOfAnother {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The owner's name or number.
        owner: String,
    },
    /// The socket's folder exists and is not safe to use.
    #[error("{} is not a private folder of the database's user; remove it, or choose a data folder with a shorter path", folder.display())]
    UnsafeSocketFolder {
        /// The folder of the socket.
        folder: PathBuf,
    },
    /// No possible path of the socket is short enough.
    #[error("{} is too long a path for a Unix socket; choose a data folder (DATA_DIR) or temporary folder (TMPDIR) with a shorter one", folder.display())]
    SocketPathTooLong {
        /// The folder of the socket.
        folder: PathBuf,
    },
    /// The database's user cannot enter the folder and cannot be given the right to.
    #[error(
        "the user `{user}`, who runs PostgreSQL, cannot enter {} ({source}); choose a data folder that this user can \
         reach, such as one under /var/lib", folder.display()
    )]
    CannotEnter {
        /// The user that runs PostgreSQL.
        user: String,
        /// The folder that it cannot enter.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The cluster could not be created.
    #[error("initdb could not make the database in {}:\n{output}", cluster.display())]
    Initdb {
        /// The folder that was to become the cluster.
        cluster: PathBuf,
        /// The output of initdb.
        output: String,
    },
    /// PostgreSQL ended instead of becoming ready.
    #[error("PostgreSQL did not start ({status}). The end of {}:\n{log_tail}", log.display())]
    DidNotStart {
        /// Exit status or signal.
        status: String,
        /// Its log.
        log: PathBuf,
        /// The log's last lines.
        log_tail: String,
    },
    /// PostgreSQL runs but does not become ready.
    #[error("PostgreSQL was not ready after {waited_seconds} seconds. The end of {}:\n{log_tail}", log.display())]
    NotReady {
        /// How long the server waited, in seconds.
        waited_seconds: u64,
        /// Its log.
        log: PathBuf,
        /// The log's last lines.
        log_tail: String,
    },
    /// The role and the database could not be created.
    #[error("cannot set up the embedded database's role and database: {}", with_cause(.0))]
    SetUp(#[from] postgres::Error),
    /// The cluster existed when the server started and has disappeared.
    #[error("the database in {} is gone; no new one is made while the server runs", cluster.display())]
    ClusterGone {
        /// Where it was.
        cluster: PathBuf,
    },
    /// The start was cancelled because the server is to stop.
    #[error("the start of PostgreSQL was given up, because the server stops")]
    Cancelled,
    /// PostgreSQL ended by itself.
    #[error("the embedded PostgreSQL ended by itself ({status}). The end of {}:\n{log_tail}", log.display())]
    Died {
        /// Exit status or signal.
        status: String,
        /// Its log.
        log: PathBuf,
        /// The log's last lines.
        log_tail: String,
    },
    /// A program that copies the database, or checks a copy, failed.
    #[error("{} failed: {said}", program.display())]
    CopyFailed {
        /// The program.
        program: PathBuf,
        /// What it said.
        said: String,
    },
    /// The data folder to restore into has a database.
    #[error("{} holds a database already; restore into an empty folder", data_dir.display())]
    FolderTaken {
        /// The data folder.
        data_dir: PathBuf,
    },
    /// The folder to restore from is no base backup.
    #[error("{} is no base backup: its file `backup_label` names no segment of the log", cluster.display())]
    NoBaseBackup {
        /// The folder.
        cluster: PathBuf,
    },
    /// A copy leads to files elsewhere.
    #[error("{} is a link, as tablespaces have them; they are not restored", path.display())]
    Tablespace {
        /// The link.
        path: PathBuf,
    },
    /// Some of the received log is missing.
    #[error(
        "the write-ahead log in {} has a gap before {at}: nothing after it can be restored. Restore a newer backup, or this \
         one alone with --without-wal", wal.display()
    )]
    WalGap {
        /// The folder of the received log.
        wal: PathBuf,
        /// The first segment after the gap.
        at: String,
    },
    /// The received log does not reach the wanted moment.
    #[error(
        "the write-ahead log that was kept ends before {until}; restore without --until, as far as it goes"
    )]
    WalEndsBefore {
        /// The wanted moment.
        until: String,
    },
    /// The database of a PostgreSQL elsewhere belongs to its superuser.
    #[error(
        "the database {database} belongs to the superuser {}, as whom the server does not run; give it and all in it to a \
         role of its own, and back it up again",
        super::roles::SUPERUSER
    )]
    OwnedBySuperuser {
        /// The database.
        database: String,
    },
    /// PostgreSQL had to be killed; it recovers at the next start.
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

/// `postgres::Error` says only "db error"; the database's message is its source.
fn with_cause(error: &postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
