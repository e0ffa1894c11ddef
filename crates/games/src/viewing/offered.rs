//! The seats of a game that a substitute can take.

use crate::memory::live::LiveGame;
use pippost_record::record::Table;
use pippost_record::rules::Seat;

/// A seat that a substitute can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedSeat {
    pub seat: Seat,
    /// Whether its flag fell, so that nobody plays it.
    pub vacant: bool,
}

/// The seats of a started game that a substitute can take.
pub(super) fn offered_seats(live: &LiveGame, table: &Table) -> Vec<OfferedSeat> {
    let offered =
        live.clock_rules.offered_seats().filter(|seat| table.result().is_none() && !table.has_left(*seat));
    offered.map(|seat| OfferedSeat { seat, vacant: live.clock_rules.is_vacant(seat) }).collect()
}
