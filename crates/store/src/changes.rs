//! Which games have new events, as processes tell each other: a bounded set of ids, or all.

use std::collections::HashSet;
use std::fmt::Write;

use uuid::Uuid;

/// The most ids that are told one by one. A notification of PostgreSQL has less than 8,000 bytes, and an id takes 33.
pub const MAX_CHANGED: usize = 200;

/// What a notification says instead of ids when there are too many.
const ALL: &str = "*";

/// The games that have new events, and the players who have new games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    Some(HashSet<Uuid>),
    /// Too many to be named, or unknown ones.
    All,
}

impl Default for Changes {
    fn default() -> Self {
        Self::Some(HashSet::new())
    }
}

impl Changes {
    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Some(ids) if ids.is_empty())
    }

    /// Adds ids; beyond [`MAX_CHANGED`] of them all count as changed.
    pub fn add(&mut self, added: impl IntoIterator<Item = Uuid>) {
        let Self::Some(ids) = self else { return };
        ids.extend(added);
        if ids.len() > MAX_CHANGED {
            *self = Self::All;
        }
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: Self) {
        match other {
            Self::Some(ids) => self.add(ids),
            Self::All => *self = Self::All,
        }
    }

    /// The changes as the end of a notification's payload.
    #[must_use]
    pub fn to_payload(&self) -> String {
        match self {
            Self::All => format!(" {ALL}"),
            Self::Some(ids) => ids.iter().fold(String::new(), |mut text, id| {
                write!(text, " {}", id.simple()).expect("a text takes all");
                text
            }),
        }
    }

    /// The changes that a payload names after its first word. What cannot be read stands for all.
    #[must_use]
    pub fn of_payload(payload: &str) -> Self {
        let ids: Result<HashSet<Uuid>, _> = payload.split(' ').skip(1).map(Uuid::try_parse).collect();
        ids.map_or(Self::All, Self::Some)
    }
}
