//! `pippost backup --follow`: the write-ahead log beside the backups, as it is written.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{bail, ensure};
use time::OffsetDateTime;

use super::{asked, folder};
use crate::cli::known_checkpoint;
use crate::cli::storage::Storage;
use crate::settings::DatabaseSettings;
use crate::store::backups;
use crate::store::embedded::{Copier, SLOT, Source};

/// A checkpoint of the server's log is kept this long after it was read: by then the log in which it stands has been received.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);

/// The state of a slot whose log is gone.
const LOST: &str = "lost";

/// Receives until the database ends, and then fails, so that whoever started this starts it again.
pub fn follow(
    folder: &Path,
    storage: &Storage,
    settings: &DatabaseSettings,
    copier: &Copier,
    source: &Source,
) -> anyhow::Result<()> {
    ensure!(!storage.is_ours(), "the server does not run: start it first, and then this");
    let state = asked(storage, async |database| backups::state(database).await)?;
    folder::check_same_server(folder, &state)?;
    let slot = asked(storage, async |database| backups::slot(database, SLOT).await)?;
    if slot.is_some_and(|slot| slot.wal_status == LOST) {
        set_aside(folder, copier, source)?;
    }
    let wal = folder::make_received_log(folder)?;
    let mut receiver = copier.receive(source, &wal)?;
    println!("receiving the write-ahead log into {}", wal.display());
    let (known, kept) = (settings.data_dir.join(known_checkpoint::FILE), folder.join(known_checkpoint::FILE));
    // Ends with the process.
    std::thread::spawn(move || keep_checkpoints(&known, &kept));
    let ended = receiver.wait()?;
    bail!("the write-ahead log is received no more ({ended}); start this again")
}

/// What was received before a gap is of use for older backups only.
fn set_aside(folder: &Path, copier: &Copier, source: &Source) -> anyhow::Result<()> {
    copier.drop_slot(source)?;
    let Some(wal) = folder::received_log(folder) else { return Ok(()) };
    let until = OffsetDateTime::now_utc().unix_timestamp();
    let aside: PathBuf = folder.join(format!("wal-before-{until}"));
    std::fs::rename(&wal, &aside)?;
    println!(
        "the database has thrown away log that was not received: {} ends there. Make a new backup now",
        aside.display()
    );
    Ok(())
}

fn keep_checkpoints(known: &Path, kept: &Path) {
    let mut before: Option<String> = None;
    loop {
        let newest = std::fs::read_to_string(known).ok();
        if let Some(text) = before.filter(|text| Some(text) != std::fs::read_to_string(kept).ok().as_ref())
            && let Err(error) = known_checkpoint::write(kept, &text)
        {
            tracing::error!(%error, "the checkpoint of the server's log cannot be kept");
        }
        before = newest;
        // Another process writes the file, and nothing tells of it.
        std::thread::sleep(CHECKPOINT_INTERVAL);
    }
}
