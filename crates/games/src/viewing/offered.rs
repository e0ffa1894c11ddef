//! The seats of a game that a substitute can take.

use serde::Serialize;
use utoipa::ToSchema;

use crate::memory::live::LiveGame;
use pippost_record::record::Table;
use pippost_record::rules::Seat;

/// A seat that a substitute can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OfferedSeat {
    #[schema(value_type = u8)]
    pub seat: Seat,
    /// True if its flag fell: the game goes on without it when the flag falls again. False if its player plays on.
    pub vacant: bool,
}

/// The seats of a started game that a substitute can take.
pub(super) fn offered_seats(live: &LiveGame, table: &Table) -> Vec<OfferedSeat> {
    let offered =
        live.clock_rules.offered_seats().filter(|seat| table.result().is_none() && !table.has_left(*seat));
    offered.map(|seat| OfferedSeat { seat, vacant: live.clock_rules.is_vacant(seat) }).collect()
}
