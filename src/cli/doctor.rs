//! `pippost doctor`: looks for what the runbooks of docs/OPERATIONS.md are about, and names the one to open.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use time::{Duration, OffsetDateTime};

use super::backup::folder;
use super::logging;
use super::storage::{Running, Storage};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};
use crate::store::embedded::SLOT;
use crate::store::{Database, backups, figures, mail_holds, notices, outages, set_aside};

/// A mail that waits longer does so for a reason.
const MAX_MAIL_AGE: Duration = Duration::minutes(30);
/// Workers beat every ten seconds.
const MAX_BEAT_AGE: Duration = Duration::minutes(2);
/// Deadlines are enforced within seconds.
const MAX_OVERDUE: Duration = Duration::minutes(10);
/// A backup a day, and an hour.
const MAX_BACKUP_AGE: Duration = Duration::hours(25);
/// Below so many parts of a hundred a disk is nearly full.
const MIN_FREE_PERCENT: u64 = 10;
/// More of the write-ahead log than this waits only for a receiver that has stopped.
const MAX_KEPT_BYTES: i64 = 1 << 30;
/// The most domains that are asked for.
const MAX_DOMAINS: i64 = 200;

#[derive(Args)]
pub struct DoctorArgs {
    /// The folder of backups, whose age and disk are looked at, too.
    #[arg(long, value_name = "FOLDER")]
    backups: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// The runbooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runbook {
    MailStops,
    DiskFills,
    KeyLeaks,
    GameIsStuck,
    PlayerNeedsHelp,
    Restore,
}

impl fmt::Display for Runbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MailStops => "mail stops",
            Self::DiskFills => "the disk fills",
            Self::KeyLeaks => "a key leaks",
            Self::GameIsStuck => "a game is stuck",
            Self::PlayerNeedsHelp => "a player needs help",
            Self::Restore => "a restore",
        })
    }
}

/// What was found, with the runbook to open.
type Findings = Vec<(Runbook, String)>;

