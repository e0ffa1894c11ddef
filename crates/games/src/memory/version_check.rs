//! Decides whether a cached game may be shown: the only place that trusts the cache.
//!
//! Before a cached game is shown, the database is asked for its [`VersionStamp`]. All waiting requests of a thread share one
//! statement; requests that arrive while it runs go into the next. So the question is cheap with many readers, and every answer
//! is newer than the request that it is for. `tests/memory_model` checks these rules.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::FutureExt;
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use pippost_store::games::{VersionStamp, WholeGame, version_stamps};
use pippost_store::grouped::{Grouped, MAX_LARGE, MAX_SMALL};
use pippost_store::{Database, StoreError, games as stored};

/// Asks the database for version stamps and for games that are not cached, for all requests of a thread.
pub struct VersionCheck {
    stamps: Grouped<Uuid, Stamp>,
    games: Grouped<Uuid, Loaded>,
}

/// The version stamp of a started game; `None` for any other. Fails if the game's node is gone.
type Stamp = Result<Option<VersionStamp>, StoreError>;

/// A game, if it exists.
type Loaded = Result<Option<WholeGame>, StoreError>;

impl VersionCheck {
    /// Starts the asking tasks on the current runtime. They end when this is dropped.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let for_games = database.clone();
        Self {
            stamps: Grouped::start(MAX_SMALL, move |ids| ask(database.clone(), ids).boxed()),
            games: Grouped::start(MAX_LARGE, move |ids| load(for_games.clone(), ids).boxed()),
        }
    }

    /// The version stamp of a game in the database at some time between this call and its return; `None` if it has not started.
    ///
    /// # Errors
    /// The database failed.
    pub async fn newest(&self, game_id: Uuid) -> Result<Option<VersionStamp>, StoreError> {
        self.stamps.ask(game_id).await?
    }
}

async fn ask(database: Database, ids: Vec<Uuid>) -> Result<Vec<Stamp>, StoreError> {
    let found = find(&database, &ids).await?;
    let of_game = |id| {
        if found.lost.contains(id) { Err(StoreError::LostNode) } else { Ok(found.stamps.get(id).copied()) }
    };
    Ok(ids.iter().map(of_game).collect())
}

struct Found {
    stamps: HashMap<Uuid, VersionStamp>,
    /// Games whose node failed just now.
    lost: HashSet<Uuid>,
}

/// Asks for all games but those whose node is gone: they must not fail the question of the others.
async fn find(database: &Database, ids: &[Uuid]) -> Result<Found, StoreError> {
    let (mut connection, nodes) = (database.get().await?, database.lost_nodes());
    let mut lost = nodes.games_among(&connection, ids).await?;
    loop {
        let asked: Vec<Uuid> = ids.iter().filter(|id| !lost.contains(id)).copied().collect();
        if asked.is_empty() && !ids.is_empty() {
            return Ok(Found { stamps: HashMap::new(), lost });
        }
        match version_stamps(&mut connection, &asked).await {
            Ok(stamps) => return Ok(Found { stamps: stamps.into_iter().collect(), lost }),
            Err(error) => {
                let known = lost.len();
                if nodes.note(&error) {
                    lost = nodes.games_among(&connection, ids).await?;
                } else if nodes.has_silent() && error.is_of_the_connection() {
                    connection = database.get().await?;
                    lost = nodes.games_among(&connection, ids).await?;
                }
                if lost.len() <= known {
                    return Err(error);
                }
            }
        }
    }
}

async fn load(database: Database, ids: Vec<Uuid>) -> Result<Vec<Loaded>, StoreError> {
    // On a cluster the games of a node that is gone must not fail the others.
    if !database.topology().is_citus()
        && let [_, _, ..] = ids[..]
    {
        match stored::load_all(&database, &ids).await {
            Ok(found) => {
                let found: HashMap<_, _> = found.into_iter().map(|whole| (whole.game.id, whole)).collect();
                // Several may wait for the same game.
                return Ok(ids.iter().map(|id| Ok(found.get(id).cloned())).collect());
            }
            Err(error) if error.is_of_the_connection() => return Err(error),
            // A row that cannot be read must not fail the others.
            Err(_) => {}
        }
    }
    let mut loaded = Vec::with_capacity(ids.len());
    for id in ids {
        loaded.push(stored::load(&database, id).await);
    }
    Ok(loaded)
}

/// Whether `live` is at least as new as the state with the version stamp `newest`. Every cached game has been committed, so a
/// higher `seq` is a move that was made since the question.
fn may_be_shown(live: &LiveGame, newest: VersionStamp) -> bool {
    #[cfg(debug_assertions)]
    if pippost_store::planted::Fault::StaleRead.is_planted() {
        return true;
    }
    live.edition == newest.edition && live.seq() >= newest.seq
}

/// A started game that is as new as the database's, from the cache if that may be shown; `None` if it has not started. Every
/// view of a game reads it through this function.
pub(crate) async fn current(games: &Games, game_id: Uuid) -> Result<Option<Arc<LiveGame>>, GameError> {
    let Some(newest) = games.version_check.newest(game_id).await? else { return Ok(None) };
    if let Some(live) = games.inner.cache.peek(game_id).filter(|live| may_be_shown(live, newest)) {
        return Ok(Some(live));
    }
    // Boxed, because it is rare and would enlarge the future of every view.
    Box::pin(wait_or_load(games, game_id, newest)).await.map(Some)
}

/// Waits for a move of this process, then returns the game from the cache or the database.
async fn wait_or_load(
    games: &Games,
    game_id: Uuid,
    newest: VersionStamp,
) -> Result<Arc<LiveGame>, GameError> {
    let mut slot = games.inner.cache.lock(game_id).await;
    if let Some(live) = slot.get().filter(|live| may_be_shown(live, newest)) {
        return Ok(live);
    }
    let whole = games.version_check.games.ask(game_id).await??.ok_or(GameError::NotFound)?;
    let live = Arc::new(LiveGame::restore(&whole, &games.inner.secret)?);
    games.inner.cache.put(&mut slot, Arc::clone(&live));
    Ok(live)
}
