//! How many games a player may end for everybody: an abort counts once it is written, and no other request does.

use std::sync::Arc;

use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::playing::request::Command;
use crate::viewing::view::SeatClaim;
use pippost_accounts::{FACTOR_OF_PROGRAMS, Limiter};

/// An abort that is being written. If it is dropped before it is kept, it does not count.
pub(super) struct CountedAbort {
    limiter: Arc<Limiter<Uuid>>,
    player_id: Uuid,
    factor: u32,
    is_kept: bool,
}

impl CountedAbort {
    /// It was written.
    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for CountedAbort {
    fn drop(&mut self) {
        if !self.is_kept {
            self.limiter.give_back_times(&self.player_id, self.factor);
        }
    }
}

/// Counts an abort that was decided; `None` for every other command.
///
/// # Errors
/// The player has aborted as many games as a player may for now.
pub(super) fn count(
    games: &Games,
    live: &LiveGame,
    claim: &SeatClaim,
    command: &Command,
) -> Result<Option<CountedAbort>, GameError> {
    if !matches!(command, Command::Abort) {
        return Ok(None);
    }
    let player_id = claim.player_id;
    let factor = if live.fixed.is_bot(claim.seat) { FACTOR_OF_PROGRAMS } else { 1 };
    games.aborts.pass_times(&player_id, factor).map_err(GameError::TooManyAborts)?;
    Ok(Some(CountedAbort { limiter: Arc::clone(&games.aborts), player_id, factor, is_kept: false }))
}
