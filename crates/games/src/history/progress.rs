//! Counters kept while a game is replayed: turns, and each seat's newest event. Pure.

use serde::{Deserialize, Serialize};

use pippost_record::record::Event;
use pippost_record::rules::Seat;
use pippost_store::checkpoints::Mark;
use pippost_store::{Seq, TurnNumber};

/// The counters after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnCount {
    /// The turn that the event belongs to. Turn 0 is event 0; after it, a turn is a longest run of events up to one that changes
    /// `to_act`.
    pub turn: TurnNumber,
    /// Whether the event is the last of its turn.
    pub ends_turn: bool,
    /// By seat, its newest own event; shorter if the last seats have none.
    last_events: Vec<Option<u64>>,
}

/// The parts of an event that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    pub seq: u64,
    pub seat: Option<Seat>,
    pub to_act: Option<Seat>,
}

impl From<&Event> for Counted {
    fn from(event: &Event) -> Self {
        Self { seq: event.seq, seat: event.seat, to_act: event.to_act }
    }
}

impl TurnCount {
    /// After event 0.
    #[must_use]
    pub fn at_start() -> Self {
        Self { turn: TurnNumber::default(), ends_turn: true, last_events: Vec::new() }
    }

    /// After the next event, `now`, which follows `before`.
    #[must_use]
    pub fn next(mut self, before: Counted, now: Counted) -> Self {
        if let Some(Seat(seat)) = now.seat {
            let index = usize::from(seat);
            if self.last_events.len() <= index {
                self.last_events.resize(index + 1, None);
            }
            self.last_events[index] = Some(now.seq);
        }
        let turn = (self.turn.get() + u64::from(self.ends_turn)).into();
        Self { turn, ends_turn: now.to_act != before.to_act, ..self }
    }

    /// The newest own event of a seat.
    #[must_use]
    pub fn last_event_of(&self, seat: Seat) -> Option<Seq> {
        self.last_events.get(seat.index()).copied().flatten().map(Seq::from)
    }

    /// The stored form, for a checkpoint.
    ///
    /// # Panics
    /// Never: it is plain data.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            turn: self.turn,
            ends_turn: self.ends_turn,
            last_events: serde_json::to_string(&self.last_events).expect("plain data"),
        }
    }

    /// Reads the stored form; `None` if it is damaged.
    #[must_use]
    pub fn of_mark(mark: &Mark) -> Option<Self> {
        let last_events = serde_json::from_str(&mark.last_events).ok()?;
        Some(Self { turn: mark.turn, ends_turn: mark.ends_turn, last_events })
    }
}
