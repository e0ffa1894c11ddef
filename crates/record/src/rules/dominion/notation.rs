//! Notation: `turn`, `attack b3 b4`, `deploy b2 4` and others, in any case and spacing.

use super::action::Action;
use super::cell::Cell;
use crate::rules::notation::Characters;
use crate::rules::{Sentence, Unreadable};

/// The most digits of a number of armies.
const MAX_DIGITS: usize = 2;

/// The action in notation.
pub fn write(action: Action) -> String {
    match action {
        Action::Turn {} => "turn".to_owned(),
        Action::Reinforce { cell } => format!("reinforce {cell}"),
        Action::Withdraw { cell } => format!("withdraw {cell}"),
        Action::Attack { from, to } => format!("attack {from} {to}"),
        Action::Occupy { armies } => format!("occupy {armies}"),
        Action::Advance { from, to, armies } => format!("advance {from} {to} {armies}"),
        Action::Deploy { cell, armies } => format!("deploy {cell} {armies}"),
        Action::Pass {} => "pass".to_owned(),
    }
}

/// Parses one action.
pub fn read(text: &str) -> Result<Action, Unreadable> {
    let mut left = Characters::of(text, &[',', '.', '-', '>', ':'])?;
    let action = action(&mut left)?;
    left.end()?;
    Ok(action)
}

fn action(left: &mut Characters) -> Result<Action, Unreadable> {
    if left.word("turn") {
        Ok(Action::Turn {})
    } else if left.word("reinforce") {
        Ok(Action::Reinforce { cell: cell(left, "reinforced")? })
    } else if left.word("withdraw") {
        Ok(Action::Withdraw { cell: cell(left, "withdrawn")? })
    } else if left.word("attack") {
        let (from, to) = cells(left)?;
        Ok(Action::Attack { from, to })
    } else if left.word("occupy") {
        Ok(Action::Occupy { armies: armies(left)? })
    } else if left.word("advance") {
        let (from, to) = cells(left)?;
        Ok(Action::Advance { from, to, armies: armies(left)? })
    } else if left.word("deploy") {
        let cell = cell(left, "deployed")?;
        Ok(Action::Deploy { cell, armies: armies(left)? })
    } else if left.word("pass") {
        Ok(Action::Pass {})
    } else {
        Err(Unreadable::at(left.place(), "dominion-here"))
    }
}

/// `b3 b4`, also `b3 to b4`.
fn cells(left: &mut Characters) -> Result<(Cell, Cell), Unreadable> {
    let from = cell(left, "from")?;
    left.word("to");
    Ok((from, cell(left, "to")?))
}

fn cell(left: &mut Characters, which: &str) -> Result<Cell, Unreadable> {
    let expected = || Sentence::new("dominion-here-cell").text("which", which);
    let cell = left.next(2).parse::<Cell>().map_err(|_| Unreadable::at(left.place(), expected()))?;
    left.pass(2);
    Ok(cell)
}

fn armies(left: &mut Characters) -> Result<u8, Unreadable> {
    let digits = left.digits();
    if digits.is_empty() || digits.len() > MAX_DIGITS {
        return Err(Unreadable::at(left.place(), "dominion-here-armies"));
    }
    left.pass(digits.len());
    Ok(digits.parse().expect("two digits are below 256"))
}
