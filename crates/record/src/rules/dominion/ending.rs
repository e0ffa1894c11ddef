//! The final standing (DM13).

use super::position::Position;
use crate::rules::{Ending, Seat};

/// The ending, if play has ended the game: ranks the remaining seats by cells, then by armies; ties share a place.
pub fn of(position: &Position) -> Option<Ending> {
    let reason = position.played_out()?;
    let holdings = |seat: Seat| (position.field.owned_by(seat).len(), position.field.armies_of(seat));
    let mut seats: Vec<_> = position.staying().collect();
    seats.sort_by_key(|seat| std::cmp::Reverse(holdings(*seat)));
    let groups = seats.chunk_by(|one, other| holdings(*one) == holdings(*other));
    Some(Ending { reason, standing: groups.map(<[Seat]>::to_vec).collect() })
}
