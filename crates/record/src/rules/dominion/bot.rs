//! What programs that play need: the position of a view, and how a game stands.

use super::options::Options;
use super::position::{Conquest, Phase, Position, Roll};
use super::snapshot::Snapshot;
use super::view::{self, View};
use crate::rules::playout::share;
use crate::rules::{NoSuchPosition, Seat, Situation};

/// A random game is followed until this many further rounds have begun.
const ROUNDS_AHEAD: u32 = 2;

/// A cell is worth this many armies.
const CELL_WORTH: usize = 2;

/// The position that has this view.
pub fn position(options: Options, situation: &Situation, view: &View) -> Result<Position, NoSuchPosition> {
    let nothing_asked = || NoSuchPosition::new("the view does not say what is asked for");
    let phase = match view.phase {
        view::Phase::Attack => Phase::Attack,
        view::Phase::Reinforce => Phase::Reinforce,
        view::Phase::Withdraw => Phase::Withdraw,
        view::Phase::Occupy => {
            let view::Pending { from, to, winner, .. } = view.pending.ok_or_else(nothing_asked)?;
            Phase::Occupy(Conquest { from, to, winner })
        }
        view::Phase::Advance => Phase::Advance,
        view::Phase::Deploy => Phase::Deploy(Roll(view.dice.ok_or_else(nothing_asked)?)),
        view::Phase::Finished => return Err(NoSuchPosition::new("the game is over")),
    };
    let snapshot = Snapshot {
        options,
        seats: situation.seats,
        left: situation.left.clone(),
        round: view.round,
        current: view.current.ok_or_else(nothing_asked)?,
        phase,
        field: view.field.iter().map(|cell| (cell.card, cell.owner, cell.armies)).collect(),
        discards: view.discards.clone(),
        ruled: view.turned.is_some(),
        attacks: view.attacks,
    };
    snapshot.try_into().map_err(NoSuchPosition::new)
}

/// For each seat its share of the cells and armies, a cell counting as much as [`CELL_WORTH`] armies.
pub fn estimate(position: &Position) -> Vec<f64> {
    let worth = |seat: Seat| {
        let field = &position.field;
        field.owned_by(seat).len() as usize * CELL_WORTH + field.armies_of(seat) as usize
    };
    let all = Seat::all(position.seats).map(worth).sum();
    Seat::all(position.seats).map(|seat| share(worth(seat), all)).collect()
}

/// Whether enough rounds have been played.
pub fn is_far_enough(from: &Position, now: &Position) -> bool {
    now.round >= from.round + ROUNDS_AHEAD
}
