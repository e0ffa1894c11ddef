//! Who stands where: by points, and among equals by tie-breaks that everybody can add up.

use std::cmp::Reverse;
use std::ops::Range;

use crate::history::{self, Past, WIN};
use crate::{Format, Kind, Pairing, knock_out, league};

/// A player's place, by points, `buchholz`, `sonneborn_berger`, `direct` and `wins`. Who is equal in all shares a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The number that the draw gave, from 0.
    pub number: usize,
    /// In the division.
    pub place: usize,
    /// From 0; the only one unless it is a league.
    pub division: usize,
    /// 1 for a won game or bye, 0.5 for a draw; where losing ends it, 1 for each round that was survived.
    pub points: f64,
    /// The points of all opponents.
    pub buchholz: f64,
    /// The points of opponents who were beaten, and half of those of opponents drawn with.
    pub sonneborn_berger: f64,
    /// Points from games with those who are equal until here.
    pub direct: f64,
    /// Won games.
    pub wins: u32,
}

/// What places follow from, all better if greater: points, Buchholz and direct encounter in halves, Sonneborn-Berger in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merits {
    points: u32,
    buchholz: u32,
    sonneborn_berger: u32,
    direct: u32,
    wins: u32,
}

/// The standings of so many players, division by division, the best first; equals in the order of the draw.
#[must_use]
pub fn standings(format: Format, players: usize, played: &[Vec<Pairing>]) -> Vec<Standing> {
    let past = history::of(players, played);
    let merits: Vec<Merits> = match format.kind {
        Kind::KnockOut => survived(players, played, 1),
        Kind::DoubleElimination => survived(players, played, 2),
        // Nobody meets anybody of another division.
        Kind::RoundRobin | Kind::Swiss | Kind::League => with_direct(&past),
    };
    let mut table: Vec<Standing> = Vec::with_capacity(players);
    for (division, numbers) in divisions(format, players).into_iter().enumerate() {
        let above = table.len();
        let mut order: Vec<usize> = numbers.collect();
        order.sort_by_key(|one| (Reverse(merits[*one]), *one));
        for (at, number) in order.iter().copied().enumerate() {
            let is_equal = at > 0 && merits[order[at - 1]] == merits[number];
            let place = if is_equal { table[above + at - 1].place } else { at + 1 };
            table.push(shown(number, (division, place), merits[number]));
        }
    }
    table
}

fn divisions(format: Format, players: usize) -> Vec<Range<usize>> {
    match format.kind {
        Kind::League => league::divisions(format.division_size, players),
        _ => std::iter::once(0..players).collect(),
    }
}

fn shown(number: usize, (division, place): (usize, usize), merits: Merits) -> Standing {
    let Merits { points, buchholz, sonneborn_berger, direct, wins } = merits;
    let halves = |halves: u32| f64::from(halves) / 2.0;
    Standing {
        number,
        place,
        division,
        points: halves(points),
        buchholz: halves(buchholz),
        sonneborn_berger: f64::from(sonneborn_berger) / 4.0,
        direct: halves(direct),
        wins,
    }
}

fn merits(one: &Past, past: &[Past]) -> Merits {
    let opponents = || one.met.iter().filter_map(|(other, got)| Some((past[*other].points, (*got)?)));
    Merits {
        points: one.points,
        buchholz: opponents().map(|(points, _)| points).sum(),
        sonneborn_berger: opponents().map(|(points, got)| points * got).sum(),
        direct: 0,
        wins: one.wins,
    }
}

fn with_direct(past: &[Past]) -> Vec<Merits> {
    let until_here = |one: &Merits| (one.points, one.buchholz, one.sonneborn_berger);
    let before: Vec<Merits> = past.iter().map(|one| merits(one, past)).collect();
    let mut merits = before.clone();
    for (one, merits) in merits.iter_mut().enumerate() {
        let equals =
            past[one].met.iter().filter(|(other, _)| until_here(&before[*other]) == until_here(&before[one]));
        merits.direct = equals.filter_map(|(_, got)| *got).sum();
    }
    merits
}

