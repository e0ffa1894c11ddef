//! The board as plain text.

use std::fmt::Write;

use super::options::Variant;
use super::view::{Phase, View};
use crate::rules::{Captions, Seat, Sentence};

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 20;

/// One letter per cell, `b` black, `w` white, `.` empty, with columns and rows named on all four sides; then each player's
/// colour and goal.
pub fn board(view: &View, captions: &Captions<'_>) -> String {
    let mut out = String::new();
    let columns: String = ('a'..).take(view.rows.len()).flat_map(|column| [' ', column]).collect();
    let _ = writeln!(out, "   {columns}");
    for (row, letters) in (1..=view.rows.len()).rev().zip(&view.rows) {
        let letters: String = letters.chars().flat_map(|letter| [' ', letter]).collect();
        let _ = writeln!(out, "{row:>3}{letters} {row:>2}");
    }
    let _ = writeln!(out, "   {columns}\n");
    out.push_str(&roles(view, captions));
    out
}

fn roles(view: &View, captions: &Captions<'_>) -> String {
    let name = |seat: Seat| -> String {
        let name = captions.names.get(seat.index()).map_or("", String::as_str);
        name.chars().take(NAME_WIDTH).collect()
    };
    let (Some(pip), Some(zip)) = (view.pip, view.zip) else {
        let colour = match view.variant {
            Variant::Pipline => "black",
            Variant::Zipline | Variant::Freestyle => "white",
        };
        let key = match view.phase {
            Phase::Finished => "pippinzip-line-ended",
            _ => "pippinzip-line-auction",
        };
        return captions.say(Sentence::new(key).text("colour", colour)) + "\n";
    };
    let stones = if view.variant == Variant::Pipline { 1 } else { 2 };
    let black = Sentence::new("pippinzip-line-black").text("name", name(pip)).number("stones", stones);
    let white = Sentence::new("pippinzip-line-white").text("name", name(zip));
    format!("{}\n{}\n", captions.say(black), captions.say(white))
}
