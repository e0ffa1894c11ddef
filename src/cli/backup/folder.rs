//! The folder of backups.
//!
//! | name | what |
//! |---|---|
//! | `20261129T150000Z/pg/` | a base backup, as PostgreSQL makes it |
//! | `20261129T150000Z/backup.json` | what it is of |
//! | `20261129T150000Z/objects.txt` | the objects of the archive that it needs: name, bytes, game |
//! | `wal/` | the write-ahead log, if it is received |
//! | `log.checkpoint` | the newest checkpoint of the server's log that the backups are known to have |

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::store::backups::DatabaseState;

const MANIFEST: &str = "backup.json";
const CLUSTER: &str = "pg";
const OBJECTS: &str = "objects.txt";
const WAL: &str = "wal";

/// The ending of a backup that is being made, or was cut off.
const DRAFT: &str = ".part";

/// No backup takes longer.
const MAX_DRAFT_AGE: Duration = Duration::from_hours(24);

/// What a backup is of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Of the program that made it.
    pub version: String,
    #[serde(with = "time::serde::rfc3339")]
    pub begun_at: OffsetDateTime,
    /// From this moment on, `--until` can be reached with the received log.
    #[serde(with = "time::serde::rfc3339")]
    pub ended_at: OffsetDateTime,
    pub cluster: String,
    pub timeline: i32,
    pub database: String,
    pub role: String,
    pub games: i64,
    #[serde(with = "time::serde::rfc3339::option")]
    pub newest_move: Option<OffsetDateTime>,
    /// Where the archive is.
    pub archive: Option<String>,
    pub archived_objects: u64,
}

impl Manifest {
    /// Describes a copy that is complete now.
    pub fn of(
        state: &DatabaseState,
        begun_at: OffsetDateTime,
        archive: Option<String>,
        archived_objects: u64,
    ) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            begun_at,
            ended_at: OffsetDateTime::now_utc(),
            cluster: state.cluster.clone(),
            timeline: state.timeline,
            database: state.database.clone(),
            role: state.role.clone(),
            games: state.games,
            newest_move: state.newest_move,
            archive,
            archived_objects,
        }
    }

    /// For people.
    pub fn newest_move_said(&self) -> String {
        said(self.newest_move)
    }
}

/// A moment for people.
pub fn said(at: Option<OffsetDateTime>) -> String {
    let text = at.and_then(|at| at.replace_nanosecond(0).ok()?.format(&Rfc3339).ok());
    text.map_or_else(|| "none".to_owned(), |text| format!("at {text}"))
}

/// A complete backup.
#[derive(Clone, Debug)]
pub struct Backup {
    pub name: String,
    pub path: PathBuf,
    pub manifest: Manifest,
}

impl Backup {
    /// Reads a backup.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let file = path.join(MANIFEST);
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let manifest = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, path: path.to_owned(), manifest })
    }

    pub fn cluster(&self) -> PathBuf {
        self.path.join(CLUSTER)
    }

    /// The major version of PostgreSQL that made it.
    pub fn major(&self) -> anyhow::Result<u32> {
        let file = self.cluster().join("PG_VERSION");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        text.trim().parse().with_context(|| file.display().to_string())
    }
}

/// All complete backups of the folder, the oldest first.
pub fn list(folder: &Path) -> anyhow::Result<Vec<Backup>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    let whole = paths.filter(|path| path.extension().is_none() && path.join(MANIFEST).is_file());
    let mut backups = whole.map(|path| Backup::open(&path)).collect::<anyhow::Result<Vec<_>>>()?;
    backups.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(backups)
}

/// Removes what backups left that were killed long ago; one that is being made is younger.
pub fn remove_old_drafts(folder: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())?.flatten() {
        let is_draft = entry.file_name().to_string_lossy().ends_with(DRAFT);
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if is_draft && age > MAX_DRAFT_AGE {
            fs::remove_dir_all(entry.path()).with_context(|| entry.path().display().to_string())?;
        }
    }
    Ok(())
}

/// The backup that `path` names itself, or of a folder of backups the newest that was complete at `until`; and the folder of backups.
pub fn choose(path: &Path, until: Option<OffsetDateTime>) -> anyhow::Result<(Backup, PathBuf)> {
    let path = fs::canonicalize(path).with_context(|| path.display().to_string())?;
    if path.join(MANIFEST).is_file() {
        let folder = path.parent().unwrap_or(&path).to_owned();
        return Ok((Backup::open(&path)?, folder));
    }
    let backups = list(&path)?;
    let Some(oldest) = backups.first() else { bail!("{} holds no backup", path.display()) };
    let oldest = said(Some(oldest.manifest.ended_at));
    let reaches = |backup: &Backup| until.is_none_or(|until| backup.manifest.ended_at <= until);
    let fitting = backups.into_iter().rfind(reaches);
    let fitting =
        fitting.with_context(|| format!("no backup is that old: the oldest was complete {oldest}"))?;
    Ok((fitting, path))
}

/// The folder of the received log, if there is any.
pub fn received_log(folder: &Path) -> Option<PathBuf> {
    Some(folder.join(WAL)).filter(|wal| wal.is_dir())
}

/// The same, made if it is missing.
pub fn make_received_log(folder: &Path) -> anyhow::Result<PathBuf> {
    let wal = folder.join(WAL);
    super::make_private_folder(&wal)?;
    Ok(wal)
}

/// Refuses a folder with backups of another database: the logs of two are told apart by nobody.
pub fn check_same_server(folder: &Path, state: &DatabaseState) -> anyhow::Result<()> {
    let Some(newest) = list(folder)?.pop() else { return Ok(()) };
    let (theirs, ours) =
        ((&newest.manifest.cluster, newest.manifest.timeline), (&state.cluster, state.timeline));
    ensure!(
        theirs == ours,
        "{} keeps backups of another database, or of this one before it was restored; name a new folder",
        folder.display()
    );
    Ok(())
}

/// A backup that is being made. Dropping it removes what there is.
pub struct Draft {
    path: PathBuf,
    is_finished: bool,
}

impl Draft {
    /// Begins a backup, named by the time.
    pub fn begin(folder: &Path, at: OffsetDateTime) -> anyhow::Result<Self> {
        let format = time::macros::format_description!("[year][month][day]T[hour][minute][second]Z");
        let path = folder.join(at.format(format)? + DRAFT);
        let made = DirBuilder::new().mode(0o700).create(&path);
        made.with_context(|| format!("another backup may be under way: {}", path.display()))?;
        Ok(Self { path, is_finished: false })
    }

    pub fn cluster(&self) -> PathBuf {
        self.path.join(CLUSTER)
    }

    pub fn objects(&self) -> PathBuf {
        self.path.join(OBJECTS)
    }

    /// Gives it its name, once all of it is on the disk.
    pub fn finish(mut self, manifest: &Manifest) -> anyhow::Result<Backup> {
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        crate::cli::known_checkpoint::write(&self.path.join(MANIFEST), &text)?;
        let path = self.path.with_extension("");
        ensure!(!path.exists(), "there is a backup of this second already: {}", path.display());
        fs::rename(&self.path, &path)?;
        self.is_finished = true;
        if let Some(folder) = path.parent() {
            fs::File::open(folder)?.sync_all()?;
        }
        Backup::open(&path)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_finished
            && let Err(error) = fs::remove_dir_all(&self.path)
        {
            tracing::warn!(path = %self.path.display(), %error, "an unfinished backup cannot be removed");
        }
    }
}
