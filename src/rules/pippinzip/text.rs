//! The board as plain text.

use std::fmt::Write;

use super::options::Variant;
use super::view::{Phase, View};
use crate::rules::Seat;

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 20;

/// One letter a cell, `b` black, `w` white, `.` empty, with columns and rows named on all four sides; then who plays what.
pub fn board(view: &View, names: &[String]) -> String {
    let mut out = String::new();
    let columns: String = ('a'..).take(view.rows.len()).flat_map(|column| [' ', column]).collect();
    let _ = writeln!(out, "   {columns}");
    for (row, letters) in (1..=view.rows.len()).rev().zip(&view.rows) {
        let letters: String = letters.chars().flat_map(|letter| [' ', letter]).collect();
        let _ = writeln!(out, "{row:>3}{letters} {row:>2}");
    }
    let _ = writeln!(out, "   {columns}\n");
    out.push_str(&roles(view, names));
    out
}

fn roles(view: &View, names: &[String]) -> String {
    let name = |seat: Seat| -> String {
        names.get(seat.index()).map_or("", String::as_str).chars().take(NAME_WIDTH).collect()
    };
    let (Some(pip), Some(zip)) = (view.pip, view.zip) else {
        let (colour, letter, role) = match view.variant {
            Variant::Pipline => ("black", 'b', "Pip"),
            Variant::Zipline | Variant::Freestyle => ("white", 'w', "Zip"),
        };
        return match view.phase {
            Phase::Finished => format!("{letter} {colour}; the game ended in the auction\n"),
            _ => format!("{letter} {colour}; auction: who takes {colour} is {role}\n"),
        };
    };
    let stones = if view.variant == Variant::Pipline { "one stone" } else { "two stones" };
    format!(
        "b black: Pip, {}; {stones} a turn, to two opposite sides\n\
         w white: Zip, {}; one stone a turn, to all four sides\n",
        name(pip),
        name(zip)
    )
}
