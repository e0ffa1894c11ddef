//! Checks the object of an archived game, and makes the audit of the game read it.

use super::finding::{Findings, Subject};
use crate::Games;
use crate::error::GameError;
use pippost_archive::{ArchiveError, GameObject};
use pippost_store::archived_games::ArchivedGame;
use pippost_store::audit::GameSnapshot;
use pippost_store::{Seq, StoreError};

/// Lets `snapshot` read from the archive if the game is there; false if the object cannot be had.
pub(super) async fn open(
    games: &Games,
    snapshot: &mut GameSnapshot,
    findings: &mut Findings,
) -> Result<bool, GameError> {
    let Some(entry) = snapshot.archived().await? else { return Ok(true) };
    if !snapshot.lines(Seq::START).await?.is_empty() || !snapshot.clock_lines(0).await?.is_empty() {
        findings
            .note(Subject::Archive, "it is archived, and yet there are rows of its history in the database");
    }
    match read(games, &entry).await {
        Ok(object) => {
            snapshot.read_from(object);
            Ok(true)
        }
        // Of any cause, so that one object does not end the audit of all other games.
        Err(StoreError::Archive(why)) => {
            findings.note(Subject::Archive, format!("it is archived, but {why}"));
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// The object as the store has it now, with all its lines hashed.
async fn read(games: &Games, entry: &ArchivedGame) -> Result<GameObject, StoreError> {
    let name = entry.name()?;
    let object = games.database.archive()?.read(name).await?;
    entry.check(&object)?;
    if object.checked_digest()?.as_bytes().as_slice() != entry.digest {
        return Err(ArchiveError::Altered(name, "its lines are not those that were archived").into());
    }
    Ok(object)
}
