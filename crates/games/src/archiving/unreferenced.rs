//! Objects that no entry names: left behind by a crash, or by a game that was brought back.

use std::collections::HashSet;

use crate::Games;
use crate::error::GameError;
use pippost_archive::Listed;
use pippost_record::record::Hash;
use pippost_store::{StoreError, archived_games};

/// Names that one query looks up; a store's page has no more.
const LOOKED_UP: usize = 1000;

/// What lies in the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreferenced {
    pub objects: u64,
    /// Those that no entry names, and what has another name than objects.
    pub unreferenced: u64,
    pub unreferenced_bytes: u64,
}

/// Reports what no entry names. An object that is being written at this moment is among them.
///
/// # Errors
/// The database or the archive failed.
pub async fn unreferenced(
    games: &Games,
    report: &mut (dyn FnMut(&Listed) + Send),
) -> Result<Unreferenced, GameError> {
    let archive = games.database.archive().map_err(StoreError::from)?;
    let mut found = Unreferenced::default();
    let mut cursor = None;
    loop {
        let (page, next) = archive.list(cursor).await.map_err(StoreError::from)?;
        for listed in page.chunks(LOOKED_UP) {
            let names: Vec<Hash> = listed.iter().filter_map(|listed| listed.name).collect();
            let named: HashSet<Vec<u8>> =
                archived_games::referenced(&games.database, &names).await?.into_iter().collect();
            for listed in listed {
                found.objects += 1;
                let is_named = |name: Hash| named.contains(name.as_bytes().as_slice());
                if !listed.name.is_some_and(is_named) {
                    found.unreferenced += 1;
                    found.unreferenced_bytes += listed.bytes;
                    report(listed);
                }
            }
        }
        cursor = next;
        if cursor.is_none() {
            return Ok(found);
        }
    }
}
