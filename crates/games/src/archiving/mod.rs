//! Moves finished games out of the database into the archive, and back. A game is packed, written, read back and audited from what was
//! read; only then one transaction exchanges its rows for an entry. Whatever is cut off before it leaves at most an object that no
//! entry names.

mod unreferenced;

use time::Duration;
use uuid::Uuid;

pub use unreferenced::{Unreferenced, unreferenced};

use super::Games;
use super::audit;
use super::error::GameError;
use super::playing::set_aside::for_each;
use pippost_archive::{ObjectWriter, PackedGame};
use pippost_record::record::Hash;
use pippost_store::archived_games::{self, ArchivedGame, DueGames};
use pippost_store::audit::GameSnapshot;
use pippost_store::set_aside::Task;
use pippost_store::{GameStatus, Seq, StoreError};

/// How many games one step moves.
pub const BATCH: i64 = 64;

/// How long others leave a game alone that a process moves; a crashed one is followed by another after it.
const TAKEN_FOR: Duration = Duration::minutes(10);

/// The archived games that are listed by one query.
const PAGE: i64 = 200;

/// Moves games that ended so many days ago, at most [`BATCH`]; returns how many this call moved. A game that causes a failure is set
/// aside.
///
/// # Errors
/// The database or the archive failed; games that were moved stay so.
pub async fn archive_due(games: &Games, after_days: u16) -> Result<usize, GameError> {
    let now = games.now();
    let before = now - Duration::days(after_days.into());
    let due = archived_games::due(&games.database, before, now, BATCH).await?;
    let moved = for_each(games, Task::Archive, due, 1, |game_id| Box::pin(archive_game(games, game_id)));
    Ok(moved.await?.len())
}

/// The games that [`archive_due`] would move.
///
/// # Errors
/// The database failed.
pub async fn due(games: &Games, after_days: u16) -> Result<DueGames, GameError> {
    let before = games.now() - Duration::days(after_days.into());
    Ok(archived_games::count_due(&games.database, before, games.now()).await?)
}

/// Moves a game; false if another process has it, or it is not to be moved.
///
/// # Errors
/// The database or the archive failed, or the game is damaged.
pub async fn archive_game(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let now = games.now();
    if !archived_games::take(&games.database, game_id, now, now + TAKEN_FOR).await? {
        return Ok(false);
    }
    let moved = move_taken(games, game_id).await;
    if !matches!(moved, Ok(true)) {
        archived_games::give_back(&games.database, game_id).await?;
    }
    moved
}

async fn move_taken(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let Some(packed) = pack(games, game_id).await? else { return Ok(false) };
    write(games, &packed).await?;
    let head = check(games, game_id, &packed).await?;
    exchange(games, game_id, &packed, &head).await
}

/// Step 1: packs a finished game, from one snapshot of the database; `None` if it is not finished, or archived already.
///
/// # Errors
/// The database failed, or the game cannot be packed.
pub async fn pack(games: &Games, game_id: Uuid) -> Result<Option<PackedGame>, GameError> {
    let mut snapshot = GameSnapshot::open(&games.database, game_id).await?;
    let packed = pack_from(&mut snapshot, game_id).await;
    snapshot.close().await?;
    packed
}

async fn pack_from(snapshot: &mut GameSnapshot, game_id: Uuid) -> Result<Option<PackedGame>, GameError> {
    let whole = snapshot.whole().await?;
    let is_over = whole.is_some_and(|whole| whole.game.status == GameStatus::Finished);
    if !is_over || snapshot.archived().await?.is_some() {
        return Ok(None);
    }
    let missing = || GameError::Corrupt(game_id, "events or lines of its clock log are missing".into());
    let mut writer = ObjectWriter::new(game_id);
    let mut next = Seq::START;
    loop {
        let page = snapshot.lines(next).await?;
        if page.is_empty() {
            break;
        }
        for (seq, line) in page {
            if seq != next {
                return Err(missing());
            }
            writer.event(&line).map_err(StoreError::from)?;
            next = next.next();
        }
    }
    let mut next = 0;
    loop {
        let page = snapshot.clock_lines(next).await?;
        if page.is_empty() {
            break;
        }
        for row in page {
            if row.number != next {
                return Err(missing());
            }
            writer.clock_line(&row.line, row.openings.as_deref()).map_err(StoreError::from)?;
            next += 1;
        }
    }
    Ok(Some(writer.finish().map_err(StoreError::from)?))
}

/// Step 2: writes the object.
///
/// # Errors
/// The archive does not take it.
pub async fn write(games: &Games, packed: &PackedGame) -> Result<(), GameError> {
    let archive = games.database.archive().map_err(StoreError::from)?;
    Ok(archive.put(packed).await.map_err(StoreError::from)?)
}

/// Step 3: reads the object back and audits the game from it; the hash of its last event.
///
/// # Errors
/// The object cannot be had, is another one, or does not lead to the game as it is stored.
pub async fn check(games: &Games, game_id: Uuid, packed: &PackedGame) -> Result<Hash, GameError> {
    let archive = games.database.archive().map_err(StoreError::from)?;
    let object = archive.read(packed.name).await.map_err(StoreError::from)?;
    ArchivedGame::of(game_id, packed, games.now()).check(&object)?;
    object.checked_digest().map_err(StoreError::from)?;
    let audited = audit::audit_object(games, game_id, object).await?;
    audited.map_err(|why| GameError::Corrupt(game_id, why))
}

/// Step 4: exchanges the rows for an entry; false if the game has changed, or another process was faster.
///
/// # Errors
/// The database failed or refused.
pub async fn exchange(
    games: &Games,
    game_id: Uuid,
    packed: &PackedGame,
    head: &Hash,
) -> Result<bool, GameError> {
    let entry = ArchivedGame::of(game_id, packed, games.now());
    Ok(archived_games::move_out(&games.database, &entry, head).await?)
}

/// Brings a game back into the database, where it stays; false if it is not archived. Its object is left.
///
/// # Errors
/// The database or the archive failed.
pub async fn restore(games: &Games, game_id: Uuid) -> Result<bool, GameError> {
    let entry = archived_games::find(&mut *games.database.get().await?, game_id).await?;
    let Some(entry) = entry else { return Ok(false) };
    let archive = games.database.archive().map_err(StoreError::from)?;
    let object = archive.read(entry.name()?).await.map_err(StoreError::from)?;
    entry.check(&object)?;
    Ok(archived_games::move_back(&games.database, &object).await?)
}

/// Archived games after that one, in the order of their ids, a page of them.
///
/// # Errors
/// The database failed.
pub async fn archived(games: &Games, after: Uuid) -> Result<Vec<ArchivedGame>, GameError> {
    Ok(archived_games::page(&games.database, after, PAGE).await?)
}
