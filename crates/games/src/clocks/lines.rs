//! Writes lines of a clock log.

use uuid::Uuid;

use crate::error::GameError;
use pippost_clock::game_clock::LogHead;
use pippost_clock::log::{Change, Line, Opening, Value, commitment};
use pippost_keys::random_bytes;
use pippost_record::record::{Chronicle, Hash, Timestamp};
use pippost_record::rules::Seat;
use pippost_store::clock_lines::ClockLineRow;

/// The end of a game's clock log, to which lines are added.
pub(crate) struct LogWriter {
    game_id: Uuid,
    at: Timestamp,
    /// The newest event, and its hash.
    seq: u64,
    event: Hash,
    last: Option<LogHead>,
    lines: Vec<ClockLineRow>,
    openings: Vec<Opening>,
}

impl LogWriter {
    /// The log of a game that was last written at `last`; new lines are of the time `at`.
    pub fn new(game_id: Uuid, chronicle: &Chronicle, last: Option<LogHead>, at: Timestamp) -> Self {
        let (seq, event) = (chronicle.seq(), chronicle.head());
        Self { game_id, at, seq, event, last, lines: Vec::new(), openings: Vec::new() }
    }

    /// Lets the next lines be of no time before `at`.
    pub fn not_before(&mut self, at: Timestamp) {
        self.at = self.at.max(at);
    }

    /// The number of the next line.
    pub fn number(&self) -> u32 {
        self.last.map_or(0, |last| last.number + 1)
    }

    /// Commits to a value in the next line.
    pub fn commit_to(&mut self, seat: Seat, value: Value) -> Result<Hash, GameError> {
        let salt = Hash::from_bytes(random_bytes()?);
        let hash = commitment(&salt, &value);
        self.openings.push(Opening { number: self.number(), offsets: None, salt, seat, value });
        Ok(hash)
    }

    /// Adds the next line.
    pub fn write(&mut self, change: Change) {
        let number = self.number();
        let prev = self.last.map_or(self.event, |last| last.hash);
        let line = Line::sealed(self.at, change, self.event, number, prev, self.seq);
        let openings = std::mem::take(&mut self.openings);
        self.lines.push(ClockLineRow {
            game_id: self.game_id,
            number: i32::try_from(number).unwrap_or(i32::MAX),
            line: line.text(),
            openings: (!openings.is_empty()).then(|| serde_json::to_string(&openings).expect("plain data")),
        });
        self.last = Some(LogHead { number, hash: line.hash, at: self.at });
    }

    /// The new lines and the new end.
    pub fn finish(self) -> (Vec<ClockLineRow>, Option<LogHead>) {
        (self.lines, self.last)
    }
}
