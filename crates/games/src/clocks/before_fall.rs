//! What may still save a seat whose time is up, asked before its flag falls.

use super::automatic_holidays::{accepts_holidays, save_by_holiday};
use super::outages::{check_work, is_behind};
use super::substitutes::{is_offered_at_fall, vacate};
use super::updates::take_updates_of;
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;

/// Looks for an outage that nobody has given back, for a holiday that was booked in time, for one that begins by itself, and for substitutes. True if there
/// was something: then all is to be decided anew.
///
/// # Errors
/// [`GameError::NoWorker`], or the database failed.
pub(crate) async fn saves_from_fall(games: &Games, live: &LiveGame) -> Result<bool, GameError> {
    check_work(games).await?;
    if is_behind(games, live) || take_updates_of(games, live.fixed.id).await? {
        return Ok(true);
    }
    if accepts_holidays(live) && save_by_holiday(games, live.fixed.id).await? {
        return Ok(true);
    }
    Ok(is_offered_at_fall(live) && vacate(games, live.fixed.id).await?)
}
