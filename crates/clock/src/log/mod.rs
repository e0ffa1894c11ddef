//! The clock log of a game: what bears on its clock besides its events, one line each, chained by hashes (docs/CLOCK.md).

mod answer;
mod change;
mod events;
mod line;
pub mod reliability;
mod replay;
mod verify;

pub use answer::Answer;
pub use change::{Calendars, Change, Holiday, Opened, Value};
pub use line::{Footer, Line, Opening, commitment};
pub use replay::{MAX_STILLS, Replay, apply, clock_rules_at_start, opened};
pub use verify::{ClockFailure, ClockVerified, LogCheck, LogPlace, TimeTaken, committed, split, verify};

/// The name of the format, in its first line.
pub const FORM: &str = "pippost-clock/1";

/// The name of the format of games that allow substitutes.
pub const FORM_WITH_SUBSTITUTES: &str = "pippost-clock/2";

/// The fewest seats of a game that allows substitutes: where two play, nobody else waits for the game to go on.
pub const MIN_SEATS_WITH_SUBSTITUTES: u8 = 3;

/// The most lines of one game's clock log.
pub const MAX_LINES: u32 = 10_000;
