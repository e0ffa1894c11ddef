//! Times to answer: how much counted time a seat took each time that it was asked (docs/CLOCK.md, "Times to answer").

use super::replay::Replay;
use crate::game_clock::ToAct;
use crate::microseconds;
use crate::offers::Offer;
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;

/// An answer: a seat was asked, and with its own action the clock passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub seat: Seat,
    /// The time that counted, in microseconds.
    pub taken: i64,
    /// Whether a substitute gave it, and not the seat's first player.
    pub by_substitute: bool,
}

impl Answer {
    /// The answer that an event at `at` is, after which `asked` says whose choice it is: an action of the seat `by`, if of any. `None`
    /// if the clock runs on, if it ran for another seat, or if the game has no clock that could run out.
    pub(super) fn by(replay: &Replay, by: Option<Seat>, asked: Option<ToAct>, at: Timestamp) -> Option<Self> {
        let running = replay.running.as_ref().filter(|_| !replay.clock_rules.control.is_unlimited())?;
        let seat = running.asked().to_act;
        if by != Some(seat) || asked == Some(running.asked()) {
            return None;
        }
        let taken = running.used(&replay.clock_rules, microseconds(at.get()));
        let by_substitute = matches!(replay.clock_rules.offer(seat), Some(Offer::Taken { .. }));
        Some(Self { seat, taken, by_substitute })
    }
}
