//! Proofs from the log: that it holds an entry of a game, and that it continues a smaller tree.

use serde_json::json;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::viewing::view::Requester;
use crate::viewing::visibility::expect_visible;
use pippost_log::note::Note;
use pippost_log::proof::Proof;
use pippost_log::tiles::wanted;
use pippost_log::tree::{self, Hash};
use pippost_record::record::Hash as EventHash;
use pippost_store::transparency::{self, StoredCheckpoint};
use pippost_store::{Seq, StoreError};

/// Which entry of a game a proof is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WantedEntry {
    /// Its number; without it the newest.
    pub seq: Option<Seq>,
    /// Its hash. Whoever names that knows the event, and is told no more than that the log has it.
    pub hash: Option<EventHash>,
}

/// The proof that the log holds an entry of a game.
///
/// # Errors
/// There is no such entry for this requester, or the database failed.
pub async fn proof(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
    entry: WantedEntry,
) -> Result<Proof, GameError> {
    if entry.hash.is_none() {
        expect_visible(games, game_id, requester).await?;
    }
    let logged = transparency::logged_entry(&games.database, game_id, entry.seq.unwrap_or(Seq::MAX)).await?;
    let logged = logged.filter(|logged| {
        let same_hash = entry.hash.is_none_or(|hash| *hash.as_bytes() == logged.hash);
        same_hash && entry.seq.is_none_or(|seq| seq == logged.seq)
    });
    let logged = logged.ok_or(GameError::NotFound)?;
    // Read after the entry, so that it covers it.
    let newest = transparency::checkpoint(&games.database).await?.ok_or(GameError::NotFound)?;
    let (note, size) = newest.note_with(logged.index);
    let hashes = inclusion(games, logged.index, size).await?;
    let mut said = json!({"game": game_id, "seq": logged.seq, "hash": EventHash::from_bytes(logged.hash)});
    if let Some(policy) = games.inner.witnesses.get() {
        said["witnesses"] = json!(policy);
    }
    let checkpoint = Note::read(note).map_err(|_| corrupt())?;
    Ok(Proof { extra: Some(said.to_string().into_bytes()), index: logged.index, hashes, checkpoint })
}

fn corrupt() -> GameError {
    StoreError::Corrupt("the tree of the log".to_owned()).into()
}

async fn inclusion(games: &Games, index: u64, size: u64) -> Result<Vec<Hash>, GameError> {
    let needed = wanted(size, |ask| {
        let _asked = tree::prove_inclusion(&|level, at| ask(level, at), index, size);
    });
    let tiles = transparency::tiles(&games.database, &needed).await?;
    tree::prove_inclusion(&tiles, index, size).ok_or_else(corrupt)
}

/// The proof that the log of `new` entries continues that of `old`; `None` if it has fewer.
///
/// # Errors
/// The database failed.
pub async fn consistency(games: &Games, old: u64, new: u64) -> Result<Option<Vec<Hash>>, GameError> {
    if old > new {
        return Ok(None);
    }
    let needed = wanted(new, |ask| {
        let _asked = tree::prove_consistency(&|level, at| ask(level, at), old, new);
    });
    let tiles = transparency::tiles(&games.database, &needed).await?;
    tree::prove_consistency(&tiles, old, new).map(Some).ok_or_else(corrupt)
}

/// The root of the log when it had so many entries; `None` if it has fewer.
///
/// # Errors
/// The database failed.
pub async fn root_at(games: &Games, size: u64) -> Result<Option<Hash>, GameError> {
    let Some(newest) = newest(games).await?.filter(|newest| newest.size() >= size) else { return Ok(None) };
    let needed = wanted(newest.size(), |ask| {
        let _asked = tree::root(&|level, at| ask(level, at), size);
    });
    let tiles = transparency::tiles(&games.database, &needed).await?;
    tree::root(&tiles, size).map(Some).ok_or_else(corrupt)
}

/// The newest checkpoint; `None` if there is no log.
///
/// # Errors
/// The database failed.
pub async fn newest(games: &Games) -> Result<Option<StoredCheckpoint>, GameError> {
    Ok(transparency::checkpoint(&games.database).await?)
}

/// Keeps the note of a tree of that size with the signatures of witnesses.
///
/// # Errors
/// The database failed.
pub async fn keep_cosigned(games: &Games, size: u64, note: &str) -> Result<(), GameError> {
    Ok(transparency::keep_cosigned(&games.database, size, note).await?)
}
