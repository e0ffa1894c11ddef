//! What a run did and found, in words.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::arguments::Arguments;
use super::checker::Verdict;
use super::faults::Struck;
use super::notes::Notes;

/// The most findings that are printed.
const MAX_PRINTED: usize = 20;

/// The longest finding that is printed, in characters.
const MAX_CHARACTERS: usize = 2000;

pub struct Report {
    pub arguments: Arguments,
    pub rounds: usize,
    /// How many players have registered.
    pub players: usize,
    pub struck: Struck,
    pub wrong: Vec<String>,
    /// How often each process was started.
    pub starts: Vec<(&'static str, u32)>,
    pub took: Duration,
    counts: BTreeMap<&'static str, usize>,
}

impl Report {
    pub fn of(arguments: Arguments) -> Self {
        Self {
            arguments,
            rounds: 0,
            players: 0,
            struck: Struck::default(),
            wrong: Vec::new(),
            starts: Vec::new(),
            took: Duration::ZERO,
            counts: BTreeMap::new(),
        }
    }

    /// Adds what a round did and found.
    pub fn add(&mut self, verdict: Verdict, notes: &Notes, mails: usize) {
        let of = |count: &AtomicU64| usize::try_from(count.load(Ordering::Relaxed)).expect("a small number");
        let own = [
            ("mails", mails),
            ("seats handed over", of(&notes.handed_over)),
            ("moves acknowledged", of(&notes.moves)),
            ("requests without an answer", of(&notes.in_vain)),
        ];
        for (what, count) in verdict.counts.into_iter().chain(own) {
            *self.counts.entry(what).or_default() += count;
        }
        self.wrong.extend(verdict.wrong);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arguments, rounds, players, struck, wrong, starts, took, counts } = self;
        let (faults, seconds) = (struck.count(), took.as_secs());
        writeln!(
            out,
            "\nseed {}: {faults} faults in {rounds} rounds and {seconds} s, {players} players",
            arguments.seed
        )?;
        for (kind, count) in &struck.0 {
            writeln!(out, "{count:>7} {kind}")?;
        }
        writeln!(out, "done and checked:")?;
        for (what, count) in counts {
            writeln!(out, "{count:>7} {what}")?;
        }
        let starts: Vec<_> = starts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(out, "starts: {}", starts.join(", "))?;
        writeln!(out, "violations: {}", wrong.len())?;
        for wrong in wrong.iter().take(MAX_PRINTED) {
            writeln!(out, "- {}", wrong.chars().take(MAX_CHARACTERS).collect::<String>())?;
        }
        write!(out, "again: {}", arguments.command())
    }
}
