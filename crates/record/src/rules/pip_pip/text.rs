//! The board as plain text.

use std::fmt::Write;

use super::board::Cell;
use super::die::Face;
use super::view::{CellView, Phase, View};
use crate::rules::{Captions, Seat, Sentence};

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 24;

/// The number of dice in a line of the list.
const DICE_A_LINE: usize = 2;

/// Three lines per cell: the north face above, west, top and east in the middle, the south face below. Light dice are in `( )`,
/// dark dice in `[ ]`; an empty cell shows its own colour, `.` light and `:` dark. The dice are listed again by player, for
/// people who hear the lines one by one.
pub fn board(view: &View, captions: &Captions<'_>) -> String {
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
        let _ = writeln!(out, "{}", player_line(view, seat, captions));
        if let Some(lines) = dice_lines(view, seat, captions) {
            let _ = writeln!(out, "{lines}");
        }
    }
    if let (Phase::Place, Some(die)) = (view.phase, view.rolled) {
        let _ = writeln!(out, "{}", captions.say(Sentence::new("pip-pip-rolled-now").text("die", die)));
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

fn player_line(view: &View, seat: Seat, captions: &Captions<'_>) -> String {
    let (colour, mark) = if seat == Seat(0) { ("light", "( )") } else { ("dark", "[ ]") };
    let name = captions.names.get(seat.index()).map_or("", String::as_str);
    let name: String = name.chars().take(NAME_WIDTH).collect();
    let store: Vec<_> = view.stores[seat.index()].iter().map(Face::to_string).collect();
    let store = if store.is_empty() { captions.say("pip-pip-empty") } else { store.join(" ") };
    let line = Sentence::new("pip-pip-line")
        .text("colour", colour)
        .text("name", name)
        .phrase("points", Sentence::of_count("rules-points", view.scores[seat.index()]))
        .phrase("dice", Sentence::of_count("pip-pip-dice", view.remaining[seat.index()]))
        .text("store", store);
    format!("{mark} {}", captions.say(line))
}

/// The dice in a seat's colour, each with its orientation; `None` if there are none.
fn dice_lines(view: &View, seat: Seat, captions: &Captions<'_>) -> Option<String> {
    let own = view.cells.iter().filter(|(_, lying)| lying.owner == seat);
    let dice = own.map(|(cell, die)| {
        let lies = Sentence::new("pip-pip-lies").text("cell", cell).text("top", die.top);
        captions.say(lies.text("north", die.north).text("east", die.east))
    });
    let dice: Vec<_> = dice.collect();
    let lines = dice.chunks(DICE_A_LINE).map(|dice| format!("    {}", dice.join("; ")));
    (!dice.is_empty()).then(|| lines.collect::<Vec<_>>().join(";\n"))
}
