//! An event as feeds tell it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::memory::live::raw;
use pippost_store::tournaments::events::TournamentEventRow;
use pippost_store::{EventId, Seq};

/// An event of a feed. Events are public: all readers of the game share it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub id: EventId,
    /// Whether the game, or the tournament, is over with it.
    pub ends_game: bool,
    /// The event as it stands in the record.
    pub event: Arc<RawValue>,
}

/// The member of an event that says whether the game goes on.
#[derive(Deserialize)]
struct Rest {
    to_act: Option<u8>,
}

impl Entry {
    /// The event with that line of the record.
    ///
    /// # Panics
    /// If the line is no JSON.
    #[must_use]
    pub fn new(game_id: Uuid, seq: Seq, line: String) -> Self {
        let ends_game = serde_json::from_str::<Rest>(&line).is_ok_and(|rest| rest.to_act.is_none());
        Self { id: EventId { game_id, seq }, ends_game, event: raw(line).into() }
    }

    /// An event of a tournament.
    ///
    /// # Panics
    /// If its line is no JSON.
    #[must_use]
    pub(super) fn of_tournament(row: TournamentEventRow) -> Self {
        Self { id: row.id(), ends_game: row.kind.is_last(), event: raw(row.line).into() }
    }

    /// The size of the event, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.event.get().len()
    }
}
