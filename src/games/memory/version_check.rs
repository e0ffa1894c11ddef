//! Decides whether a cached game may be shown: the only place that trusts the cache.
//!
//! Before a cached game is shown, the database is asked for its [`VersionStamp`]. All waiting requests of a thread share one
//! statement; requests that arrive while it runs go into the next. So the question is cheap with many readers, and every answer
//! is newer than the request that it is for. `tests/it/laws/memory_model` checks these rules.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::games::Games;
use crate::games::error::GameError;
use crate::games::memory::live::LiveGame;
use crate::games::viewing::view;
use crate::store::games::{VersionStamp, version_stamps};
use crate::store::{Database, StoreError};

/// The most games in one statement.
const MAX_BATCH: usize = 256;

/// The most statements under way at once.
const MAX_UNDER_WAY: usize = 2;

/// The fewest questions for which a second statement is sent.
const MIN_SECOND_BATCH: usize = 8;

/// The capacity of the queue; a further request waits until there is room.
const MAX_WAITING: usize = 4096;

/// The version stamp of a started game; `None` for any other.
type Newest = Result<Option<VersionStamp>, StoreError>;

struct Question {
    game_id: Uuid,
    answer: oneshot::Sender<Newest>,
}

/// Asks the database for version stamps, for all requests of a thread.
pub struct VersionCheck {
    questions: mpsc::Sender<Question>,
}

impl VersionCheck {
    /// Starts the asking task on the current runtime. It ends when this is dropped.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (questions, queue) = mpsc::channel(MAX_WAITING);
        tokio::spawn(ask_all(database, queue));
        Self { questions }
    }

    /// The version stamp of a game in the database at some time between this call and its return; `None` if it has not started.
    ///
    /// # Errors
    /// The database failed.
    pub async fn newest(&self, game_id: Uuid) -> Newest {
        let (answer, newest) = oneshot::channel();
        let gone = || StoreError::Pool("the version check has stopped".into());
        self.questions.send(Question { game_id, answer }).await.map_err(|_| gone())?;
        newest.await.map_err(|_| gone())?
    }
}

/// Sends the waiting questions: at once while no statement is under way, and in a second one when enough of them wait, so that
/// neither the server nor the database idles.
async fn ask_all(database: Database, mut queue: mpsc::Receiver<Question>) {
    let mut waiting = Vec::with_capacity(MAX_BATCH);
    let mut under_way = FuturesUnordered::new();
    loop {
        let least = if under_way.is_empty() { 1 } else { MIN_SECOND_BATCH };
        if under_way.len() < MAX_UNDER_WAY && waiting.len() >= least {
            under_way.push(answer(&database, std::mem::take(&mut waiting)));
        }
        let room = MAX_BATCH - waiting.len();
        tokio::select! {
            biased;
            Some(()) = under_way.next() => {}
            received = queue.recv_many(&mut waiting, room), if room > 0 => {
                if received == 0 {
                    // Nobody asks any more; the last answers still go out.
                    return under_way.collect().await;
                }
            }
        }
    }
}

/// Asks one statement for all of `batch`, whose requests came before it.
async fn answer(database: &Database, batch: Vec<Question>) {
    let ids: Vec<Uuid> = batch.iter().map(|question| question.game_id).collect();
    // Later requests still need an answer.
    let found = AssertUnwindSafe(ask(database, &ids)).catch_unwind().await;
    let found = found.unwrap_or_else(|_panic| Err(StoreError::Corrupt("a version question".into())));
    for question in batch {
        let newest = match &found {
            Ok(found) if found.lost.contains(&question.game_id) => Err(StoreError::LostNode),
            Ok(found) => Ok(found.stamps.get(&question.game_id).copied()),
            Err(error) => Err(error.shared()),
        };
        // The client may have disconnected.
        let _ = question.answer.send(newest);
    }
}

struct Found {
    stamps: HashMap<Uuid, VersionStamp>,
    /// Games whose node failed just now.
    lost: HashSet<Uuid>,
}

/// Asks for all games but those whose node is gone: they must not fail the question of the others.
async fn ask(database: &Database, ids: &[Uuid]) -> Result<Found, StoreError> {
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
                }
                if lost.len() <= known {
                    return Err(error);
                }
            }
        }
    }
}

/// Whether `live` is at least as new as the state with the version stamp `newest`. Every cached game has been committed, so a
/// higher `seq` is a move that was made since the question.
fn may_be_shown(live: &LiveGame, newest: VersionStamp) -> bool {
    live.edition == newest.edition && live.seq() >= newest.seq
}

/// A started game that is as new as the database's, from the cache if that may be shown; `None` if it has not started. Every
/// view of a game reads it through this function.
pub(in crate::games) async fn current(
    games: &Games,
    game_id: Uuid,
) -> Result<Option<Arc<LiveGame>>, GameError> {
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
    let live = view::load_live(games, game_id).await?;
    games.inner.cache.put(&mut slot, Arc::clone(&live));
    Ok(live)
}
