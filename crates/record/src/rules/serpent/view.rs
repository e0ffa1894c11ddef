//! What one viewer sees, built from public data and the viewer's own cards.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::card_set::CardSet;
use super::hand::Hand;
use super::position::{Position, Stage};
use crate::rules::cards::Card;
use crate::rules::{Seat, Viewer};

/// What one viewer sees of a game of Serpent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SerpentView)]
pub struct View {
    pub phase: Phase,
    /// Hands are counted from 1.
    pub hand: u32,
    pub director: Seat,
    /// By seat.
    #[schema(min_items = 2, max_items = 2)]
    pub hands: [HandView; 2],
    /// In the order played.
    pub table: Vec<Card>,
    /// The lead to which the next card replies.
    pub follow: Option<Card>,
    /// By seat.
    #[schema(min_items = 2, max_items = 2)]
    pub scores: [u32; 2],
    /// The hands that were played to the end.
    pub history: Vec<CompleteHand>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SerpentPhase)]
pub enum Phase {
    Give,
    Show,
    Play,
    Finished,
}

/// The cards of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SerpentHandView)]
pub struct HandView {
    pub face_up: CardSet,
    /// `None` if the viewer may not see them, or if there are none.
    pub hidden: Option<CardSet>,
    pub hidden_count: u8,
}

/// A hand that was played to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SerpentCompleteHand)]
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
