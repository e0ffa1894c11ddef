//! How workers work off a queue in the database (`pippost_store::queue`): claim, do what each entry asks for, some at once, and record
//! what came of it. A [`Flow`] makes room for the next entry when one ends; a [`Round`] records many outcomes together.

mod flow;
mod round;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use pippost_store::StoreError;

pub use flow::Flow;
pub use round::Round;

/// A queue whose entries are leased. Any number of workers may share it, in any number of processes. Cheap to clone.
pub trait Queue: Clone + Send + Sync + 'static {
    type Entry: Clone + Send + Sync + 'static;
    type Outcome: Send + 'static;

    /// What the log calls it.
    const NAME: &'static str;

    /// How many entries are worked on at once.
    fn places(&self) -> usize;

    /// Claims at most so many entries that are due.
    fn claim(&self, most: usize) -> impl Future<Output = Result<Vec<Self::Entry>, StoreError>> + Send;

    /// Does what an entry asks for, which was claimed then.
    fn work(&self, entry: &Self::Entry, claimed_at: Instant) -> impl Future<Output = Self::Outcome> + Send;

    /// Records outcomes; returns how much was done. What is not recorded is done again after the lease.
    fn settle(
        &self,
        done: Vec<(Self::Entry, Self::Outcome)>,
    ) -> impl Future<Output = Result<usize, StoreError>> + Send;
}

/// A queue whose worker is woken when a place becomes free.
pub trait Woken: Queue {
    fn wake(&self) -> &Arc<Notify>;
}

/// A queue whose outcomes are recorded together.
pub trait Batched: Queue {
    /// The most entries of a claim.
    const BATCH: usize;

    /// How long after its claim an entry may be begun.
    fn begin_within(&self) -> Duration;

    /// Whether an entry goes before others that have not begun.
    fn is_first(entry: &Self::Entry) -> bool;

    /// The outcome of an entry that could not be begun in time.
    fn late() -> Self::Outcome;

    /// The outcome of an entry over which the program stumbled, so that it is given up some day.
    fn stumbled() -> Self::Outcome;
}

#[cfg(test)]
mod tests;
