//! Checkpoints of games: every position lies at most [`MAX_REPLAYED_EVENTS`] events after one. A move that reaches the end of an
//! interval writes its checkpoint; missing ones are made on other threads when a request needs them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::error::GameError;
use crate::history::progress::{Counted, TurnCount};
use crate::history::replay::{PastPosition, Replay};
use crate::memory::live::LiveGame;
use crate::{Games, MAX_ACTIONS};
use pippost_store::checkpoints::{self, Checkpoint, Mark};
use pippost_store::commit::Append;
use pippost_store::{Seq, StoreError, TurnNumber, events};
use pippost_traffic::{Work, compute};

/// The number of events between checkpoints.
pub const CHECKPOINT_EVENTS: u64 = 256;

/// The most events from a checkpoint to the next: a list that crosses the end of an interval has its checkpoint at its own end.
/// An HTTP thread replays at most so many events to reach a position.
pub const MAX_REPLAYED_EVENTS: u64 = CHECKPOINT_EVENTS + MAX_ACTIONS as u64;

/// How many games get their missing checkpoints at once in one process, because each keeps a processor busy.
const MAX_MAKERS: usize = 1;

/// How long a request waits for missing checkpoints. They are made even if the client disconnects.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a request searches again after damaged checkpoints were removed or missing ones made.
const MAX_LOOKS: usize = 8;

/// A position to replay to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    Event(Seq),
    /// The last event of that turn.
    Turn(TurnNumber),
}

/// Makes missing checkpoints and counts replayed events.
pub(crate) struct Maker {
    places: Arc<Semaphore>,
    replayed: Replayed,
}

/// Counts the events that this process has replayed.
#[derive(Debug, Default)]
pub struct Replayed {
    /// Answering requests, on HTTP threads.
    for_requests: AtomicU64,
    /// Making missing checkpoints, on threads of their own.
    for_checkpoints: AtomicU64,
}

/// Why events are replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Request,
    Checkpoints,
    /// To learn from a game that is over.
    Search,
}

impl Replayed {
    pub(crate) fn count(&self, purpose: Purpose) {
        let counter = match purpose {
            Purpose::Request => &self.for_requests,
            Purpose::Checkpoints => &self.for_checkpoints,
            // Nobody waits for it, and there is a bound of games a day.
            Purpose::Search => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Events replayed on HTTP threads.
    #[must_use]
    pub fn for_requests(&self) -> u64 {
        self.for_requests.load(Ordering::Relaxed)
    }

    /// Events replayed to make missing checkpoints.
    #[must_use]
    pub fn for_checkpoints(&self) -> u64 {
        self.for_checkpoints.load(Ordering::Relaxed)
    }
}

impl Maker {
    pub(crate) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(MAX_MAKERS)), replayed: Replayed::default() }
    }

    pub(crate) fn replayed(&self) -> &Replayed {
        &self.replayed
    }
}

/// A replay that starts at most [`MAX_REPLAYED_EVENTS`] before the goal and reads no further than necessary.
///
/// # Errors
/// [`GameError::NotReady`] if missing checkpoints are not made in time.
pub(super) async fn replay_towards<'a>(
    games: &'a Games,
    live: &'a LiveGame,
    goal: Goal,
) -> Result<Replay<'a>, GameError> {
    for _ in 0..MAX_LOOKS {
        let found = checkpoint_before(games, live, goal).await?;
        let start = found.as_ref().map_or(Seq::START, |checkpoint| checkpoint.seq);
        let end = end_of(games, live, goal, start).await?;
        if end - start > MAX_REPLAYED_EVENTS {
            have_made(games, live, start, end).await?;
            continue;
        }
        let replay = Replay::new(games, live, Purpose::Request, end);
        let Some(checkpoint) = found else { return Ok(replay) };
        if let Some(replay) = replay.at(&checkpoint).await? {
            return Ok(replay);
        }
        remove_damaged(games, &checkpoint).await?;
    }
    Err(GameError::NotReady)
}

async fn checkpoint_before(
    games: &Games,
    live: &LiveGame,
    goal: Goal,
) -> Result<Option<Checkpoint>, GameError> {
    let (database, game_id) = (&games.database, live.fixed.id);
    let found = match goal {
        Goal::Event(seq) => checkpoints::at_or_before(database, game_id, seq).await?,
        Goal::Turn(turn) => {
            // No game has more turns than events.
            let turn = turn.min(live.seq().get().into());
            checkpoints::at_or_before_turn(database, game_id, turn).await?
        }
    };
    // A checkpoint after the newest event known here may belong to another process's move, so it is not used.
    match found {
        Some(later) if later.seq > live.seq() => {
            Ok(checkpoints::at_or_before(database, game_id, live.seq()).await?)
        }
        found => Ok(found),
    }
}

/// The last event that a replay from event `start` to the goal may need.
async fn end_of(games: &Games, live: &LiveGame, goal: Goal, start: Seq) -> Result<Seq, GameError> {
    match goal {
        Goal::Event(seq) => Ok(seq),
        Goal::Turn(_) if live.seq() - start <= MAX_REPLAYED_EVENTS => Ok(live.seq()),
        Goal::Turn(_) => {
            let next = checkpoints::first_after(&games.database, live.fixed.id, start).await?;
            Ok(next.unwrap_or(live.seq()).min(live.seq()))
        }
    }
}

async fn remove_damaged(games: &Games, checkpoint: &Checkpoint) -> Result<(), GameError> {
    let Checkpoint { game_id, seq, .. } = checkpoint;
    tracing::error!(game = %game_id, seq = seq.get(), "a checkpoint is damaged and is removed; it will be made anew");
    checkpoints::remove(&games.database, *game_id, &[*seq]).await?;
    Ok(())
}

