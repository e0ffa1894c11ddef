//! The position: everything the rules remember of a game.

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use super::hand::{Hand, follows};
use super::layout::{self, CELLS};
use super::scoring::Scoring;
use crate::rules::Seat;
use crate::rules::cards::Card;

/// The least number of hands in a match (SP5).
pub const SHORTEST_MATCH: u32 = 8;

/// The next step in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Give,
    Show,
    Play,
}

/// A position of Serpent. Only the server and their owners may see the hidden cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// From 1.
    pub hand: u32,
    pub stage: Stage,
    /// By seat.
    pub hands: [Hand; 2],
    /// In order of play, at most twelve.
    pub table: Vec<Card>,
    /// The tables of the complete hands, from hand 1 on.
    pub history: Vec<[Card; CELLS]>,
    /// The points of the complete hands, by seat.
    pub scores: [u32; 2],
    pub over: bool,
}

/// Seat 0 directs the odd hands (SP5).
#[must_use]
pub fn director_of(hand: u32) -> Seat {
    Seat(u8::from(hand.is_multiple_of(2)))
}

impl Position {
    #[must_use]
    pub fn director(&self) -> Seat {
        director_of(self.hand)
    }

    /// The position that is played next, 1 to 12; 13 when the hand is complete.
    #[must_use]
    pub fn next_position(&self) -> u8 {
        u8::try_from(self.table.len()).expect("twelve cards") + 1
    }

    #[must_use]
    pub fn is_hand_complete(&self) -> bool {
        self.table.len() == CELLS
    }

    /// The seat in turn, while the game is not over.
    #[must_use]
    pub fn turn(&self) -> Seat {
        match self.stage {
            // The director of the next hand, if a preview stopped before its deal.
            Stage::Play if self.is_hand_complete() => self.director().other(),
            Stage::Play => layout::seat_at(self.next_position(), self.director()),
            Stage::Give | Stage::Show => self.director(),
        }
    }

    /// The lead to which the next card replies: the card just before an even position.
    #[must_use]
    pub fn lead(&self) -> Option<Card> {
        self.table.last().copied().filter(|_| !self.table.len().is_multiple_of(2))
    }

    /// Every visible card of this hand: face up before a player, or on the table.
    #[must_use]
    pub fn seen(&self) -> CardSet {
        let table: CardSet = self.table.iter().copied().collect();
        table.with(self.hands[0].face_up).with(self.hands[1].face_up)
    }

    /// The known cards that the seat in turn may play: if any follows, only those that do (SP1).
    #[must_use]
    pub fn playable(&self) -> CardSet {
        let known = self.hands[self.turn().index()].known();
        let following: CardSet =
            self.lead().map_or(known, |lead| known.iter().filter(|card| follows(*card, lead)).collect());
        if following.is_empty() { known } else { following }
    }

    /// True after eight, ten, twelve … hands if the scores differ (SP5).
    #[must_use]
    pub fn is_match_complete(&self) -> bool {
        self.is_hand_complete()
            && self.hand >= SHORTEST_MATCH
            && self.hand.is_multiple_of(2)
            && self.scores[0] != self.scores[1]
    }

    /// The complete hands: number, director, cards and scoring.
    pub fn complete_hands(&self) -> impl Iterator<Item = (u32, Seat, &[Card; CELLS], Scoring)> {
        (1..).zip(&self.history).map(|(hand, table)| (hand, director_of(hand), table, Scoring::of(table)))
    }
}
