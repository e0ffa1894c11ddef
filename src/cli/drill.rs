//! `pippost drill`: restores the newest backup into a temporary folder, and audits it.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use nix::unistd::geteuid;
use time::OffsetDateTime;

use super::backup::folder::{self, said};
use super::backup::keys;
use super::building::{NO_LINKS, build_app};
use super::storage::{Running, Storage};
use super::{known_checkpoint, logging, restore};
use crate::games::audit::{self, AuditSummary, Finding};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};

/// PostgreSQL's user has to pass through the folder, if root starts the drill.
const MODE: u32 = 0o711;

/// How the names of temporary folders begin.
const FOLDER_PREFIX: &str = "pippost-drill-";

/// No drill takes longer: an older folder is of one that was killed.
const MAX_DRILL_AGE: Duration = Duration::from_hours(24);

/// A day and an hour: a daily backup is in time.
const DEFAULT_MAX_AGE_MINUTES: u32 = 25 * 60;

#[derive(Args)]
pub struct DrillArgs {
    /// The folder of backups.
    folder: PathBuf,
    /// The file of keys that `pippost backup --keys` wrote. [default: the keys of this server]
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Fail if what was restored is older than so many minutes, by its newest move or the newest sign of life of a worker.
    #[arg(long, default_value_t = DEFAULT_MAX_AGE_MINUTES, value_parser = clap::value_parser!(u32).range(1..))]
    max_age_minutes: u32,
    /// Where the temporary folder is made; it needs as much room as the backup. [default: the system's]
    #[arg(long = "in", value_name = "FOLDER")]
    inside: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    key_settings: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Drills, and says how it went.
pub fn run(args: &DrillArgs) -> ExitCode {
    match drill(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("pippost: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// A folder that is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn make(inside: Option<&Path>) -> anyhow::Result<Self> {
        let inside = inside.map_or_else(std::env::temp_dir, Path::to_owned);
        remove_left_over(&inside)?;
        let path = inside.join(format!("{FOLDER_PREFIX}{}", std::process::id()));
        // Never one that somebody else has made.
        let made = DirBuilder::new().mode(MODE).create(&path);
        made.with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

/// Removes what drills left that were killed: each is as large as the database, and there is one an hour.
fn remove_left_over(inside: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(inside).with_context(|| inside.display().to_string())?.flatten() {
        let is_drill = entry.file_name().to_string_lossy().starts_with(FOLDER_PREFIX);
        // Of the entry itself, which may be anybody's link where the folder is the system's.
        let Ok(found) = entry.metadata() else { continue };
        let is_ours = found.is_dir() && found.uid() == geteuid().as_raw();
        let age = found.modified()?.elapsed().unwrap_or_default();
        if is_drill && is_ours && age > MAX_DRILL_AGE {
            fs::remove_dir_all(entry.path()).with_context(|| entry.path().display().to_string())?;
        }
    }
    Ok(())
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("pippost: {} cannot be removed: {error}", self.0.display());
        }
    }
}

fn drill(args: &DrillArgs) -> anyhow::Result<bool> {
    logging::start(&args.log)?;
    let begun = Instant::now();
    let (backup, backups) = folder::choose(&args.folder, None)?;
    let temporary = Temporary::make(args.inside.as_deref())?;
    let data_dir = temporary.0.join("data");
    let settings = DatabaseSettings {
        data_dir: data_dir.clone(),
        database_url: None,
        replica_url: None,
        ..args.database.clone()
    };
    restore::restore(&backup, &backups, None, true, &settings)?;
    let keys = keys_of(args, &data_dir)?;
    if let Ok(text) = fs::read_to_string(backups.join(known_checkpoint::FILE)) {
        known_checkpoint::write(&data_dir.join(known_checkpoint::FILE), &text)?;
    }
    let state = restore::look(&settings)?;
    let summary = check(&settings, &keys)?;
    let (newest, now) = (state.newest_move.max(state.beat_at), OffsetDateTime::now_utc());
    let age_minutes = newest.map_or(i64::MAX, |newest| (now - newest).whole_minutes());
    println!(
        "{} restored in {} s: {} games with {} events audited, {} findings",
        backup.name,
        begun.elapsed().as_secs(),
        summary.games,
        summary.events,
        summary.findings
    );
    let move_age = state.newest_move.map_or_else(
        || "there is no move".to_owned(),
        |at| format!("the newest move is {} minutes old", (now - at).whole_minutes()),
    );
    println!("{move_age}; it reaches to {}", said(newest).trim_start_matches("at "));
    let is_old = age_minutes > i64::from(args.max_age_minutes);
    if is_old {
        println!(
            "TOO OLD: more than {} minutes; is the backup made, and does a worker run?",
            args.max_age_minutes
        );
    }
    Ok(summary.findings == 0 && !is_old)
}

/// The keys of the file, or those of this server, which is never given new ones here.
fn keys_of(args: &DrillArgs, data_dir: &Path) -> anyhow::Result<KeySettings> {
    if let Some(file) = &args.keys {
        let folder = data_dir.join("keys");
        keys::restore(file, &folder)?;
        return Ok(KeySettings { keys_dir: Some(folder), secret_key: None, signing_keys: Vec::new() });
    }
    let folder = args.key_settings.folder(&args.database.data_dir);
    ensure!(
        folder.is_dir() || args.key_settings.secret_key.is_some(),
        "there are no keys in {}: name a file with --keys",
        folder.display()
    );
    Ok(KeySettings { keys_dir: Some(folder), ..args.key_settings.clone() })
}

/// Audits all games; and the log must continue what the server has signed.
fn check(settings: &DatabaseSettings, keys: &KeySettings) -> anyhow::Result<AuditSummary> {
    let storage = Storage::open(settings, Running::Refuse)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let audited = runtime.block_on(async {
        crate::app::migrate(&storage.address, false).await?;
        let app = build_app(&storage, settings, keys, None, NO_LINKS.to_owned()).await?;
        known_checkpoint::check(&app, &settings.data_dir).await?;
        let mut print = |finding: &Finding| println!("{finding}");
        let summary = audit::audit_all(&app.games, false, &mut print).await;
        app.database.close();
        Ok(summary?)
    });
    drop(runtime);
    storage.close()?;
    audited
}
