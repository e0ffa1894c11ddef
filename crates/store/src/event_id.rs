//! The id of an event, by which every channel names it: feeds and mails.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::numbers::Seq;

/// The id of an event: its game, or its tournament, and its number, as in `01a1fe2a-89df-7515-9c5d-9fde96828ff2:17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId {
    pub game_id: Uuid,
    pub seq: Seq,
}

/// A text is not the id of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the id of an event: a game's id, a colon and a number")]
pub struct NoEventId;

impl fmt::Display for EventId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.game_id, self.seq)
    }
}

impl FromStr for EventId {
    type Err = NoEventId;

    /// Reads the one form that is written: no sign, no leading zero, lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, NoEventId> {
        let (game_id, seq) = text.split_once(':').ok_or(NoEventId)?;
        let game_id = Uuid::try_parse(game_id).map_err(|_| NoEventId)?;
        let seq = seq.parse().ok().and_then(Seq::from_row).ok_or(NoEventId)?;
        let id = Self { game_id, seq };
        if id.to_string() == text { Ok(id) } else { Err(NoEventId) }
    }
}
