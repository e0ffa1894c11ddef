//! The findings of an audit.

use std::fmt;

use serde::Serialize;
use uuid::Uuid;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The triggers that refuse changes of history.
    Guard,
    /// The object of an archived game.
    Archive,
    /// The game's own row, or its record's header.
    Game,
    /// The sealed master.
    Master,
    Events,
    /// The version of the game's state: its last event.
    State,
    /// The stored position.
    Snapshot,
    /// A stored state after an earlier event.
    Checkpoints,
    /// Whose turn it is.
    Turn,
    /// Times of the turn.
    Deadline,
    /// The clock log, and what follows from it.
    Clock,
    /// Open, running or finished, and when.
    Status,
    Seats,
    /// The notices that wait to be sent.
    Outbox,
    /// A row that belongs to no game.
    Orphan,
    /// A task about the game that a worker has failed at and retries later.
    SetAside,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `None` if it concerns no game, or all of them.
    pub game: Option<Uuid>,
    pub part: Subject,
    /// The description.
    pub what: String,
    /// Whether it can be rebuilt from the events.
    pub derived: bool,
    /// Whether it has been rebuilt.
    pub rebuilt: bool,
}

impl Finding {
    /// A problem that cannot be repaired.
    pub(super) fn new(game: Option<Uuid>, part: Subject, what: impl Into<String>) -> Self {
        Self { game, part, what: what.into(), derived: false, rebuilt: false }
    }

    /// A problem that can be repaired.
    pub(super) fn derived(game: Option<Uuid>, part: Subject, what: impl Into<String>) -> Self {
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

/// The result of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AuditSummary {
    pub games: u64,
    /// Replayed events.
    pub events: u64,
    pub findings: u64,
    /// The number of repaired findings.
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

/// The findings of one game: a handful at most, as each check makes one.
pub(super) struct Findings {
    game: Uuid,
    found: Vec<Finding>,
}

impl Findings {
    pub(super) fn of(game: Uuid) -> Self {
        Self { game, found: Vec::new() }
    }

    /// Records a problem that cannot be repaired.
    pub(super) fn note(&mut self, part: Subject, what: impl Into<String>) {
        self.found.push(Finding::new(Some(self.game), part, what));
    }

    /// Records a difference from what the events say, unless `is_right`.
    pub(super) fn expect(&mut self, is_right: bool, part: Subject, what: impl Into<String>) {
        if !is_right {
            self.found.push(Finding::derived(Some(self.game), part, what));
        }
    }

    pub(super) fn all(self) -> Vec<Finding> {
        self.found
    }
}
