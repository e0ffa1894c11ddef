//! Numbers of games as they are stored: the only place that converts them to and from the integers of PostgreSQL.

use std::fmt;
use std::ops::{Add, Sub};

use diesel::deserialize::{FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{Output, ToSql};
use diesel::sql_types::{BigInt, Integer};

use super::error::Unreadable;

/// Declares a number from 0 on that is stored as `bigint`.
macro_rules! natural {
    ($(#[$meta:meta])* $name:ident, $what:literal) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, AsExpression, FromSqlRow, serde::Serialize,
        )]
        #[diesel(sql_type = BigInt)]
        pub struct $name(u64);

        impl $name {
            /// The number itself.
            #[must_use]
            pub const fn get(self) -> u64 {
                self.0
            }

            /// The number as a bound of a query.
            #[must_use]
            pub fn bound(self) -> i64 {
                i64::try_from(self.0).unwrap_or(i64::MAX)
            }

            /// The number that a row holds; `None` if it is negative.
            #[must_use]
            pub fn from_row(stored: i64) -> Option<Self> {
                u64::try_from(stored).ok().map(Self)
            }
        }

        impl From<u64> for $name {
            fn from(number: u64) -> Self {
                Self(number)
            }
        }

        impl From<$name> for u64 {
            fn from(number: $name) -> Self {
                number.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(out)
            }
        }

        impl FromSql<BigInt, Pg> for $name {
            fn from_sql(value: PgValue<'_>) -> diesel::deserialize::Result<Self> {
                let stored = <i64 as FromSql<BigInt, Pg>>::from_sql(value)?;
                Self::from_row(stored).ok_or_else(|| Unreadable::new($what, stored).into())
            }
        }

        impl ToSql<BigInt, Pg> for $name {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> diesel::serialize::Result {
                let stored = i64::try_from(self.0)?;
                <i64 as ToSql<BigInt, Pg>>::to_sql(&stored, &mut out.reborrow())
            }
        }
    };
}

natural!(
    /// The number of an event of a game, from 0 on.
    Seq,
    "seq"
);

natural!(
    /// The number of a turn: turn 0 is event 0.
    TurnNumber,
    "turn"
);

natural!(
    /// A round of the public beacon.
    BeaconRound,
    "beacon round"
);

natural!(
    /// The place of an event in a player's feed, from 1 on; 0 is before the first.
    FeedPosition,
    "position in a feed"
);

impl Seq {
    /// Event 0, the start.
    pub const START: Self = Self(0);

    /// The greatest number that a row can hold.
    pub const MAX: Self = Self(i64::MAX.cast_unsigned());

    /// The event after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The event so many before this one, or event 0 if there are not so many.
    #[must_use]
    pub const fn back(self, events: u64) -> Self {
        Self(self.0.saturating_sub(events))
    }

    /// The event before this one; `None` before event 0.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }
}

impl Add<u64> for Seq {
    type Output = Self;

    fn add(self, events: u64) -> Self {
        Self(self.0 + events)
    }
}

impl Sub for Seq {
    type Output = u64;

    /// The number of events from `earlier` to this one; 0 if `earlier` is later.
    fn sub(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Rises when a game's stored state changes without an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = Integer)]
pub struct Edition(i32);

impl Edition {
    /// The edition of a game's first state.
    pub const FIRST: Self = Self(0);

    /// The next edition.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// An edition for a state whose row was lost: from the time, so that no process has cached the game with it.
    #[must_use]
    pub fn of_time(at: time::OffsetDateTime) -> Self {
        Self(i32::try_from(at.unix_timestamp() / 60).unwrap_or_default())
    }
}

impl FromSql<Integer, Pg> for Edition {
    fn from_sql(value: PgValue<'_>) -> diesel::deserialize::Result<Self> {
        <i32 as FromSql<Integer, Pg>>::from_sql(value).map(Self)
    }
}

impl ToSql<Integer, Pg> for Edition {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> diesel::serialize::Result {
        <i32 as ToSql<Integer, Pg>>::to_sql(&self.0, out)
    }
}
