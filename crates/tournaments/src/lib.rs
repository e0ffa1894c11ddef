//! Tournaments: who plays whom, and who stands where, as a pure function of entries and results (docs/TOURNAMENTS.md).
#![forbid(unsafe_code)]

mod chance;
mod double_elimination;
mod history;
mod knock_out;
pub mod ladder;
pub mod league;
mod matching;
mod round_robin;
mod standings;
mod swiss;
mod teams;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use chance::{draw, draw_secret, game_secret};
pub use standings::{Standing, standings};
pub use teams::{MAX_TEAM, MIN_TEAM, TeamStanding, teams};

/// The most players of a tournament.
pub const MAX_PLAYERS: u16 = 500;

/// The most players of a round robin, in which everybody meets everybody.
pub const MAX_ROUND_ROBIN: u16 = 24;

/// The most rounds of a Swiss tournament.
pub const MAX_ROUNDS: u16 = 15;

/// How it is decided who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TournamentKind)]
pub enum Kind {
    /// Everybody meets everybody.
    RoundRobin,
    /// Everybody plays all rounds, against others with about as many points.
    Swiss,
    /// Whoever loses is out.
    KnockOut,
    /// Whoever loses twice is out.
    DoubleElimination,
    /// Everybody meets everybody of their division; after each season the best rise and the last fall.
    League,
}

impl Kind {
    pub const ALL: [Self; 5] =
        [Self::RoundRobin, Self::Swiss, Self::KnockOut, Self::DoubleElimination, Self::League];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RoundRobin => "round_robin",
            Self::Swiss => "swiss",
            Self::KnockOut => "knock_out",
            Self::DoubleElimination => "double_elimination",
            Self::League => "league",
        }
    }

    /// Whether whoever loses is out in the end, so that places follow from how far one got.
    #[must_use]
    pub fn is_elimination(self) -> bool {
        matches!(self, Self::KnockOut | Self::DoubleElimination)
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// How a tournament is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub kind: Kind,
    /// How many play in a division, if it is a league.
    pub division_size: usize,
}

impl From<Kind> for Format {
    fn from(kind: Kind) -> Self {
        Self { kind, division_size: league::DEFAULT_DIVISION.into() }
    }
}

impl Format {
    /// The most rounds of a tournament of so many players, of which so many were wished for.
    #[must_use]
    pub fn rounds(self, players: usize, wished: usize) -> usize {
        match self.kind {
            Kind::RoundRobin => round_robin::rounds(players),
            // With more of them somebody might have nobody left to meet.
            Kind::Swiss => wished.clamp(1, players.div_ceil(2).max(1)),
            Kind::KnockOut => knock_out::rounds(players),
            Kind::DoubleElimination => double_elimination::rounds(players),
            Kind::League => league::rounds(self.division_size, players),
        }
    }
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TournamentOutcome)]
pub enum Outcome {
    /// Whoever sat first has won.
    First,
    /// Whoever sat second has won.
    Second,
    Draw,
    /// It never began, or ended with nobody to blame: no points.
    Void,
}

impl Outcome {
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Draw, Self::Void];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Draw => "draw",
            Self::Void => "void",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == name)
    }
}

/// Two who play in a round, or one with a bye. Players are known by the numbers that the draw gave them, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// Who has the first seat.
    pub first: usize,
    /// `None`: a bye, which is worth a won game.
    pub second: Option<usize>,
    /// `None` until the game is over; of a bye always.
    pub outcome: Option<Outcome>,
}

impl Pairing {
    #[must_use]
    pub fn game(first: usize, second: usize) -> Self {
        Self { first, second: Some(second), outcome: None }
    }

    #[must_use]
    pub fn bye(first: usize) -> Self {
        Self { first, second: None, outcome: None }
    }

    /// Whether nothing is awaited any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.second.is_none() || self.outcome.is_some()
    }
}

/// Pairs the next round; `is_in` says of each player whether further games are to be had, and `clubs` for which club each plays, if
/// places of clubs are played for. `None` if the tournament is over: all rounds are played, or so many have left that nobody could be
/// paired without meeting somebody twice.
#[must_use]
pub fn pair(
    format: Format,
    rounds: usize,
    is_in: &[bool],
    clubs: &[Option<Uuid>],
    played: &[Vec<Pairing>],
) -> Option<Vec<Pairing>> {
    if played.len() >= rounds || is_in.iter().filter(|is_in| **is_in).count() < 2 {
        return None;
    }
    match format.kind {
        Kind::RoundRobin => Some(round_robin::pair(is_in, played.len())),
        Kind::Swiss => swiss::pair(is_in, clubs, played),
        Kind::KnockOut => Some(knock_out::pair(is_in, played)),
        Kind::DoubleElimination => double_elimination::pair(is_in, played),
        Kind::League => Some(league::pair(format.division_size, is_in, played.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.as_str()), Some(kind));
        }
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::named(outcome.as_str()), Some(outcome));
        }
        assert_eq!((Kind::named("cup"), Outcome::named("")), (None, None));
    }

    #[test]
    fn a_tournament_is_over_after_its_rounds_or_when_fewer_than_two_are_left() {
        for format in Kind::ALL.map(Format::from) {
            let rounds = format.rounds(2, 9);
            let second_lives = if format.kind == Kind::DoubleElimination { 2 } else { 0 };
            assert_eq!(rounds, 1 + second_lives, "{format:?}");
            let mut played = Vec::new();
            while let Some(mut round) = pair(format, rounds, &[true, true], &[], &played) {
                // Whoever loses the first game wins the others, so that nothing is decided before the last one.
                let winner = usize::from(!played.is_empty());
                let is_first = round[0].first == winner;
                round[0].outcome = Some(if is_first { Outcome::First } else { Outcome::Second });
                played.push(round);
            }
            assert_eq!(played.len(), rounds, "{format:?}");
            assert_eq!(pair(format, rounds, &[true, false], &[], &[]), None);
        }
    }
}
