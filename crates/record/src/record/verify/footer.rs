//! The footer as its line states it. Check 4 judges its numbers, so check 1 accepts every natural number.

use serde::{Deserialize, Serialize};

use crate::record::chance::Master;
use crate::record::event::{GameResult, Reason};
use crate::record::hash::Hash;
use crate::record::header::present;

/// Members as in the protocol.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FooterLine {
    pub master: Master,
    pub head: Hash,
    pub result: ResultLine,
}

/// The game's result as the record states it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultLine {
    reason: Reason,
    #[serde(deserialize_with = "present")]
    places: Option<Vec<u64>>,
    #[serde(deserialize_with = "present")]
    scores: Option<Vec<u64>>,
}

impl ResultLine {
    /// Whether the line states this result.
    pub fn says(&self, result: &GameResult) -> bool {
        let places = result.places.as_ref().map(|places| places.iter().copied().map(u64::from).collect());
        let scores: Option<Vec<Option<u64>>> = result
            .scores
            .as_ref()
            .map(|scores| scores.iter().map(|score| u64::try_from(*score).ok()).collect());
        let said = self.scores.as_ref().map(|scores| scores.iter().copied().map(Some).collect());
        self.reason == result.reason && self.places == places && said == scores
    }
}
