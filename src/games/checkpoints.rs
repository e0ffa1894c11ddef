//! Checkpoints of games: every position lies at most [`MAX_REPLAYED_EVENTS`] events after one. A move that reaches the end of an
//! interval writes its checkpoint; missing ones are made on other threads when a request needs them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::act::to_database;
use super::error::GameError;
use super::live::LiveGame;
use super::progress::{Counted, Progress};
use super::replay::{PastPosition, Replay};
use super::{Games, MAX_ACTIONS};
use crate::commit::Append;
use crate::store::checkpoints::{self, Checkpoint, Mark};
use crate::store::{StoreError, events};

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
    Event(u64),
    /// The last event of that turn.
    Turn(u64),
}

/// Makes missing checkpoints and counts replayed events.
pub(super) struct Maker {
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
pub(super) enum Purpose {
    Request,
    Checkpoints,
}

impl Replayed {
    pub(super) fn count(&self, purpose: Purpose) {
        let counter = match purpose {
            Purpose::Request => &self.for_requests,
            Purpose::Checkpoints => &self.for_checkpoints,
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
    pub(super) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(MAX_MAKERS)), replayed: Replayed::default() }
    }
}

impl Games {
    /// How many events this process has replayed.
    #[must_use]
    pub fn replayed(&self) -> &Replayed {
        &self.inner.maker.replayed
    }