/// Waits until another thread has made the checkpoints between two events.
async fn have_made(games: &Games, live: &LiveGame, start: Seq, end: Seq) -> Result<(), GameError> {
    let made = async {
        let place = Arc::clone(&games.inner.maker.places).acquire_owned().await;
        let place = place.map_err(|_closed| GameError::NotReady)?;
        // The request before may have made them.
        let newest = newest_before(games, live, end.back(1)).await?;
        if newest.is_some_and(|(seq, _)| seq > start) {
            return Ok(());
        }
        let (games, live, runtime) = (games.clone(), live.clone(), Handle::current());
        let making = compute(Work::Reading, move || {
            let _place = place;
            runtime.block_on(make_checkpoints(&games, &live, start, end))
        });
        making.await.map_err(|_stopped| GameError::NotReady)?
    };
    tokio::time::timeout(CHECKPOINT_TIMEOUT, made).await.map_err(|_late| GameError::NotReady)?
}

/// Replays from the checkpoint at event `start`, or from event 0, up to event `end`, and writes missing checkpoints on the
/// way. Not for HTTP threads.
pub(crate) async fn make_checkpoints(
    games: &Games,
    live: &LiveGame,
    start: Seq,
    end: Seq,
) -> Result<(), GameError> {
    let mut replay = Replay::new(games, live, Purpose::Checkpoints, end);
    if start > Seq::START {
        let Some(checkpoint) = checkpoints::at_or_before(&games.database, live.fixed.id, start).await? else {
            return Ok(());
        };
        replay = match replay.at(&checkpoint).await? {
            Some(replay) => replay,
            None => return remove_damaged(games, &checkpoint).await,
        };
    }
    let mut last = start;
    while replay.step().await?.is_some() {
        let Some(now) = replay.now().filter(|now| now.seq() >= last + CHECKPOINT_EVENTS) else {
            continue;
        };
        last = now.seq();
        checkpoints::write(&games.database, &checkpoint_of(live.fixed.id, now)).await?;
    }
    Ok(())
}

/// The newest checkpoint at or before event `last`: its event, and the counters there.
async fn newest_before(
    games: &Games,
    live: &LiveGame,
    last: Seq,
) -> Result<Option<(Seq, TurnCount)>, GameError> {
    let found = checkpoints::mark_at_or_before(&games.database, live.fixed.id, last).await?;
    Ok(found.and_then(|(seq, mark)| Some((seq, TurnCount::of_mark(&mark)?))))
}

/// The counters of a checkpoint at most [`MAX_REPLAYED_EVENTS`] before event `last`, and that checkpoint's event.
///
/// # Errors
/// As [`replay_towards`].
pub(super) async fn counted_before(
    games: &Games,
    live: &LiveGame,
    last: Seq,
) -> Result<(Seq, TurnCount), GameError> {
    for _ in 0..MAX_LOOKS {
        let found = newest_before(games, live, last).await?;
        let (seq, progress) = found.unwrap_or_else(|| (Seq::START, TurnCount::at_start()));
        if last - seq <= MAX_REPLAYED_EVENTS {
            return Ok((seq, progress));
        }
        have_made(games, live, seq, last).await?;
    }
    Err(GameError::NotReady)
}

/// The checkpoint that `append` makes if it reaches the end of an interval. This costs the move two short reads. If they
/// fail, or if the checkpoint before is missing, the move is written without one, and it is made when it is needed.
pub(crate) async fn due_checkpoint(games: &Games, append: &Append) -> Option<Mark> {
    let interval_of = |seq: Seq| seq.get() / CHECKPOINT_EVENTS;
    if interval_of(append.expected_seq) == interval_of(append.state.seq) {
        return None;
    }
    match count_to(games, append).await {
        Ok(progress) => progress.map(|progress| progress.mark()),
        Err(error) => {
            tracing::warn!(game = %append.game_id, %error, "a move makes no checkpoint");
            None
        }
    }
}

async fn count_to(games: &Games, append: &Append) -> Result<Option<TurnCount>, StoreError> {
    let (database, game_id, before) = (&games.database, append.game_id, append.expected_seq);
    let found = checkpoints::mark_at_or_before(database, game_id, before).await?;
    let (start, progress) = match found {
        Some((seq, mark)) => (seq, TurnCount::of_mark(&mark)),
        None => (Seq::START, Some(TurnCount::at_start())),
    };
    let Some(progress) = progress.filter(|_| before - start <= MAX_REPLAYED_EVENTS) else {
        return Ok(None);
    };
    let stored = events::lines(database, game_id, start, before).await?;
    Ok(count(progress, stored.iter().chain(&append.lines)))
}

/// The counters after these lines, the first of which is the event of `progress`. `None` if one cannot be read or is missing.
fn count<'a>(mut progress: TurnCount, lines: impl Iterator<Item = &'a String>) -> Option<TurnCount> {
    let mut before: Option<Counted> = None;
    for line in lines {
        let now: Counted = serde_json::from_str(line).ok()?;
        if let Some(before) = before {
            if now.seq != before.seq + 1 {
                return None;
            }
            progress = progress.next(before, now);
        }
        before = Some(now);
    }
    Some(progress)
}

/// A position as it is stored.
fn checkpoint_of(game_id: Uuid, now: &PastPosition) -> Checkpoint {
    Checkpoint { game_id, seq: now.seq(), mark: now.progress.mark(), snapshot: now.table.snapshot() }
}
