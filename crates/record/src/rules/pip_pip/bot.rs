//! What programs that play need: the position of a view.

use super::board::{Board, Stone};
use super::die::{Die, Face};
use super::position::{DICE_EACH, Position, STORE_LIMIT};
use super::view::{CellView, View};
use crate::rules::{NoSuchPosition, Situation};

/// The position that has this view.
pub fn position(situation: &Situation, view: &View) -> Result<Position, NoSuchPosition> {
    let owners = view.cells.values().map(|cell| cell.owner);
    if [situation.to_act].into_iter().chain(owners).any(|seat| seat.index() > 1) {
        return Err(NoSuchPosition::new("the game has seats 0 and 1 only"));
    }
    let stones = view.cells.iter().map(|(cell, shown)| Ok((*cell, stone(*shown)?)));
    let stones = stones.collect::<Result<Vec<_>, NoSuchPosition>>()?;
    let dice = |stored: &Vec<Face>, remaining: u8| {
        stored.len() <= STORE_LIMIT && stored.len() <= usize::from(remaining) && remaining <= DICE_EACH
    };
    let placed = stones.len() + view.remaining.map(usize::from).iter().sum::<usize>();
    if !view.stores.iter().zip(view.remaining).all(|(stored, remaining)| dice(stored, remaining))
        || placed != 2 * usize::from(DICE_EACH)
    {
        return Err(NoSuchPosition::new("each seat has eight dice, three of them stored at most"));
    }
    Ok(Position {
        turn: situation.to_act,
        rolled: view.rolled,
        stores: view.stores.clone(),
        remaining: view.remaining,
        board: Board::of(stones),
        over: false,
    })
}

fn stone(shown: CellView) -> Result<Stone, NoSuchPosition> {
    let die = Die::new(shown.top, shown.north);
    let die = die.ok_or_else(|| NoSuchPosition::new("no die has these faces on top and in the north"))?;
    Ok(Stone { owner: shown.owner, die })
}
