//! The clock log of a game: what bears on its clock besides its events, one line each, chained by hashes (docs/CLOCK.md).

mod answer;
mod change;
mod events;
mod form;
mod line;
mod openings;
pub mod reliability;
mod replay;
mod verify;

pub use answer::Answer;
pub use change::{Calendars, Change, Holiday, Opened, Value};
pub use form::Form;
pub use line::{Footer, Line, Opening, commitment};
pub use openings::{OtherOffsets, committed};
pub use replay::{MAX_STILLS, Replay, apply, clock_rules_at_start, opened};
pub use verify::{ClockFailure, ClockVerified, LogCheck, LogPlace, TimeTaken, split, verify};

/// The fewest seats of a game that allows substitutes: where two play, nobody else waits for the game to go on.
pub const MIN_SEATS_WITH_SUBSTITUTES: u8 = 3;

/// The most lines of one game's clock log.
pub const MAX_LINES: u32 = 10_000;
