//! `pippost restore`: makes the database of an empty data folder from a backup.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use super::backup::folder::{self, Backup, said};
use super::backup::{asked, keys};
use super::storage::{Running, Storage};
use super::{known_checkpoint, logging};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};
use crate::store::backups::{self, DatabaseState};
use crate::store::embedded::{self, Copier, EmbeddedSettings, Restored};

#[derive(Args)]
pub struct RestoreArgs {
    /// A folder of backups, of which the newest is taken, or one backup in it.
    backup: PathBuf,
    /// The file of keys that `pippost backup --keys` wrote.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Restore the state of this moment, as in 2026-11-29T15:04:05Z. It needs the write-ahead log (`pippost backup --follow`). [default: as
    /// far as the log goes]
    #[arg(long, value_name = "TIME", value_parser = moment, conflicts_with = "without_wal")]
    until: Option<OffsetDateTime>,
    /// Restore the backup as it is, without the log that was received after it.
    #[arg(long)]
    without_wal: bool,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    key_settings: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

fn moment(text: &str) -> Result<OffsetDateTime, String> {
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| "it is like 2026-11-29T15:04:05Z".to_owned())
}

/// Restores, and says what is there.
pub fn run(args: &RestoreArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    let settings = &args.database;
    ensure!(
        settings.database_url.is_none(),
        "a backup is restored into a data folder: unset DATABASE_URL. For a PostgreSQL elsewhere its folder `pg` is a base backup"
    );
    let (backup, folder) = folder::choose(&args.backup, args.until)?;
    // Before the work of hours, after which nothing restores the keys alone.
    if let Some(file) = &args.keys {
        keys::read(file)?;
    }
    restore(&backup, &folder, args.until, !args.without_wal, settings)?;
    if let Some(file) = &args.keys {
        keys::restore(file, &args.key_settings.folder(&settings.data_dir))?;
    }
    // The newest that is known, so that `serve` does not continue an older log unseen.
    if let Ok(text) = std::fs::read_to_string(folder.join(known_checkpoint::FILE)) {
        known_checkpoint::write(&settings.data_dir.join(known_checkpoint::FILE), &text)?;
    }
    let state = look(settings)?;
    println!(
        "restored {} into {}: {} games, newest move {}",
        backup.name,
        settings.data_dir.display(),
        state.games,
        said(state.newest_move)
    );
    println!("moves that were acknowledged later are gone; receipts of them stay valid, and show it");
    if args.keys.is_none() {
        println!("keys: none were restored; the server needs those of the backup");
    }
    println!("next: pippost audit; then serve; then back up into a new folder");
    Ok(())
}

/// PostgreSQL reads no names of time zones here, and `Z` is one.
fn for_postgresql(moment: OffsetDateTime) -> anyhow::Result<String> {
    let format = time::macros::format_description!(
        "[year]-[month]-[day] [hour]:[minute]:[second].[subsecond digits:6]+00:00"
    );
    Ok(moment.to_offset(UtcOffset::UTC).format(format)?)
}

/// What the restored database has.
pub fn look(settings: &DatabaseSettings) -> anyhow::Result<DatabaseState> {
    let storage = Storage::open(settings, Running::Refuse)?;
    let state = asked(&storage, async |database| backups::state(database).await);
    storage.close()?;
    state
}

/// Checks the files of the backup against its list, and restores it.
pub fn restore(
    backup: &Backup,
    folder: &Path,
    until: Option<OffsetDateTime>,
    with_log: bool,
    settings: &DatabaseSettings,
) -> anyhow::Result<()> {
    let programs_dir = settings.pg_bindir.as_deref();
    let cluster = backup.cluster();
    Copier::for_cluster(programs_dir, &cluster, backup.major()?)?
        .verify(&cluster)
        .with_context(|| format!("the backup {} is damaged", backup.name))?;
    let wal = folder::received_log(folder).filter(|_| with_log);
    ensure!(
        until.is_none() || wal.is_some(),
        "there is no write-ahead log in {}: --until needs one, which `pippost backup --follow` receives",
        folder.display()
    );
    let until = until.map(for_postgresql).transpose()?;
    let embedded = EmbeddedSettings {
        data_dir: settings.data_dir.clone(),
        programs_dir: settings.pg_bindir.clone(),
        user: settings.database_user.clone(),
        durable: true,
    };
    let names = (backup.manifest.database.as_str(), backup.manifest.role.as_str());
    let restored = Restored { copy: &cluster, wal: wal.as_deref(), until: until.as_deref(), names };
    Ok(embedded::restore(&embedded, &restored)?)
}
