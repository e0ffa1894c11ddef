//! Makes the cluster of an empty data folder from a base backup and the log that was received after it.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use super::account::DatabaseUser;
use super::cancel::Cancel;
use super::data_folder::{DataFolder, sync_folder};
use super::{Embedded, EmbeddedError, EmbeddedSettings, locks, roles, wal_files};

/// PostgreSQL ends with these words if the log is at its end before the wanted moment.
const BEFORE_THE_MOMENT: &str = "recovery ended before configured recovery target was reached";

/// What is restored.
#[derive(Clone, Debug)]
pub struct Restored<'a> {
    /// The base backup.
    pub copy: &'a Path,
    /// The folder of the received log.
    pub wal: Option<&'a Path>,
    /// Up to which moment; `None`: as far as the log goes.
    pub until: Option<&'a str>,
    /// The database and its role, which had other names if the copy is of a PostgreSQL elsewhere.
    pub names: (&'a str, &'a str),
}

/// Restores into a data folder without a database, recovers, and stops PostgreSQL again. What fails leaves no database.
///
/// # Errors
/// See [`EmbeddedError`]; each message says what to do.
pub fn restore(settings: &EmbeddedSettings, restored: &Restored<'_>) -> Result<(), EmbeddedError> {
    let folder = DataFolder::open(&settings.data_dir)?;
    place(&folder, settings, restored)?;
    let recovered = Embedded::start_recovering(settings, &recovery(restored.until), restored.names)
        .and_then(Embedded::stop);
    if recovered.is_err() {
        let cluster = folder.cluster();
        fs::remove_dir_all(&cluster).map_err(EmbeddedError::io("remove the unfinished", &cluster))?;
    }
    recovered.map_err(|error| match error {
        EmbeddedError::DidNotStart { log_tail, .. } if log_tail.contains(BEFORE_THE_MOMENT) => {
            EmbeddedError::WalEndsBefore { until: restored.until.unwrap_or_default().to_owned() }
        }
        other => other,
    })
}

/// The arguments of PostgreSQL during recovery. All segments lie in the cluster already, so nothing is fetched.
fn recovery(until: Option<&str>) -> Vec<OsString> {
    let mut settings = vec![
        "restore_command=/bin/false".to_owned(),
        "recovery_target_action=promote".to_owned(),
        // Otherwise the limits of the server that was copied would have to be kept.
        "hot_standby=off".to_owned(),
    ];
    settings.extend(until.map(|until| format!("recovery_target_time={until}")));
    settings.into_iter().flat_map(|setting| ["-c".into(), setting.into()]).collect()
}

/// Copies the base backup and the log, completely or not at all.
fn place(
    folder: &DataFolder,
    settings: &EmbeddedSettings,
    restored: &Restored<'_>,
) -> Result<(), EmbeddedError> {
    let _lock = locks::lock_for_this_server(folder, &Cancel::default())?;
    if folder.has_cluster() {
        return Err(EmbeddedError::FolderTaken { data_dir: folder.path().to_owned() });
    }
    let (new, cluster) = (folder.new_cluster(), folder.cluster());
    if new.exists() {
        fs::remove_dir_all(&new).map_err(EmbeddedError::io("remove the unfinished", &new))?;
    }
    copy_folder(restored.copy, &new)?;
    wal_files::first_segment(&new)?;
    if let Some(wal) = restored.wal {
        wal_files::add(wal, &new)?;
    }
    let write = |name: &str| {
        let path = new.join(name);
        fs::write(&path, "").map_err(EmbeddedError::io("write", &path))
    };
    write("recovery.signal")?;
    // The server gives all settings itself; those of another PostgreSQL may name files that are not here.
    for name in ["postgresql.conf", "postgresql.auto.conf"] {
        write(name)?;
    }
    if let Some(user) = DatabaseUser::choose(folder, settings.user.as_deref())? {
        give_all(&user, &new)?;
    }
    nix::unistd::sync();
    fs::rename(&new, &cluster).map_err(EmbeddedError::io("give its final name to", &new))?;
    sync_folder(folder.path()).map_err(EmbeddedError::io("write to disk", folder.path()))
}

/// Copies files and folders; a link would lead to a tablespace, which belongs to another machine.
fn copy_folder(from: &Path, to: &Path) -> Result<(), EmbeddedError> {
    DirBuilder::new().mode(0o700).create(to).map_err(EmbeddedError::io("make", to))?;
    for entry in fs::read_dir(from).map_err(EmbeddedError::io("list", from))? {
        let entry = entry.map_err(EmbeddedError::io("list", from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(EmbeddedError::io("look at", &path))?;
        if kind.is_dir() {
            copy_folder(&path, &target)?;
        } else if kind.is_file() {
            fs::copy(&path, &target).map_err(EmbeddedError::io("copy", &path))?;
        } else {
            return Err(EmbeddedError::Tablespace { path });
        }
    }
    Ok(())
}

fn give_all(user: &DatabaseUser, path: &Path) -> Result<(), EmbeddedError> {
    user.give(path)?;
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(EmbeddedError::io("list", path))? {
            give_all(user, &entry.map_err(EmbeddedError::io("list", path))?.path())?;
        }
    }
    Ok(())
}

impl Embedded {
    /// Starts PostgreSQL on a cluster that recovers, and gives the database and its role the names that this program uses.
    fn start_recovering(
        settings: &EmbeddedSettings,
        recovery: &[OsString],
        names: (&str, &str),
    ) -> Result<Self, EmbeddedError> {
        Self::start_with(settings, &Cancel::default(), recovery, |socket| roles::adopt(socket, names))
    }
}
