//! Time without a player: flags fall and reminders go out with nobody looking, once whatever the number of workers.

use uuid::Uuid;

use super::Games;
use super::act::pass_turn;
use super::error::GameError;
use super::live::LiveGame;
use crate::record::{Act, Moment};
use crate::store::append::Append;
use crate::store::turns;

/// The most games looked at in one step.
const BATCH: i64 = 100;

impl Games {
    /// Ends the turns whose time is up; returns how many flags fell here.
    ///
    /// # Errors
    /// The database failed; what has fallen stays fallen. A game that cannot be read is passed over.
    pub async fn let_flags_fall(&self) -> Result<usize, GameError> {
        let due = turns::past_deadline(&self.database, self.inner.clock.now(), BATCH).await?;
        let mut fallen = 0;
        for game_id in due {
            fallen += usize::from(or_passed_over(self.let_flag_fall(game_id).await)?);
        }
        Ok(fallen)
    }

    async fn let_flag_fall(&self, game_id: Uuid) -> Result<bool, GameError> {
        let mut slot = self.inner.cache.lock(game_id).await;
        // From the database, not from memory: another process may have moved.
        let live = self.load_live(game_id).await?;
        slot.take();
        let Some(append) = self.fall_of_flag(&live)? else { return Ok(false) };
        let (fallen, slot) = self.commit(append, slot).await?;
        self.inner.cache.forget(slot);
        Ok(fallen)
    }

    /// The `timeout` that is due in a game, if one is.
    pub(super) fn fall_of_flag(&self, live: &LiveGame) -> Result<Option<Append>, GameError> {
        let now = self.inner.clock.now();
        let Some(turn) = live.turn.filter(|turn| turn.deadline_at.is_some_and(|deadline| deadline <= now))
        else {
            return Ok(None);
        };
        let mut next = live.clone();
        let recorded = next.chronicle.act(Act::Timeout { seat: turn.seat }, Moment::new(now));
        let recorded = recorded.map_err(|refused| GameError::Corrupt(live.fixed.id, refused.to_string()))?;
        pass_turn(live, &mut next, now, None);
        Ok(Some(self.append_of(live, &next, vec![recorded.line])))
    }

    /// Queues one reminder for every turn with a quarter of its time left; returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn remind(&self) -> Result<usize, GameError> {
        let reminded = turns::remind(&self.database, self.inner.clock.now(), BATCH).await?;
        if reminded > 0 {
            self.inner.bell.ring();
        }
        Ok(reminded)
    }

    /// Forgets saved answers that are older than they are kept; returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_saved_answers(&self) -> Result<usize, GameError> {
        let before = self.inner.clock.now() - KEPT_FOR;
        Ok(crate::store::saved_answers::forget(&self.database, before, FORGOTTEN_AT_ONCE).await?)
    }
}

/// One game that cannot be read must not stop the clocks of all others: it is logged, and left to the audit.
pub(super) fn or_passed_over(done: Result<bool, GameError>) -> Result<bool, GameError> {
    match done {
        Err(error @ GameError::Corrupt(..)) => {
            tracing::error!(%error, "a game is passed over");
            Ok(false)
        }
        done => done,
    }
}

/// The most saved answers that one statement removes.
const FORGOTTEN_AT_ONCE: i64 = 1000;

/// How long the answer to an `Idempotency-Key` is kept.
pub const KEPT_FOR: time::Duration = time::Duration::days(7);
