//! Responses about games that are put together here; all others are types of [`pippost_games`].

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use pippost_record::record::Event;

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// The events as they stand in the record.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The number of the game's newest event.
    pub newest: u64,
}
