//! Who may write games of a database that a server has started for itself: that server alone, or it and its guests.
//!
//! A lock file in the data folder decides, by the kernel's `flock`, which ends with its process however that ends. The server
//! holds it exclusively while it is the only one, and relies on what it remembers of games ([`Sole`]). Every other process holds
//! it shared from before it writes for as long as it can write. To come in, a guest opens the file again and again: the
//! server sees that, ceases to rely on its memory, and only then lets go of the lock.
//!
//! Where the file is, is a setting of the running PostgreSQL ([`SETTING`]), so that whoever is connected knows it, by whatever way,
//! and a dump restored elsewhere does not. The file holds a word of the setting: another file of that name is not it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::RunQueryDsl;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use tokio::net::unix::pipe::Receiver;

use super::database::Database;
use super::error::StoreError;
use super::sole::Sole;

/// The setting of PostgreSQL that names the file: its word, a space, its path.
pub const SETTING: &str = "pippost.guests";

/// How often a guest asks to be let in.
const ASK_EVERY: Duration = Duration::from_millis(10);

/// How long a guest asks. The server answers at once, unless it does not run as it should.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the server leaves the lock alone after a guest has asked, and looks again whether all are gone.
const REST: Duration = Duration::from_secs(2);

/// Is anybody connected to this database but ourselves? A guest that was killed may have left a statement that is carried out yet.
const OTHERS: &str = "select exists (select from pg_stat_activity where datname = current_database() and usesysid is not null \
    and application_name is distinct from current_setting('application_name')) as others";

/// The lock file.
#[derive(Clone, Debug)]
struct LockFile {
    word: String,
    path: PathBuf,
}

impl LockFile {
    fn parse(setting: &str) -> Result<Self, StoreError> {
        let parts = setting.split_once(' ');
        let (word, path) = parts.ok_or_else(|| StoreError::Corrupt(format!("the setting {SETTING}")))?;
        Ok(Self { word: word.to_owned(), path: path.into() })
    }

    fn open(&self) -> Result<File, StoreError> {
        let opened = File::open(&self.path).and_then(|mut file| {
            let mut word = String::new();
            file.by_ref().take(self.word.len() as u64 + 1).read_to_string(&mut word)?;
            if word == self.word { Ok(file) } else { Err(io::Error::other("it is another server's")) }
        });
        opened.map_err(|error| self.unusable(&error))
    }

    fn unusable(&self, error: &dyn std::fmt::Display) -> StoreError {
        StoreError::LockFile(self.path.display().to_string(), error.to_string())
    }
}

/// Whether a lock was got, of what `try_lock` says.
fn got(tried: Result<(), std::fs::TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(std::fs::TryLockError::WouldBlock) => Ok(false),
        Err(std::fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Comes in as a guest: waits until the server whose database this is has ceased to rely on being the only one. The lock is held
/// until the last of `database` is gone.
///
/// # Errors
/// The file cannot be had here, or the server does not let go of it.
pub async fn come_in(database: &Database, setting: &str) -> Result<(), StoreError> {
    let lock = LockFile::parse(setting)?;
    let begun = Instant::now();
    let file = loop {
        let file = lock.open()?;
        if got(file.try_lock_shared()).map_err(|error| lock.unusable(&error))? {
            break file;
        }
        if begun.elapsed() >= PATIENCE {
            return Err(StoreError::Occupied(lock.path.display().to_string()));
        }
        tokio::time::sleep(ASK_EVERY).await;
    };
    // Who has come in already need not do so twice.
    let _second = database.sole().guest.set(file);
    Ok(())
}

/// Starts the task by which the process that has started `database` is the only one to write games whenever it can be.
///
/// # Errors
/// The setting cannot be read.
pub fn receive(database: &Database, setting: &str) -> Result<(), StoreError> {
    tokio::spawn(receive_all(database.clone(), LockFile::parse(setting)?));
    Ok(())
}

async fn receive_all(database: Database, lock: LockFile) {
    let mut said = String::new();
    loop {
        if let Err(error) = be_sole(&database, &lock).await {
            // The same again and again would fill the log.
            let why = error.to_string();
            if why != said {
                tracing::warn!(%error, "every view asks the database");
                said = why;
            }
        }
        tokio::time::sleep(REST).await;
    }
}

/// A time of being the only one. It ends before the lock is let go, whatever ends it.
struct Period<'a> {
    sole: &'a Sole,
    _lock: File,
}

impl Drop for Period<'_> {
    fn drop(&mut self) {
        self.sole.end();
        tracing::debug!("others may write games");
    }
}

/// Is the only one until somebody wants to come in; returns at once if somebody is there.
async fn be_sole(database: &Database, lock: &LockFile) -> Result<(), StoreError> {
    let unusable = |error: io::Error| lock.unusable(&error);
    let file = lock.open()?;
    let knocks = Knocks::at(&lock.path).map_err(unusable)?;
    if !got(file.try_lock()).map_err(unusable)? || others_are_connected(database).await? {
        return Ok(());
    }
    let period = Period { sole: database.sole(), _lock: file };
    period.sole.begin();
    tracing::debug!("no other process writes games");
    knocks.heard().await.map_err(unusable)
}

async fn others_are_connected(database: &Database) -> Result<bool, StoreError> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        others: bool,
    }
    let mut connection = database.get().await?;
    Ok(diesel::sql_query(OTHERS).get_result::<Row>(&mut connection).await?.others)
}

/// Tells that somebody opens a file.
struct Knocks(Receiver);

impl Knocks {
    fn at(path: &Path) -> io::Result<Self> {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC)?;
        inotify.add_watch(path, AddWatchFlags::IN_OPEN)?;
        // No pipe, but it becomes readable in the same way, and nothing else is done with it.
        Ok(Self(Receiver::from_owned_fd_unchecked(inotify.into())?))
    }

    async fn heard(&self) -> io::Result<()> {
        self.0.readable().await
    }
}
