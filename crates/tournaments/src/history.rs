//! What the rounds so far say of each player: points, opponents, seats.

use crate::{Outcome, Pairing};

/// What a won game counts: points are counted in halves.
pub const WIN: u32 = 2;

/// A player so far.
#[derive(Clone, Debug, Default)]
pub struct Past {
    pub points: u32,
    pub wins: u32,
    pub byes: u32,
    /// First seats, less second ones.
    pub balance: i32,
    /// Whether the last game's seat was the first.
    pub sat_first: bool,
    /// Whom the player has met, and the halves of points from it once the game is over.
    pub met: Vec<(usize, Option<u32>)>,
}

impl Past {
    pub fn has_met(&self, other: usize) -> bool {
        self.met.iter().any(|(one, _)| *one == other)
    }
}

/// The halves of points of both seats.
fn points(outcome: Outcome) -> [u32; 2] {
    match outcome {
        Outcome::First => [WIN, 0],
        Outcome::Second => [0, WIN],
        Outcome::Draw => [1, 1],
        Outcome::Void => [0, 0],
    }
}

/// The past of so many players.
pub fn of(players: usize, played: &[Vec<Pairing>]) -> Vec<Past> {
    let mut all = vec![Past::default(); players];
    for pairing in played.iter().flatten() {
        let Some(second) = pairing.second else {
            all[pairing.first].points += WIN;
            all[pairing.first].byes += 1;
            continue;
        };
        let got = pairing.outcome.map(points);
        let seats = [(pairing.first, second, 1), (second, pairing.first, -1)];
        for (seat, (one, other, balance)) in seats.into_iter().enumerate() {
            let past = &mut all[one];
            let got = got.map(|got| got[seat]);
            past.points += got.unwrap_or_default();
            past.wins += u32::from(got == Some(WIN));
            past.balance += balance;
            past.sat_first = balance > 0;
            past.met.push((other, got));
        }
    }
    all
}

/// Seats two players: whoever has had the first seat less often has it, or else whoever had the second one last, or else the one that
/// is named first if `is_named_first`.
pub fn seated(past: &[Past], one: usize, other: usize, is_named_first: bool) -> Pairing {
    let (mine, its) = (&past[one], &past[other]);
    let is_first = if mine.balance != its.balance {
        mine.balance < its.balance
    } else if mine.met.is_empty() || its.met.is_empty() || mine.sat_first == its.sat_first {
        is_named_first
    } else {
        its.sat_first
    };
    if is_first { Pairing::game(one, other) } else { Pairing::game(other, one) }
}
