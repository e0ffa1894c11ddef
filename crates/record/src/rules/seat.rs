//! Seats and viewers.

use serde::{Deserialize, Serialize};

use crate::rules::schema::{self, named_schema};

/// The most seats any rule set has.
pub const MAX_SEATS: u8 = 8;

/// A place at the table, numbered from 0 in order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into lists with one entry per seat.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All seats of a game, in order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..seats).map(Self)
    }

    /// The opponent's seat in a game of two.
    #[must_use]
    pub fn other(self) -> Self {
        Self(1 - self.0)
    }
}

named_schema!(
    Seat,
    "Seat",
    schema::number(0..=u16::from(MAX_SEATS) - 1, "A seat, numbered from 0 in order of play.")
);

impl std::fmt::Display for Seat {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The person for whom a view is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Seat(Seat),
    Spectator,
}

impl Viewer {
    /// Whether this viewer has `seat`.
    #[must_use]
    pub fn is(self, seat: Seat) -> bool {
        self == Self::Seat(seat)
    }
}
