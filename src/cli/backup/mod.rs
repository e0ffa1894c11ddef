//! `pippost backup`: copies the database while it is used, keeps the keys apart, and receives the write-ahead log.

pub mod folder;
pub mod keys;
mod receiving;
mod source;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use time::OffsetDateTime;
use uuid::Uuid;

use self::folder::{Backup, Manifest};
use super::building::make_private_folder;
use super::known_checkpoint;
use super::logging;
use super::storage::{Running, Storage};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};
use crate::store::archived_games;
use crate::store::backups::{self, DatabaseState};
use crate::store::embedded::{Copier, Source, first_segment};
use crate::store::{Database, StoreError};

/// Archived games that one query lists.
const PAGE: i64 = 1000;

#[derive(Args)]
pub struct BackupArgs {
    /// The folder of backups, which is made if it is missing. Each backup is a folder in it, named by its time.
    folder: PathBuf,
    /// Write the keys into this file, which nobody else may read. It belongs elsewhere than the backups: who has both can decrypt what is
    /// hidden, and sign as this server. Without it the keys are in no backup.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Afterwards keep only so many backups, the newest, and of the write-ahead log what they need.
    #[arg(long, value_name = "BACKUPS")]
    keep: Option<NonZeroUsize>,
    /// Make no backup, but receive the write-ahead log into the folder until the database ends, so that a restore can reach any moment.
    #[arg(long, conflicts_with_all = ["keys", "keep"])]
    follow: bool,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    key_settings: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Makes a backup, or receives the log.
pub fn run(args: &BackupArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    make_private_folder(&args.folder)?;
    // The programs of PostgreSQL run in another folder.
    let folder = std::fs::canonicalize(&args.folder)?;
    if let Some(file) = &args.keys {
        keys::check_apart(file, &folder)?;
    }
    let storage = Storage::open(&args.database, Running::Share)?;
    let source = source::of(&storage, &args.database);
    let copier = Copier::find(args.database.pg_bindir.as_deref())?;
    let done = if args.follow {
        receiving::follow(&folder, &storage, &args.database, &copier, &source)
    } else {
        back_up(args, &folder, &storage, &copier, &source)
    };
    storage.close()?;
    done
}

fn back_up(
    args: &BackupArgs,
    folder: &Path,
    storage: &Storage,
    copier: &Copier,
    source: &Source,
) -> anyhow::Result<()> {
    let made_at = OffsetDateTime::now_utc();
    folder::remove_old_drafts(folder)?;
    let state = look(storage)?;
    folder::check_same_server(folder, &state)?;
    // Read first: what the log has signed by now, the copy will have.
    let checkpoint = std::fs::read_to_string(args.database.data_dir.join(known_checkpoint::FILE)).ok();
    let draft = folder::Draft::begin(folder, made_at)?;
    copier.base_backup(source, &draft.cluster())?;
    let archived_objects = list_objects(storage, &draft.objects())?;
    let place = args.database.archive.place.as_ref().map(ToString::to_string);
    let manifest = Manifest::of(&state, made_at, place, archived_objects);
    let backup = draft.finish(&manifest)?;
    if let Some(text) = checkpoint {
        known_checkpoint::write(&folder.join(known_checkpoint::FILE), &text)?;
    }
    if let Some(file) = &args.keys {
        keys::write(file, &args.key_settings, &args.database.data_dir)?;
    }
    if let Some(keep) = args.keep {
        remove_older(folder, keep.get())?;
    }
    tell(&backup, args.keys.as_deref());
    Ok(())
}

fn tell(backup: &Backup, keys: Option<&Path>) {
    let manifest = &backup.manifest;
    println!("backup {}: {} games, newest move {}", backup.name, manifest.games, manifest.newest_move_said());
    match keys {
        Some(file) => println!("keys: in {}; keep it elsewhere than the backups", file.display()),
        None => {
            println!("keys: in no backup; without them no game of it can go on (--keys FILE writes them)");
        }
    }
    if let Some(place) = &manifest.archive {
        println!(
            "archive: {} objects in {place}, listed in objects.txt, are not copied: back them up as well",
            manifest.archived_objects
        );
    }
}

/// Asks the database once.
fn look(storage: &Storage) -> anyhow::Result<DatabaseState> {
    asked(storage, async |database| backups::state(database).await)
}

/// Runs a few queries on a connection of its own.
pub fn asked<T>(
    storage: &Storage,
    ask: impl AsyncFnOnce(&Database) -> Result<T, StoreError>,
) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Runtime::new()?;
    let answer = runtime.block_on(async {
        let database = Database::new(Arc::clone(&storage.address), 1)?;
        let answer = ask(&database).await;
        database.close();
        answer
    });
    Ok(answer?)
}

/// Writes which objects of the archive the backup needs, one a line.
fn list_objects(storage: &Storage, file: &Path) -> anyhow::Result<u64> {
    let names = asked(storage, async |database| {
        let (mut names, mut last) = (Vec::new(), Uuid::nil());
        loop {
            let page = archived_games::page(database, last, PAGE).await?;
            let Some(newest) = page.last() else { return Ok(names) };
            last = newest.game_id;
            for entry in &page {
                names.push(format!("{} {} {}\n", entry.name()?, entry.bytes, entry.game_id));
            }
        }
    })?;
    std::fs::write(file, names.concat()).with_context(|| file.display().to_string())?;
    Ok(names.len() as u64)
}

/// Removes all backups but the newest, and the log that only they needed.
fn remove_older(folder: &Path, keep: usize) -> anyhow::Result<()> {
    let backups = folder::list(folder)?;
    let (older, kept) = backups.split_at(backups.len().saturating_sub(keep));
    for backup in older {
        std::fs::remove_dir_all(&backup.path).with_context(|| backup.path.display().to_string())?;
    }
    let Some(oldest) = kept.first() else { bail!("there is no backup left") };
    let first = first_segment(&oldest.cluster())?;
    let Some(wal) = folder::received_log(folder) else { return Ok(()) };
    for entry in std::fs::read_dir(&wal)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Without the timeline, which is the same in a folder; files of a timeline's history are short and stay.
        if name.len() == first.len() && name[8..] < first[8..] {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
