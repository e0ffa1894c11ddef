//! The newest checkpoint of the server's own log, in a file of the data folder. A database that was restored from an older backup knows
//! less of the log than the file: serving it would show two histories.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use super::building::make_private_folder;
use crate::app::App;
use crate::games::Games;
use crate::games::transparency;
use crate::log::Checkpoint;
use crate::log::note::Note;

/// The name of the file.
pub const FILE: &str = "log.checkpoint";

/// How often to look for a new checkpoint.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Begins the log of this server, or goes on with it, and keeps its newest checkpoint in the data folder from now on.
pub async fn begin(app: &App, data_dir: &Path, within_seconds: u32) -> anyhow::Result<()> {
    check(app, data_dir).await?;
    transparency::begin(&app.games, within_seconds).await?;
    // Ends with the runtime.
    tokio::spawn(follow(app.games.clone(), file(data_dir)));
    Ok(())
}

/// The file of a data folder.
fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// Refuses a database whose log does not continue what the file of the data folder knows.
pub async fn check(app: &App, data_dir: &Path) -> anyhow::Result<()> {
    let file = file(data_dir);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    let unreadable = || format!("{} holds no checkpoint; if it is damaged, remove it", file.display());
    let note = Note::read(&text).with_context(unreadable)?;
    let origin = Checkpoint::of_text(&note.text).with_context(unreadable)?.origin;
    let key = app.secret.log_key(&origin).with_context(unreadable)?;
    let known = Checkpoint::open(&note, key.verifier()).with_context(unreadable)?;
    let newest = transparency::newest(&app.games).await?;
    let (same_log, size) = newest.map_or((false, 0), |newest| (newest.origin == origin, newest.size()));
    if same_log && transparency::root_at(&app.games, known.size).await? == Some(known.root) {
        return Ok(());
    }
    bail!(
        "this database does not continue the log that the server has signed: {file} knows {origin} with {known} entries, the \
         database has {size}. It comes from an older backup or another server. If it were served, the log would show two histories, \
         which witnesses, mails and receipts give away. The choices: restore a newer backup, with the write-ahead log up to the end \
         (docs/OPERATIONS.md); or tell your players that events were lost, remove {file}, and go on: what was signed stays evidence",
        file = file.display(),
        known = known.size,
    )
}

/// Keeps the newest checkpoint in the file, for as long as the runtime runs. A server with a database elsewhere may have no data folder
/// yet.
async fn follow(games: Games, file: PathBuf) {
    let (mut written, mut is_told) = (None, false);
    loop {
        match transparency::newest(&games).await {
            Ok(Some(newest)) if written != Some(newest.size()) => match keep(&file, &newest.note) {
                Ok(()) => (written, is_told) = (Some(newest.size()), false),
                Err(error) => {
                    if !is_told {
                        tracing::error!(file = %file.display(), %error, "the checkpoint cannot be kept");
                    }
                    is_told = true;
                }
            },
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "the newest checkpoint cannot be read"),
        }
        // A checkpoint is signed by whichever process works, and tells nobody.
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
}

fn keep(file: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| !folder.exists()) {
        make_private_folder(folder)?;
    }
    Ok(write(file, text)?)
}

/// Replaces a file at once, and on the disk.
pub fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let draft = file.with_extension(format!("{}.new", std::process::id()));
    let mut new = File::create(&draft)?;
    new.write_all(text.as_bytes())?;
    new.sync_all()?;
    std::fs::rename(&draft, file)?;
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
