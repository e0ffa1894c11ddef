//! The table and the hands as plain text.

use std::fmt::Write;

use super::card_set::CardSet;
use super::layout::{DEFENDER_ROW, DIRECTOR_ROW};
use super::position::SHORTEST_MATCH;
use super::view::{Phase, View};
use crate::rules::Seat;

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 24;

/// The hand, the table with its positions, the lead to follow, and what each player holds.
pub fn board(view: &View, names: &[String]) -> String {
    let name = |seat: Seat| -> String {
        names.get(seat.index()).map_or("", String::as_str).chars().take(NAME_WIDTH).collect()
    };
    let mut out = String::new();
    let tie_break = if view.hand > SHORTEST_MATCH { ", to break the tie" } else { "" };
    let _ = writeln!(out, "Hand {}{tie_break}. Director: {}.\n", view.hand, name(view.director));
    out.push_str(&positions(DEFENDER_ROW));
    out.push_str(&row("defender", DEFENDER_ROW, view));
    out.push_str(&row("director", DIRECTOR_ROW, view));
    out.push_str(&positions(DIRECTOR_ROW));
    out.push('\n');
    if let Some(lead) = view.follow {
        let _ = writeln!(out, "To follow: {lead}, the {}.\n", lead.name());
    }
    for seat in Seat::all(2) {
        let role = if seat == view.director { "director" } else { "defender" };
        let (hand, points) = (&view.hands[seat.index()], view.scores[seat.index()]);
        let points = if points == 1 { "1 point".to_owned() } else { format!("{points} points") };
        let _ = writeln!(out, "{}, {role}, {points}", name(seat));
        let _ = writeln!(out, "  face up: {}", list(hand.face_up));
        let hidden = hand.hidden.map_or_else(|| hand.hidden_count.to_string(), list);
        let _ = writeln!(out, "  hidden:  {hidden}");
    }
    if view.phase == Phase::Finished {
        out.push_str("The match is over.\n");
    }
    out
}

fn positions(row: [u8; 6]) -> String {
    line("", row.map(|position| position.to_string()))
}

/// The cards of a row, `--` where none lies yet.
fn row(title: &str, row: [u8; 6], view: &View) -> String {
    let card = |position: u8| view.table.get(usize::from(position) - 1);
    line(title, row.map(|position| card(position).map_or("--".to_owned(), ToString::to_string)))
}

fn line(title: &str, cells: [String; 6]) -> String {
    let mut line = format!("{title:10}");
    for cell in cells {
        let _ = write!(line, "{cell:>4}");
    }
    line + "\n"
}

fn list(cards: CardSet) -> String {
    if cards.is_empty() {
        return "none".to_owned();
    }
    cards.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}
