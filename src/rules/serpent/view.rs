//! What one viewer sees, built from public data and the viewer's own cards.

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use super::hand::Hand;
use super::position::{Position, Stage};
use crate::rules::cards::Card;
use crate::rules::{Seat, Viewer};

/// The view, as in rules/serpent.md.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub phase: Phase,
    pub hand: u32,
    pub director: Seat,
    pub hands: [HandView; 2],
    pub table: Vec<Card>,
    /// The lead to which the next card replies.
    pub follow: Option<Card>,
    pub scores: [u32; 2],
    pub history: Vec<CompleteHand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Give,
    Show,
    Play,
    Finished,
}

/// The cards of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandView {
    pub face_up: CardSet,
    /// `None` if the viewer may not see them, or if there are none.
    pub hidden: Option<CardSet>,
    pub hidden_count: u8,
}

/// A hand that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompleteHand {
    pub hand: u32,
    pub director: Seat,
    pub table: Vec<Card>,
    pub pairs: Vec<[u8; 2]>,
    pub runs: Vec<Vec<u8>>,
    pub points: u32,
}

/// A viewer's view of a position. When the game is over everybody sees everything.
pub fn of(position: &Position, viewer: Viewer) -> View {
    let phase = match position.stage {
        _ if position.over => Phase::Finished,
        Stage::Give => Phase::Give,
        Stage::Show => Phase::Show,
        Stage::Play => Phase::Play,
    };
    let hand = |seat: Seat| {
        let hand = &position.hands[seat.index()];
        let may_see = position.over || viewer.is(seat);
        hand_view(hand, may_see)
    };
    View {
        phase,
        hand: position.hand,
        director: position.director(),
        hands: [hand(Seat(0)), hand(Seat(1))],
        table: position.table.clone(),
        follow: position.lead().filter(|_| !position.over),
        scores: position.scores,
        history: complete_hands(position),
    }
}

fn hand_view(hand: &Hand, may_see: bool) -> HandView {
    let hidden = if may_see { hand.known_hidden() } else { None };
    HandView { face_up: hand.face_up, hidden, hidden_count: hand.hidden_count() }
}

fn complete_hands(position: &Position) -> Vec<CompleteHand> {
    let complete = position.complete_hands().map(|(hand, director, table, scoring)| CompleteHand {
        hand,
        director,
        table: table.to_vec(),
        pairs: scoring.pairs().collect(),
        runs: scoring.runs().collect(),
        points: scoring.points(),
    });
    complete.collect()
}
