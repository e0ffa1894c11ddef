//! The table and the hands as plain text.

use std::fmt::Write;

use super::card_set::CardSet;
use super::layout::{DEFENDER_ROW, DIRECTOR_ROW};
use super::position::SHORTEST_MATCH;
use super::view::{Phase, View};
use crate::rules::{Captions, Seat, Sentence};

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 24;

/// The hand, the table with its positions, the lead to follow, and each player's cards.
pub fn board(view: &View, captions: &Captions<'_>) -> String {
    let name = |seat: Seat| -> String {
        let name = captions.names.get(seat.index()).map_or("", String::as_str);
        name.chars().take(NAME_WIDTH).collect()
    };
    let mut out = String::new();
    let tie = if view.hand > SHORTEST_MATCH { "yes" } else { "no" };
    let hand = Sentence::new("serpent-hand-of").text("tie", tie).number("hand", view.hand);
    let _ = writeln!(out, "{}\n", captions.say(hand.text("name", name(view.director))));
    let [director, defender] = ["director", "defender"].map(|role| captions.say(super::role(role)));
    let width = director.chars().count().max(defender.chars().count()) + 2;
    out.push_str(&positions(width, DEFENDER_ROW));
    out.push_str(&row(width, &defender, DEFENDER_ROW, view));
    out.push_str(&row(width, &director, DIRECTOR_ROW, view));
    out.push_str(&positions(width, DIRECTOR_ROW));
    out.push('\n');
    if let Some(lead) = view.follow {
        let follow = Sentence::new("serpent-to-follow").text("lead", lead).card("card", lead);
        let _ = writeln!(out, "{}\n", captions.say(follow));
    }
    for seat in Seat::all(2) {
        let role = if seat == view.director { &director } else { &defender };
        let hand = &view.hands[seat.index()];
        let points = captions.count("rules-points", view.scores[seat.index()]);
        let _ = writeln!(out, "{}, {role}, {points}", name(seat));
        let list = |cards: CardSet| list(cards).unwrap_or_else(|| captions.say("rules-none"));
        let hidden = hand.hidden.map_or_else(|| hand.hidden_count.to_string(), list);
        for (key, cards) in [("serpent-face-up", list(hand.face_up)), ("serpent-hidden", hidden)] {
            let _ = writeln!(out, "  {}", captions.say(Sentence::new(key).text("cards", cards)));
        }
    }
    if view.phase == Phase::Finished {
        let _ = writeln!(out, "{}", captions.say("serpent-over"));
    }
    out
}

fn positions(width: usize, row: [u8; 6]) -> String {
    line(width, "", row.map(|position| position.to_string()))
}

/// The cards of a row, `--` for a free place.
fn row(width: usize, title: &str, row: [u8; 6], view: &View) -> String {
    let card = |position: u8| view.table.get(usize::from(position) - 1);
    line(width, title, row.map(|position| card(position).map_or("--".to_owned(), ToString::to_string)))
}

fn line(width: usize, title: &str, cells: [String; 6]) -> String {
    let mut line = format!("{title:width$}");
    for cell in cells {
        let _ = write!(line, "{cell:>4}");
    }
    line + "\n"
}

/// `None` for no cards.
fn list(cards: CardSet) -> Option<String> {
    let cards: Vec<_> = cards.iter().map(|card| card.to_string()).collect();
    (!cards.is_empty()).then(|| cards.join(" "))
}
