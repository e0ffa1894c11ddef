//! The final standing (DM13).

use super::position::Position;
use crate::rules::{Ending, PlayedOut, Seat, Sentence};

/// The ending, if play has ended the game: ranks the remaining seats by cells, then by armies; ties share a place.
pub fn of(position: &Position) -> Option<Ending> {
    let reason = position.played_out()?;
    let holdings = |seat: Seat| (position.field.owned_by(seat).len(), position.field.armies_of(seat));
    let mut seats: Vec<_> = position.staying().collect();
    seats.sort_by_key(|seat| std::cmp::Reverse(holdings(*seat)));
    let groups = seats.chunk_by(|one, other| holdings(*one) == holdings(*other));
    Some(Ending { reason, standing: groups.map(<[Seat]>::to_vec).collect() })
}

/// What decided the game: who holds everything, or what each of the others holds at the last round.
pub fn decided(position: &Position) -> Vec<Sentence> {
    let holds = |seat: Seat| {
        Sentence::new("dominion-decided-holds")
            .player("player", seat)
            .phrase("cells", Sentence::of_count("dominion-cells", position.field.owned_by(seat).len()))
            .phrase("armies", Sentence::of_count("dominion-armies", position.field.armies_of(seat)))
    };
    match of(position) {
        Some(Ending { reason: PlayedOut::Play, standing }) => {
            let winners = standing.into_iter().next().unwrap_or_default();
            winners
                .into_iter()
                .map(|winner| Sentence::new("dominion-decided-all").player("player", winner))
                .collect()
        }
        Some(Ending { reason: PlayedOut::RoundLimit, standing }) => {
            let seats = standing.into_iter().flatten();
            [Sentence::new("dominion-decided-rounds")].into_iter().chain(seats.map(holds)).collect()
        }
        None => Vec::new(),
    }
}
