//! The board as plain text.

use std::fmt::Write;

use super::board::Cell;
use super::die::Face;
use super::view::{CellView, Phase, View};
use crate::rules::Seat;
use crate::rules::picture::count;

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 24;

/// Dice in a line of the list.
const DICE_A_LINE: usize = 2;

/// Three lines a cell: the north face above, west, top and east in the middle, the south face below. Light dice are
/// in `( )`, dark dice in `[ ]`; an empty cell shows its own colour, `.` light and `:` dark. The dice come once more by player, for
/// those who listen to the lines one by one.
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
        if let Some(lines) = dice_lines(view, seat) {
            let _ = writeln!(out, "{lines}");
        }
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
    let name: String = names.get(seat.index()).map_or("", String::as_str).chars().take(NAME_WIDTH).collect();
    let store: Vec<_> = view.stores[seat.index()].iter().map(Face::to_string).collect();
    let store = if store.is_empty() { "empty".to_owned() } else { store.join(" ") };
    let points = count(view.scores[seat.index()], "point", "points");
    let dice = count(view.remaining[seat.index()].into(), "die", "dice");
    format!("{mark} {colour}: {name}, {points}, {dice} to place, store {store}")
}

/// The dice that show the colour of a seat, each with what decides how it lies; `None` when there are none.
fn dice_lines(view: &View, seat: Seat) -> Option<String> {
    let own = view.cells.iter().filter(|(_, lying)| lying.owner == seat);
    let dice = own.map(|(cell, die)| format!("{cell} top {} north {} east {}", die.top, die.north, die.east));
    let dice: Vec<_> = dice.collect();
    let lines = dice.chunks(DICE_A_LINE).map(|dice| format!("    {}", dice.join("; ")));
    (!dice.is_empty()).then(|| lines.collect::<Vec<_>>().join(";\n"))
}
