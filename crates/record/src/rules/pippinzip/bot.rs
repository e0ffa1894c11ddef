//! What programs that play need: the position of a view.

use super::board::Board;
use super::options::Options;
use super::position::Position;
use super::view::View;
use crate::rules::{NoSuchPosition, Situation};

/// The position that has this view.
pub fn position(options: Options, situation: &Situation, view: &View) -> Result<Position, NoSuchPosition> {
    if [Some(situation.to_act), view.pip].into_iter().flatten().any(|seat| seat.index() > 1) {
        return Err(NoSuchPosition::new("the game has seats 0 and 1 only"));
    }
    let board = Board::from_rows(view.size, &view.rows);
    let board = board.ok_or_else(|| NoSuchPosition::new("the rows are no board of this size"))?;
    if board.empty().is_empty() {
        return Err(NoSuchPosition::new("the board is full, so the game is over"));
    }
    Ok(Position {
        variant: options.variant,
        turn: situation.to_act,
        pip: view.pip,
        board,
        winner: None,
        over: false,
        surface: options.surface,
    })
}
