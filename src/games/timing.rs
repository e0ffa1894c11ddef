//! Timeouts and reminders. Each happens once, however many workers run.

use uuid::Uuid;

use super::Games;
use super::act::pass_turn;
use super::error::GameError;
use super::live::LiveGame;
use crate::commit::{self, Append};
use crate::record::{Act, Timestamp};
use crate::store::set_aside::{self, Task};
use crate::store::turns;

/// The most games read by one statement.
const BATCH: i64 = 100;

/// The most such statements in one step.
const MAX_BATCHES: usize = 10;

impl Games {
    /// Ends the turns whose time is up; returns how many this call ended. A game that causes a failure is set aside, and the next
    /// one is tried instead.
    ///
    /// # Errors
    /// The database failed; turns that were ended stay ended.
    pub async fn let_flags_fall(&self) -> Result<usize, GameError> {
        let mut fallen = 0;
        for _ in 0..MAX_BATCHES {
            let due = turns::past_deadline(&self.database, self.inner.clock.now(), BATCH).await?;
            let is_last = due.len() < usize::try_from(BATCH).unwrap_or_default();
            for game_id in due {
                let fell = self.or_set_aside(Task::Flag, game_id, self.let_due_flag_fall(game_id)).await?;
                fallen += usize::from(fell == Some(true));
            }
            if is_last {
                break;
            }
        }
        Ok(fallen)
    }

    /// True if this call ended the turn, false if another process was faster.
    async fn let_due_flag_fall(&self, game_id: Uuid) -> Result<bool, GameError> {
        let fallen = self.let_flag_fall(game_id).await?;
        let now = self.inner.clock.now();
        if !fallen && turns::is_past_deadline(&self.database, game_id, now).await? {
            return Err(GameError::Corrupt(game_id, "its deadline is past, and no flag can fall".to_owned()));
        }
        if fallen {
            set_aside::clear(&self.database, Task::Flag, game_id).await?;
        }
        Ok(fallen)
    }

    async fn let_flag_fall(&self, game_id: Uuid) -> Result<bool, GameError> {
        let mut slot = self.inner.cache.lock(game_id).await;
        // Read from the database, not from the cache: another process may have moved.
        let live = self.load_live(game_id).await?;
        slot.take();
        let Some(append) = self.fall_of_flag(&live)? else { return Ok(false) };
        let (fallen, slot) = self.commit(append, slot).await?;
        self.inner.cache.forget(slot);
        Ok(fallen)
    }

    /// The `timeout` that is due in a game, if any.
    pub(super) fn fall_of_flag(&self, live: &LiveGame) -> Result<Option<Append>, GameError> {
        let now = self.inner.clock.now();
        let Some(turn) = live.turn.filter(|turn| turn.deadline_at.is_some_and(|deadline| deadline <= now))
        else {
            return Ok(None);
        };
        let mut draft = live.chronicle.draft();
        let drafted = draft.act(Act::Timeout { seat: turn.seat });
        drafted.map_err(|refused| GameError::Corrupt(live.fixed.id, refused.to_string()))?;
        let (after, events) = draft.accept().play(Timestamp::new(now));
        let mut next = live.after(after);
        pass_turn(live, &mut next, now, None);
        Ok(Some(self.append_of(live, &next, events.into_iter().map(|event| event.line).collect())))
    }

    /// Queues one reminder for every turn with a quarter of its time left; returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn remind(&self) -> Result<usize, GameError> {
        let reminded = commit::remind(&self.database, self.inner.clock.now(), BATCH).await?;
        if reminded > 0 {
            self.inner.outbox_signal.notify();
        }
        Ok(reminded)
    }

    /// Deletes stored responses that have expired; returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_stored_responses(&self) -> Result<usize, GameError> {
        let before = self.inner.clock.now() - RESPONSE_LIFETIME;
        Ok(crate::store::stored_responses::forget(&self.database, before, FORGOTTEN_AT_ONCE).await?)
    }
}

/// The most stored responses that one statement removes.
const FORGOTTEN_AT_ONCE: i64 = 1000;

/// How long the response to an `Idempotency-Key` is stored.
pub const RESPONSE_LIFETIME: time::Duration = time::Duration::days(7);
