//! Notation: `roll`, `store`, `d4 n2`, `pull 5 d4 n1`, in any case and spacing.

use super::action::Action;
use super::board::Cell;
use super::die::Face;
use crate::rules::Unreadable;
use crate::rules::notation::Characters;

/// The action in notation.
pub fn write(action: &Action) -> String {
    match action {
        Action::Roll {} => "roll".to_owned(),
        Action::Store {} => "store".to_owned(),
        Action::Place { cell, north } => format!("{cell} n{north}"),
        Action::Pull { die, cell, north } => format!("pull {die} {cell} n{north}"),
    }
}

/// Parses one action.
pub fn read(text: &str) -> Result<Action, Unreadable> {
    let mut left = Characters::of(text, &[',', '-', '.'])?;
    let action = if left.word("roll") {
        Action::Roll {}
    } else if left.word("store") {
        Action::Store {}
    } else if left.word("pull") {
        let die = face(&mut left, "pip-pip-here-stored")?;
        let (cell, north) = lying(&mut left)?;
        Action::Pull { die, cell, north }
    } else {
        let (cell, north) = lying(&mut left)?;
        Action::Place { cell, north }
    };
    left.end()?;
    Ok(action)
}

fn face(left: &mut Characters, expected: &'static str) -> Result<Face, Unreadable> {
    let digit = left.peek(0).and_then(|digit| digit.to_digit(10));
    let face = digit.and_then(|digit| Face::new(u8::try_from(digit).ok()?));
    let face = face.ok_or_else(|| Unreadable::at(left.place(), expected))?;
    left.pass(1);
    Ok(face)
}

/// `d4 n2`
fn lying(left: &mut Characters) -> Result<(Cell, Face), Unreadable> {
    let cell = left.next(2).parse::<Cell>().map_err(|_| Unreadable::at(left.place(), "pip-pip-here"))?;
    left.pass(2);
    if !left.word("n") {
        return Err(Unreadable::at(left.place(), "pip-pip-here-north"));
    }
    Ok((cell, face(left, "pip-pip-here-face")?))
}
