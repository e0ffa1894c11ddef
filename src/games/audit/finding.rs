//! What an audit finds.

use std::fmt;

use serde::Serialize;
use uuid::Uuid;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The triggers that refuse changes of history.
    Guard,
    /// The game's own row, or its record's header.
    Game,
    /// The sealed master.
    Master,
    Events,
    /// The version of the game's state: its last event.
    State,
    /// The stored position.
    Snapshot,
    /// The game as it is stored after some of its events.
    Checkpoints,
    /// Whose turn it is.
    Turn,
    /// Times of the turn.
    Deadline,
    /// Open, running or finished, and when.
    Status,
    Seats,
    /// The notices that wait to be sent.
    Outbox,
    /// A row that belongs to no game.
    Stray,
    /// What a worker could not do about the game, and tries again later.
    SetAside,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `None` if it concerns no game, or all.
    pub game: Option<Uuid>,
    pub part: Part,
    /// In words.
    pub what: String,
    /// Whether it can be made anew from the events.
    pub derived: bool,
    /// Whether that has been done.
    pub rebuilt: bool,
}

impl Finding {
    /// Something that cannot be made anew.
    pub(super) fn new(game: Option<Uuid>, part: Part, what: impl Into<String>) -> Self {
        Self { game, part, what: what.into(), derived: false, rebuilt: false }
    }

    /// Something that can.
    pub(super) fn derived(game: Option<Uuid>, part: Part, what: impl Into<String>) -> Self {
        Self { derived: true, ..Self::new(game, part, what) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(out, "game {game}: {}", self.what)?,
            None => out.write_str(&self.what)?,
        }
        match (self.rebuilt, self.derived) {
            (true, _) => out.write_str(" (rebuilt)"),
            (false, true) => out.write_str(" (can be rebuilt)"),
            (false, false) => Ok(()),
        }
    }
}

/// How an audit went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AuditSummary {
    pub games: u64,
    /// Events played again.
    pub events: u64,
    pub findings: u64,
    /// How many of the findings have been put right.
    pub rebuilt: u64,
}

impl AuditSummary {
    pub(super) fn add_all(&mut self, findings: Vec<Finding>, report: &mut super::Report<'_>) {
        for finding in findings {
            self.findings += 1;
            self.rebuilt += u64::from(finding.rebuilt);
            report(&finding);
        }
    }
}

impl std::ops::AddAssign for AuditSummary {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.events += other.events;
        self.findings += other.findings;
        self.rebuilt += other.rebuilt;
    }
}

/// The findings of one game: a handful at most, each check makes one.
pub(super) struct Findings {
    game: Uuid,
    found: Vec<Finding>,
}

impl Findings {
    pub(super) fn of(game: Uuid) -> Self {
        Self { game, found: Vec::new() }
    }

    /// Notes what cannot be made anew.
    pub(super) fn note(&mut self, part: Part, what: impl Into<String>) {
        self.found.push(Finding::new(Some(self.game), part, what));
    }

    /// Notes what follows from the events and differs, unless `is_right`.
    pub(super) fn expect(&mut self, is_right: bool, part: Part, what: impl Into<String>) {
        if !is_right {
            self.found.push(Finding::derived(Some(self.game), part, what));
        }
    }

    pub(super) fn all(self) -> Vec<Finding> {
        self.found
    }
}