/// Where whoever has lost so many games is out only counts how far somebody got.
fn survived(players: usize, played: &[Vec<Pairing>], lives: u32) -> Vec<Merits> {
    let none = Merits { points: 0, buchholz: 0, sonneborn_berger: 0, direct: 0, wins: 0 };
    let (mut merits, mut losses) = (vec![none; players], vec![0; players]);
    for pairing in played.iter().flatten().filter(|pairing| pairing.is_over()) {
        merits[knock_out::winner(pairing)].points += WIN;
        let Some(loser) = knock_out::loser(pairing) else { continue };
        losses[loser] += 1;
        if losses[loser] < lives {
            merits[loser].points += WIN;
        }
    }
    merits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    fn game(first: usize, second: usize, outcome: Outcome) -> Pairing {
        Pairing { outcome: Some(outcome), ..Pairing::game(first, second) }
    }

    #[test]
    fn tie_breaks_are_what_is_added_up_by_hand() {
        let rounds = [
            vec![game(0, 1, Outcome::First), game(2, 3, Outcome::Draw)],
            vec![game(2, 0, Outcome::First), game(3, 1, Outcome::Second)],
        ];
        let table = standings(Kind::Swiss.into(), 4, &rounds);
        let row = |number: usize| table.iter().find(|row| row.number == number).expect("a row");
        assert_eq!(table.iter().map(|row| row.number).collect::<Vec<_>>(), [2, 0, 1, 3]);
        let zero = row(0);
        assert_eq!((zero.points, zero.buchholz, zero.sonneborn_berger, zero.wins), (1.0, 2.5, 1.0, 1));
        let two = row(2);
        assert_eq!((two.points, two.buchholz, two.sonneborn_berger), (1.5, 1.5, 1.25));
        let one = row(1);
        assert_eq!((one.points, one.buchholz, one.sonneborn_berger, one.place), (1.0, 1.5, 0.5, 3));
    }

    #[test]
    fn a_direct_encounter_parts_equals_and_byes_are_points_without_opponents() {
        let rounds = [
            vec![game(0, 1, Outcome::Second), Pairing::bye(2)],
            vec![Pairing::bye(0), game(1, 2, Outcome::Void)],
        ];
        let table = standings(Kind::RoundRobin.into(), 3, &rounds);
        let row = |number: usize| table.iter().find(|row| row.number == number).expect("a row");
        assert_eq!((row(0).points, row(1).points, row(2).points), (1.0, 1.0, 1.0));
        assert_eq!((row(1).buchholz, row(1).place), (2.0, 1), "of both opponents");
        assert_eq!((row(2).wins, row(0).wins, row(1).wins), (0, 0, 1));
        let even = [vec![game(0, 1, Outcome::Second)], vec![game(1, 0, Outcome::Draw)]];
        assert_eq!(standings(Kind::Swiss.into(), 2, &even[..1])[0].number, 1);
    }

    #[test]
    fn equals_share_a_place() {
        let table = standings(Kind::Swiss.into(), 4, &[]);
        assert!(table.iter().all(|row| row.place == 1));
        let round = [vec![game(0, 1, Outcome::First), game(2, 3, Outcome::First)]];
        let places: Vec<usize> =
            standings(Kind::KnockOut.into(), 4, &round).iter().map(|row| row.place).collect();
        assert_eq!(places, [1, 1, 3, 3]);
    }

    #[test]
    fn a_running_game_counts_for_nobody() {
        let table = standings(Kind::Swiss.into(), 2, &[vec![Pairing::game(0, 1)]]);
        assert!(table.iter().all(|row| row.points == 0.0 && row.place == 1));
        let table = standings(Kind::KnockOut.into(), 2, &[vec![Pairing::game(0, 1)]]);
        assert!(table.iter().all(|row| row.points == 0.0));
    }
}
