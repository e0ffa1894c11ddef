//! Gifts of time.

use super::changing::{Decision, Reminders};
use super::player_changes::{Change as PlayerChange, change_by_player};
use crate::Games;
use crate::error::GameError;
use crate::viewing::view::SeatClaim;
use pippost_clock::control::{HOUR, MAX_BANK_HOURS};
use pippost_clock::log::{Change, Opened};
use pippost_clock::microseconds;
use pippost_record::rules::Seat;

/// The most hours that one gift has: ten days.
pub const MAX_GIFT_HOURS: u32 = 240;

/// The most hours that all others together give a seat for one turn, or answer, of its own while three or more are in the game. Those who
/// wait did not agree, and two could hold the game up for ever.
pub const MAX_GIFTS_A_TURN_HOURS: u32 = 24;

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
    change_by_player(games, claim.game_id, |live, changed| {
        let table = live.chronicle.table();
        let refused = |why| Err(GameError::ClockRefused(why));
        if live.clock_rules.conditions.head.is_none_or(|head| head.number != after_line) {
            return refused("the clock has changed since; look at it again");
        }
        claim.check(live)?;
        if live.clock_rules.is_vacant(claim.seat) {
            return Err(GameError::SeatVacant);
        }
        if table.has_left(claim.seat) {
            return refused("you have left this game");
        }
        if to == claim.seat || to.0 >= table.seats() || table.has_left(to) {
            return refused("time can be given only to another seat whose player is in the game");
        }
        let given = changed.running.as_ref().map_or(0, |running| running.given_to(to));
        let playing = (0..table.seats()).filter(|seat| !table.has_left(Seat(*seat))).count();
        if playing > 2 && given + hours > MAX_GIFTS_A_TURN_HOURS {
            return refused("while three or more play, a seat is given at most 24 hours for a turn");
        }
        let (opened, change) = (Opened::Gift { to, hours }, Change::Gift { from: claim.seat, hours, to });
        PlayerChange { opened, change }.apply(changed)?;
        let at = microseconds(changed.at.get());
        let left = changed.running.as_ref().map(|running| running.left_of(&changed.clock_rules, to, at));
        let most = left.and_then(|left| left.limit.max(left.bank)).unwrap_or(0);
        if most > i64::from(MAX_BANK_HOURS) * HOUR {
            return refused("a seat has at most 60 days");
        }
        changed.reminders = Reminders::Anew;
        Ok(Decision::Write(()))
    })
    .await
}
