//! The measures of the rounds.

use std::collections::BTreeMap;
use std::fmt;

use super::cpu::Split;
use super::load::Taken;
use super::{BenchArgs, Part};
use pippost::keys::random_bytes;

/// A measure. The local ones use a Unix socket, as pgbench always does, instead of TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    Moves { connections: usize },
    PgMoves { connections: usize },
    Views { connections: usize },
    LocalViews { connections: usize },
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
            | Self::LocalViews { connections }
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

    /// All measures.
    const ALL: [Self; 16] = [
        Self::Moves { connections: 1 },
        Self::Moves { connections: 64 },
        Self::Moves { connections: 256 },
        Self::PgMoves { connections: 1 },
        Self::PgMoves { connections: 64 },
        Self::Views { connections: 64 },
        Self::LocalViews { connections: 64 },
        Self::PgSelects { connections: 64 },
        Self::Empty { connections: 64 },
        Self::Silent { connections: 64 },
        Self::Latest { connections: 64 },
        Self::News { connections: 64 },
        Self::Records { connections: 4 },
        Self::Pictures { connections: 4 },
        Self::Kept { connections: 4 },
        Self::Redrawn { connections: 4 },
    ];

    /// The requested measures.
    #[must_use]
    pub fn wanted(args: &BenchArgs) -> Vec<Self> {
        // The statement for pgbench is a plain database's, and of that the bench's own is measured.
        let measured = |measure: &Self| args.database_url.is_none() || matches!(measure, Self::Moves { .. });
        Self::ALL.into_iter().filter(|measure| args.wants(measure.part()) && measured(measure)).collect()
    }

    /// The measure's part. Measures of one part are compared with each other.
    #[must_use]
    pub fn part(self) -> Part {
        match self {
            Self::Moves { .. } | Self::PgMoves { .. } => Part::Moves,
            Self::Views { .. } | Self::LocalViews { .. } | Self::PgSelects { .. } | Self::Empty { .. } => {
                Part::Views
            }
            Self::Silent { .. } | Self::Latest { .. } | Self::News { .. } => Part::Feeds,
            Self::Records { .. } => Part::Exports,
            Self::Pictures { .. } | Self::Kept { .. } | Self::Redrawn { .. } => Part::Pictures,
        }
    }

    /// Whether the measure has a target.
    #[must_use]
    pub fn has_target(self) -> bool {
        !matches!(self, Self::Silent { .. } | Self::Latest { .. } | Self::News { .. })
    }

    /// Whether the number of its statements is reported.
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
            Self::LocalViews { .. } => "views, by a Unix socket",
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

/// The results of one round.
#[derive(Clone)]
pub struct Round {
    pub taken: Taken,
    pub split: Split,
    pub wal_bytes: i64,
    /// Other programs took too much time, even in the last repetition.
    pub disturbed: bool,
}

/// How often a disturbed round is repeated before it counts anyway.
const MAX_REPEATS: usize = 4;

/// Runs `once` until other programs do not disturb a round, up to a limit; returns the round and the number of discarded ones.
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

/// All `measures` in a new random order, those of one part side by side: what is compared is measured within seconds.
///
/// # Errors
/// The system gives no random bytes.
pub fn order(measures: &[Measure]) -> anyhow::Result<Vec<Measure>> {
    let mut parts: Vec<Part> = measures.iter().map(|measure| measure.part()).collect();
    parts.dedup();
    let mut order = Vec::with_capacity(measures.len());
    for part in shuffled(&parts)? {
        let of_it: Vec<Measure> = measures.iter().copied().filter(|measure| measure.part() == part).collect();
        order.extend(shuffled(&of_it)?);
    }
    Ok(order)
}

/// The items in a new random order.
///
/// # Errors
/// The system gives no random bytes.
pub fn shuffled<T: Copy>(items: &[T]) -> anyhow::Result<Vec<T>> {
    let mut left = items.to_vec();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let [byte] = random_bytes::<1>()?;
        order.push(left.remove(usize::from(byte) % left.len()));
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_everything_once_and_each_part_in_one_piece() {
        for _ in 0..20 {
            let order = order(&Measure::ALL).expect("random bytes");
            let all: std::collections::BTreeSet<Measure> = order.iter().copied().collect();
            assert_eq!((order.len(), all.len()), (Measure::ALL.len(), Measure::ALL.len()));
            let mut parts: Vec<Part> = order.iter().map(|measure| measure.part()).collect();
            parts.dedup();
            assert_eq!(parts.len(), 5, "{order:?}");
        }
    }

    #[test]
    fn orders_differ() {
        let orders: Vec<_> = (0..20).map(|_| order(&Measure::ALL).expect("random bytes")).collect();
        assert!(orders.iter().any(|order| *order != orders[0]));
    }
}
