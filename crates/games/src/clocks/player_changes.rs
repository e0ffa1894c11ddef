//! What changes of a clock by its players have in common.

use uuid::Uuid;

use super::changing::{Changed, Decision, change};
use super::outages::{give_back_to, is_behind};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::viewing::view;
use pippost_clock::log::{self, MAX_LINES, Opened};
use pippost_clock::microseconds;

/// Pauses and gifts leave the rest of the log to what must be written, such as down time.
const MAX_LINES_BY_PLAYERS: u32 = MAX_LINES / 2;

/// A line of the clock log that players decide on.
pub(super) struct Change {
    pub opened: Opened,
    pub change: log::Change,
}

impl Change {
    /// Changes the clock and writes the line.
    pub fn apply(self, changed: &mut Changed) -> Result<(), GameError> {
        let (number, at) = (changed.writer.number(), changed.at);
        log::apply(&mut changed.clock_rules, &mut changed.running, number, at, &self.opened)
            .map_err(GameError::ClockRefused)?;
        changed.writer.write(self.change);
        Ok(())
    }
}

/// Changes the clock of a game by what its players decide.
///
/// # Errors
/// What `decide` refuses; the game has no clock log, it is long, or the flag is down.
pub(super) async fn change_by_player<T>(
    games: &Games,
    game_id: Uuid,
    mut decide: impl FnMut(&LiveGame, &mut Changed) -> Result<Decision<T>, GameError>,
) -> Result<T, GameError> {
    let live = view::load_live(games, game_id).await?;
    if is_behind(games, &live) {
        give_back_to(games, game_id).await?;
    }
    change(games, game_id, |live, changed| {
        let Some(running) = &changed.running else {
            return Err(GameError::ClockRefused("no clock runs in this game"));
        };
        if live.clock_rules.conditions.head.is_none() {
            return Err(GameError::ClockRefused("this game started before there were clock logs"));
        }
        if running.has_fallen(&changed.clock_rules, microseconds(changed.at.get())) {
            return Err(GameError::ClockRefused("the flag is down"));
        }
        if changed.writer.number() >= MAX_LINES_BY_PLAYERS {
            return Err(GameError::ClockLogFull);
        }
        decide(live, changed)
    })
    .await
}
