//! Gifts of time.

use super::by_players::{Change as ByPlayers, change_by_player};
use super::changing::Decision;
use crate::clock::Running;
use crate::clock::control::{HOUR, MAX_BANK_HOURS};
use crate::clock::log::{Change, Opened};
use crate::games::Games;
use crate::games::error::GameError;
use crate::games::viewing::view::SeatClaim;
use crate::rules::Seat;

/// The most hours that one gift has: ten days.
pub const MAX_GIFT_HOURS: u32 = 240;

/// A gift of time to another seat.
#[derive(Clone, Copy, Debug)]
pub struct Gift {
    pub to: Seat,
    /// 1 to [`MAX_GIFT_HOURS`].
    pub hours: u32,
    /// The last line of the clock log that the giver knows, so that a repeated request gives nothing more.
    pub after_line: u32,
}

/// Gives another seat time: to its bank, or without banks to the turn that it has begun.
///
/// # Errors
/// It cannot be, or the clock log has another last line.
pub async fn give_time(games: &Games, claim: &SeatClaim, gift: Gift) -> Result<(), GameError> {
    let Gift { to, hours, after_line } = gift;
    if !(1..=MAX_GIFT_HOURS).contains(&hours) {
        let why = format!("1 to {MAX_GIFT_HOURS}");
        return Err(GameError::InvalidValue { field: "hours", why });
    }
    change_by_player(games, claim, |live, changed| {
        let table = live.chronicle.table();
        let refused = |why| Err(GameError::ClockRefused(why));
        if live.frame.now.head.is_none_or(|head| head.number != after_line) {
            return refused("the clock has changed since; look at it again");
        }
        if table.has_left(claim.seat) {
            return refused("you have left this game");
        }
        if to == claim.seat || to.0 >= table.seats() || table.has_left(to) {
            return refused("time can be given only to another seat whose player is in the game");
        }
        let (opened, change) = (Opened::Gift { to, hours }, Change::Gift { from: claim.seat, hours, to });
        ByPlayers { opened, change }.apply(changed)?;
        if changed.running.as_ref().is_some_and(|running| most(running) > i64::from(MAX_BANK_HOURS) * HOUR) {
            return refused("a seat has at most 60 days");
        }
        Ok(Decision::Write(()))
    })
    .await
}

/// The largest bank or limit of a clock, in microseconds.
fn most(running: &Running) -> i64 {
    let limits = [running.turn.limit, running.answer.and_then(|answer| answer.limit)];
    running.banks.iter().copied().chain(limits.into_iter().flatten()).max().unwrap_or(0)
}