/// Prints what is wrong. Exit code 0 if nothing is, 1 if something is, 2 if nobody could look.
pub fn run(args: &DoctorArgs) -> ExitCode {
    match look(args) {
        Ok(findings) if findings.is_empty() => {
            println!("nothing is wrong");
            ExitCode::SUCCESS
        }
        Ok(findings) => {
            for (runbook, text) in findings {
                println!("{runbook}: {text}");
            }
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("pippost: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn look(args: &DoctorArgs) -> anyhow::Result<Findings> {
    logging::start(&args.log)?;
    let now = OffsetDateTime::now_utc();
    let mut found = Findings::new();
    keys(&args.keys.folder(&args.database.data_dir), &mut found)?;
    disk(&args.database.data_dir, &mut found)?;
    if let Some(folder) = &args.backups {
        disk(folder, &mut found)?;
        newest_backup(folder, now, &mut found)?;
    }
    let storage = Storage::open(&args.database, Running::Share)?;
    if storage.is_ours() {
        found.push((Runbook::GameIsStuck, "no server runs on this data folder".to_owned()));
    }
    let asked = storage.run(async |storage: &Storage| {
        let database = Database::new(storage.address.clone(), 1)?;
        let mut asked = Findings::new();
        mails(&database, now, &mut asked).await?;
        games(&database, now, &mut asked).await?;
        received_log(&database, &mut asked).await?;
        database.close();
        Ok(asked)
    })?;
    found.extend(asked);
    Ok(found)
}

/// Files that others may read.
fn keys(folder: &Path, found: &mut Findings) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries.flatten() {
        let mode = entry.metadata()?.permissions().mode();
        if mode & 0o077 != 0 {
            let what = format!("others may read {} (mode {:o})", entry.path().display(), mode & 0o777);
            found.push((Runbook::KeyLeaks, what));
        }
    }
    Ok(())
}

fn disk(folder: &Path, found: &mut Findings) -> anyhow::Result<()> {
    let room = nix::sys::statvfs::statvfs(folder).with_context(|| folder.display().to_string())?;
    let free = percent(room.blocks_available(), room.blocks());
    if free < MIN_FREE_PERCENT {
        let text = format!("{free} of 100 parts of the disk of {} are free", folder.display());
        found.push((Runbook::DiskFills, text));
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> u64 {
    part.saturating_mul(100) / whole.max(1)
}

fn newest_backup(folder: &Path, now: OffsetDateTime, found: &mut Findings) -> anyhow::Result<()> {
    let newest = folder::list(folder)?.pop();
    let is_new = newest.as_ref().is_some_and(|backup| now - backup.manifest.ended_at <= MAX_BACKUP_AGE);
    if !is_new {
        let age = newest.map_or_else(
            || "there is no backup".to_owned(),
            |backup| {
                format!("the newest backup is {} hours old", (now - backup.manifest.ended_at).whole_hours())
            },
        );
        found.push((Runbook::Restore, format!("{age}, in {}", folder.display())));
    }
    Ok(())
}

async fn mails(database: &Database, now: OffsetDateTime, found: &mut Findings) -> anyhow::Result<()> {
    if let Some(fault) = notices::server_fault(database).await? {
        found.push((Runbook::MailStops, format!("the mail server cannot be used: {fault}")));
    }
    let rows = notices::by_domain(database, MAX_DOMAINS).await?;
    let late: i64 = rows.iter().filter(|row| now - row.oldest > MAX_MAIL_AGE).map(|row| row.waiting).sum();
    if late > 0 {
        let text = format!(
            "{late} mails wait to domains that have waited over {} minutes",
            MAX_MAIL_AGE.whole_minutes()
        );
        found.push((Runbook::MailStops, text));
    }
    for domain in mail_holds::all(database).await?.domains() {
        found.push((Runbook::MailStops, format!("an operator holds {}", domain.unwrap_or("all mail"))));
    }
    let bouncing = figures::bouncing_addresses(database).await?;
    if bouncing > 0 {
        let text = format!("{bouncing} players get no mail, because their addresses sent it back");
        found.push((Runbook::PlayerNeedsHelp, text));
    }
    Ok(())
}

async fn games(database: &Database, now: OffsetDateTime, found: &mut Findings) -> anyhow::Result<()> {
    let beat_at = outages::work(database).await?.beat_at;
    if beat_at.is_none_or(|beat_at| now - beat_at > MAX_BEAT_AGE) {
        found.push((Runbook::GameIsStuck, "no worker works: deadlines wait, and no mail leaves".to_owned()));
    }
    let overdue = figures::overdue(database, now - MAX_OVERDUE).await?;
    if overdue > 0 {
        found.push((Runbook::GameIsStuck, format!("{overdue} turns are over and not ended")));
    }
    for row in set_aside::list(database, None).await? {
        let text = format!("{} fails for game {}: {}", row.task.as_str(), row.game_id, row.reason);
        found.push((Runbook::GameIsStuck, text));
    }
    Ok(())
}

/// The log that the database keeps for a backup.
async fn received_log(database: &Database, found: &mut Findings) -> anyhow::Result<()> {
    let Some(slot) = backups::slot(database, SLOT).await? else { return Ok(()) };
    if slot.wal_status == "lost" {
        found.push((Runbook::Restore, "the write-ahead log has a gap: make a backup now".to_owned()));
    } else if !slot.active {
        let text = format!("nobody receives the write-ahead log: {} MB wait", slot.kept_bytes >> 20);
        let runbook = if slot.kept_bytes > MAX_KEPT_BYTES { Runbook::DiskFills } else { Runbook::Restore };
        found.push((runbook, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_nearly_full_below_a_tenth() {
        assert!(percent(99, 1000) < MIN_FREE_PERCENT && percent(100, 1000) >= MIN_FREE_PERCENT);
        assert!(percent(0, 0) < MIN_FREE_PERCENT, "a disk without room");
        assert_eq!(percent(u64::MAX, 1), u64::MAX, "no overflow");
    }

    #[test]
    fn a_folder_on_a_disk_can_be_asked() {
        let mut found = Findings::new();
        disk(Path::new("/proc"), &mut found).expect("a disk");
        assert_eq!(found.len(), 1, "/proc has no free room");
        assert_eq!(found[0].0, Runbook::DiskFills);
    }
}
