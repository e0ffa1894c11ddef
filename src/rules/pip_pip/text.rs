//! The board as plain text.

use std::fmt::Write;

use super::board::Cell;
use super::die::Face;
use super::view::{CellView, Phase, View};
use crate::rules::Seat;

/// Three lines a cell: the north face above, west, top and east in the middle, the south face below. Light dice are
/// in `( )`, dark dice in `[ ]`; an empty cell shows its own colour, `.` light and `:` dark.
pub fn board(view: &View, names: &[String]) -> String {
    let mut out = String::new();
    let rule = "   +-------+-------+-------+-------+\n";
    for row in (3..=6).rev() {
        out.push_str(rule);
        let cells: Vec<_> = ('c'..='f').map(|column| format!("{column}{row}")).collect();
        for line in 0..3 {
            let label = if line == 1 { row.to_string() } else { String::from(" ") };
            let _ = write!(out, " {label} ");
            for name in &cells {
                let cell: Cell = name.parse().expect("cells of the board");
                let _ = write!(out, "|{}", cell_line(cell, view.cells.get(&cell), line));
            }
            out.push_str("|\n");
        }
    }
    out.push_str(rule);
    out.push_str("       c       d       e       f\n\n");
    for seat in Seat::all(2) {
        let _ = writeln!(out, "{}", player_line(view, seat, names));
    }
    if let (Phase::Place, Some(die)) = (view.phase, view.rolled) {
        let _ = writeln!(out, "Rolled: {die}");
    }
    out
}

fn cell_line(cell: Cell, lying: Option<&CellView>, line: usize) -> String {
    let Some(die) = lying else {
        let dot = if cell.colour() == Seat(0) { '.' } else { ':' };
        return if line == 1 { format!("   {dot}   ") } else { " ".repeat(7) };
    };
    let (open, close) = if die.owner == Seat(0) { ('(', ')') } else { ('[', ']') };
    match line {
        0 => format!("   {}   ", die.north),
        1 => format!(" {}{open}{}{close}{} ", die.east.opposite(), die.top, die.east),
        _ => format!("   {}   ", die.north.opposite()),
    }
}

fn player_line(view: &View, seat: Seat, names: &[String]) -> String {
    let (colour, mark) = if seat == Seat(0) { ("light", "( )") } else { ("dark", "[ ]") };
    let name = names.get(seat.index()).map_or("", String::as_str);
    let store: Vec<_> = view.stores[seat.index()].iter().map(Face::to_string).collect();
    let store = if store.is_empty() { "empty".to_owned() } else { store.join(" ") };
    let count =
        |number: i64, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
    let points = count(view.scores[seat.index()], "point", "points");
    let dice = count(view.remaining[seat.index()].into(), "die", "dice");
    format!("{mark} {colour}: {name}, {points}, {dice} to place, store {store}")
}
