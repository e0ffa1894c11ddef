//! What is measured in rounds.

use std::collections::BTreeMap;
use std::fmt;

use super::cpu::Split;
use super::load::Taken;
use super::{BenchArgs, Part};

/// Something to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    Moves { connections: usize },
    PgMoves { connections: usize },
    Views { connections: usize },
    PgSelects { connections: usize },
    Empty { connections: usize },
    Records { connections: usize },
    Pictures { connections: usize },
    Kept { connections: usize },
    Redrawn { connections: usize },
    Silent { connections: usize },
    Latest { connections: usize },
    News { connections: usize },
}

impl Measure {
    #[must_use]
    pub fn connections(self) -> usize {
        match self {
            Self::Moves { connections }
            | Self::PgMoves { connections }
            | Self::Views { connections }
            | Self::PgSelects { connections }
            | Self::Empty { connections }
            | Self::Records { connections }
            | Self::Pictures { connections }
            | Self::Kept { connections }
            | Self::Redrawn { connections }
            | Self::Silent { connections }
            | Self::Latest { connections }
            | Self::News { connections } => connections,
        }
    }

    /// What is measured in rounds, in the order in which it was asked for.
    #[must_use]
    pub fn wanted(args: &BenchArgs) -> Vec<Self> {
        let mut measures = Vec::new();
        if args.wants(Part::Moves) {
            measures.extend([1, 64, 256].map(|connections| Self::Moves { connections }));
            measures.extend([1, 64].map(|connections| Self::PgMoves { connections }));
        }
        let connections = 64;
        if args.wants(Part::Views) {
            measures.extend([
                Self::Views { connections },
                Self::PgSelects { connections },
                Self::Empty { connections },
            ]);
        }
        if args.wants(Part::Feeds) {
            measures.extend([
                Self::Silent { connections },
                Self::Latest { connections },
                Self::News { connections },
            ]);
        }
        let connections = 4;
        if args.wants(Part::Exports) {
            measures.push(Self::Records { connections });
        }
        if args.wants(Part::Pictures) {
            measures.extend([
                Self::Pictures { connections },
                Self::Kept { connections },
                Self::Redrawn { connections },
            ]);
        }
        measures
    }

    /// Whether there is something that it should reach.
    #[must_use]
    pub fn has_target(self) -> bool {
        !matches!(self, Self::Silent { .. } | Self::Latest { .. } | Self::News { .. })
    }

    /// Whether it is said how often the database is asked.
    #[must_use]
    pub fn counts_statements(self) -> bool {
        matches!(
            self,
            Self::Moves { .. }
                | Self::Views { .. }
                | Self::Silent { .. }
                | Self::Latest { .. }
                | Self::News { .. }
        )
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Moves { .. } => "moves",
            Self::PgMoves { .. } => "pgbench: the move's statement",
            Self::Views { .. } => "views of cached games",
            Self::PgSelects { .. } => "pgbench: select of the row",
            Self::Empty { .. } => "an empty handler",
            Self::Records { .. } => "records exported",
            Self::Pictures { .. } => "boards as PNG, each drawn",
            Self::Kept { .. } => "boards as PNG, from memory",
            Self::Redrawn { .. } => "boards as PNG, known by tag",
            Self::Silent { .. } => "feeds with nothing new",
            Self::Latest { .. } => "feeds with the last event",
            Self::News { .. } => "news since one's own move",
        };
        out.pad(name)
    }
}

/// What one round found.
#[derive(Clone)]
pub struct Round {
    pub taken: Taken,
    pub split: Split,
    pub wal_bytes: i64,
    /// The foreign share was too large, also in the last repetition.
    pub disturbed: bool,
}

/// How often a disturbed round is tried again before it counts all the same.
const MAX_REPEATS: usize = 4;

/// A round by `once`, or the first of the further ones that other programs did not disturb, up to a limit; and how many were
/// thrown away.
///
/// # Errors
/// Those of `once`.
pub async fn undisturbed<R>(
    mut once: impl AsyncFnMut() -> anyhow::Result<R>,
    disturbed: impl Fn(&R) -> bool,
) -> anyhow::Result<(R, usize)> {
    for repeats in 0..MAX_REPEATS {
        let round = once().await?;
        if !disturbed(&round) {
            return Ok((round, repeats));
        }
    }
    Ok((once().await?, MAX_REPEATS))
}

/// All rounds of each measure.
pub type Found = BTreeMap<Measure, Vec<Round>>;