    /// A replay that starts at most [`MAX_REPLAYED_EVENTS`] before the goal and reads no further than necessary.
    ///
    /// # Errors
    /// [`GameError::NotReady`] if missing checkpoints are not made in time.
    pub(super) async fn replay_towards<'a>(
        &'a self,
        live: &'a LiveGame,
        goal: Goal,
    ) -> Result<Replay<'a>, GameError> {
        for _ in 0..MAX_LOOKS {
            let found = self.checkpoint_before(live, goal).await?;
            let start = found.as_ref().map_or(0, seq_of);
            let end = self.end_of(live, goal, start).await?;
            if end.saturating_sub(start) > MAX_REPLAYED_EVENTS {
                self.have_made(live, start, end).await?;
                continue;
            }
            let replay = Replay::new(self, live, Purpose::Request, end);
            let Some(checkpoint) = found else { return Ok(replay) };
            if let Some(replay) = replay.at(&checkpoint).await? {
                return Ok(replay);
            }
            self.remove_damaged(&checkpoint).await?;
        }
        Err(GameError::NotReady)
    }

    async fn checkpoint_before(&self, live: &LiveGame, goal: Goal) -> Result<Option<Checkpoint>, GameError> {
        let (database, game_id) = (&self.database, live.fixed.id);
        let found = match goal {
            Goal::Event(seq) => checkpoints::at_or_before(database, game_id, to_database(seq)).await?,
            Goal::Turn(turn) => {
                // No game has more turns than events.
                let turn = to_database(turn.min(live.seq()));
                checkpoints::at_or_before_turn(database, game_id, turn).await?
            }
        };
        // A checkpoint after the newest event known here may belong to another process's move, so it is not used.
        match found {
            Some(later) if seq_of(&later) > live.seq() => {
                Ok(checkpoints::at_or_before(database, game_id, to_database(live.seq())).await?)
            }
            found => Ok(found),
        }
    }

    /// The last event that a replay from event `start` to the goal may need.
    async fn end_of(&self, live: &LiveGame, goal: Goal, start: u64) -> Result<u64, GameError> {
        match goal {
            Goal::Event(seq) => Ok(seq),
            Goal::Turn(_) if live.seq() - start <= MAX_REPLAYED_EVENTS => Ok(live.seq()),
            Goal::Turn(_) => {
                let next =
                    checkpoints::first_after(&self.database, live.fixed.id, to_database(start)).await?;
                let next = next.and_then(|next| u64::try_from(next).ok());
                Ok(next.unwrap_or(live.seq()).min(live.seq()))
            }
        }
    }

    async fn remove_damaged(&self, checkpoint: &Checkpoint) -> Result<(), GameError> {
        let Checkpoint { game_id, seq, .. } = checkpoint;
        tracing::error!(game = %game_id, seq, "a checkpoint is damaged and is removed; it will be made anew");
        checkpoints::remove(&self.database, *game_id, &[*seq]).await?;
        Ok(())
    }

    /// Waits until another thread has made the checkpoints between two events.
    async fn have_made(&self, live: &LiveGame, start: u64, end: u64) -> Result<(), GameError> {
        let made = async {
            let place = Arc::clone(&self.inner.maker.places).acquire_owned().await;
            let place = place.map_err(|_closed| GameError::NotReady)?;
            // The request before may have made them.
            let newest = self.newest_before(live, end.saturating_sub(1)).await?;
            if newest.is_some_and(|(seq, _)| seq > start) {
                return Ok(());
            }
            let (games, live, runtime) = (self.clone(), live.clone(), Handle::current());
            let making = tokio::task::spawn_blocking(move || {
                let _place = place;
                runtime.block_on(games.make_checkpoints(&live, start, end))
            });
            making.await.map_err(|_stopped| GameError::NotReady)?
        };
        tokio::time::timeout(CHECKPOINT_TIMEOUT, made).await.map_err(|_late| GameError::NotReady)?
    }

    /// Replays from the checkpoint at event `start`, or from event 0, up to event `end`, and writes missing checkpoints on the
    /// way. Not for HTTP threads.
    pub(super) async fn make_checkpoints(
        &self,
        live: &LiveGame,
        start: u64,
        end: u64,
    ) -> Result<(), GameError> {
        let mut replay = Replay::new(self, live, Purpose::Checkpoints, end);
        if start > 0 {
            let Some(checkpoint) =
                checkpoints::at_or_before(&self.database, live.fixed.id, to_database(start)).await?
            else {
                return Ok(());
            };
            replay = match replay.at(&checkpoint).await? {
                Some(replay) => replay,
                None => return self.remove_damaged(&checkpoint).await,
            };
        }
        let mut last = start;
        while replay.step().await?.is_some() {
            let Some(now) = replay.now().filter(|now| now.event.seq >= last + CHECKPOINT_EVENTS) else {
                continue;
            };
            last = now.event.seq;
            checkpoints::write(&self.database, &checkpoint_of(live.fixed.id, now)).await?;
        }
        Ok(())
    }

    /// The newest checkpoint at or before event `last`: its event, and the counters there.
    async fn newest_before(&self, live: &LiveGame, last: u64) -> Result<Option<(u64, Progress)>, GameError> {
        let found = checkpoints::mark_at_or_before(&self.database, live.fixed.id, to_database(last)).await?;
        Ok(found.and_then(|(seq, mark)| Some((u64::try_from(seq).ok()?, Progress::of_mark(&mark)?))))
    }

    /// The counters of a checkpoint at most [`MAX_REPLAYED_EVENTS`] before event `last`, and that checkpoint's event.
    ///
    /// # Errors
    /// As [`Games::replay_towards`].
    pub(super) async fn counted_before(
        &self,
        live: &LiveGame,
        last: u64,
    ) -> Result<(u64, Progress), GameError> {
        for _ in 0..MAX_LOOKS {
            let found = self.newest_before(live, last).await?;
            let (seq, progress) = found.unwrap_or_else(|| (0, Progress::at_start()));
            if last - seq <= MAX_REPLAYED_EVENTS {
                return Ok((seq, progress));
            }
            self.have_made(live, seq, last).await?;
        }
        Err(GameError::NotReady)
    }

    /// The checkpoint that `append` makes if it reaches the end of an interval. This costs the move two short reads. If they
    /// fail, or if the checkpoint before is missing, the move is written without one, and it is made when it is needed.
    pub(super) async fn due_checkpoint(&self, append: &Append) -> Option<Mark> {
        let interval = to_database(CHECKPOINT_EVENTS);
        if append.expected_seq / interval == append.state.seq / interval {
            return None;
        }
        match self.count_to(append).await {
            Ok(progress) => progress.map(|progress| progress.mark()),
            Err(error) => {
                tracing::warn!(game = %append.game_id, %error, "a move makes no checkpoint");
                None
            }
        }
    }

    async fn count_to(&self, append: &Append) -> Result<Option<Progress>, StoreError> {
        let (database, game_id, before) = (&self.database, append.game_id, append.expected_seq);
        let found = checkpoints::mark_at_or_before(database, game_id, before).await?;
        let (start, progress) = match found {
            Some((seq, mark)) => (seq, Progress::of_mark(&mark)),
            None => (0, Some(Progress::at_start())),
        };
        let Some(progress) = progress.filter(|_| before - start <= to_database(MAX_REPLAYED_EVENTS)) else {
            return Ok(None);
        };
        let stored = events::lines(database, game_id, start, before).await?;
        Ok(count(progress, stored.iter().chain(&append.lines)))
    }
}

/// The counters after these lines, the first of which is the event of `progress`. `None` if one cannot be read or is missing.
fn count<'a>(mut progress: Progress, lines: impl Iterator<Item = &'a String>) -> Option<Progress> {
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

fn seq_of(checkpoint: &Checkpoint) -> u64 {
    u64::try_from(checkpoint.seq).unwrap_or_default()
}

/// A position as it is stored.
pub(super) fn checkpoint_of(game_id: Uuid, now: &PastPosition) -> Checkpoint {
    Checkpoint {
        game_id,
        seq: to_database(now.event.seq),
        mark: now.progress.mark(),
        snapshot: now.table.snapshot(),
    }
}
