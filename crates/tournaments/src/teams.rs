//! Places of clubs: the points of the best players of each are added.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use uuid::Uuid;

use crate::standings::Standing;

/// The fewest and the most players of a club that may be counted.
pub const MIN_TEAM: u16 = 2;
pub const MAX_TEAM: u16 = 20;

/// A club's place, by `points`, `buchholz` and the place of its best player. Who is equal in all shares a place.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamStanding {
    pub club: Uuid,
    pub place: usize,
    /// Of the players who are counted, as is `buchholz`.
    pub points: f64,
    pub buchholz: f64,
    /// The numbers of the players who are counted, the best first.
    pub players: Vec<usize>,
}

/// The places of clubs for each of which so many players are counted, the best first, equals in the order of their ids; from the
/// standings and the clubs of players by their numbers. A club with fewer players counts with those it has.
#[must_use]
pub fn teams(size: usize, table: &[Standing], clubs: &[Option<Uuid>]) -> Vec<TeamStanding> {
    let mut players: BTreeMap<Uuid, Vec<&Standing>> = BTreeMap::new();
    for one in table {
        let Some(club) = clubs.get(one.number).copied().flatten() else { continue };
        let counted = players.entry(club).or_default();
        if counted.len() < size {
            counted.push(one);
        }
    }
    let mut order: Vec<(Uuid, Vec<&Standing>)> = players.into_iter().collect();
    order.sort_by_key(|(_, counted)| merits(counted));
    let mut teams: Vec<TeamStanding> = Vec::with_capacity(order.len());
    for (at, (club, counted)) in order.iter().enumerate() {
        let is_equal = at > 0 && merits(&order[at - 1].1) == merits(counted);
        let place = if is_equal { teams[at - 1].place } else { at + 1 };
        teams.push(TeamStanding {
            club: *club,
            place,
            points: counted.iter().map(|one| one.points).sum(),
            buchholz: counted.iter().map(|one| one.buchholz).sum(),
            players: counted.iter().map(|one| one.number).collect(),
        });
    }
    teams
}

/// What places follow from, the best first: points and Buchholz in halves, and the best single place.
fn merits(counted: &[&Standing]) -> (Reverse<u64>, Reverse<u64>, Option<usize>) {
    let halves = |of: fn(&Standing) -> f64| Reverse(counted.iter().map(|one| whole(of(one) * 2.0)).sum());
    (halves(|one| one.points), halves(|one| one.buchholz), counted.first().map(|one| one.place))
}

/// A number that has no fraction and is not negative.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "points are counted in halves")]
fn whole(number: f64) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standings of players with so many points and Buchholz, each number on its place.
    fn table(figures: &[(f64, f64)]) -> Vec<Standing> {
        let standing = |(number, (points, buchholz)): (usize, &(f64, f64))| Standing {
            number,
            place: number + 1,
            division: 0,
            points: *points,
            buchholz: *buchholz,
            sonneborn_berger: 0.0,
            direct: 0.0,
            wins: 0,
        };
        figures.iter().enumerate().map(standing).collect()
    }

    fn clubs(numbers: &[u128]) -> Vec<Option<Uuid>> {
        numbers.iter().map(|number| (*number > 0).then(|| Uuid::from_u128(*number))).collect()
    }

    /// The clubs with their places.
    fn places(size: usize, figures: &[(f64, f64)], numbers: &[u128]) -> Vec<(u128, usize)> {
        let teams = teams(size, &table(figures), &clubs(numbers));
        teams.iter().map(|one| (one.club.as_u128(), one.place)).collect()
    }

    #[test]
    fn only_the_best_of_a_club_are_counted_and_fewer_are_as_many_as_there_are() {
        let figures = [(3.0, 5.0), (2.5, 6.0), (2.0, 4.5), (1.5, 3.0), (1.0, 2.0), (0.5, 9.0)];
        let found = teams(2, &table(&figures), &clubs(&[1, 2, 0, 2, 2, 1]));
        let [two, one] = &found[..] else { panic!("{found:?}") };
        assert_eq!((two.club, two.place, two.points, two.buchholz), (Uuid::from_u128(2), 1, 4.0, 9.0));
        assert_eq!(two.players, [1, 3], "the third of the club is not counted");
        assert_eq!((one.club, one.place, one.points, one.buchholz), (Uuid::from_u128(1), 2, 3.5, 14.0));
        assert_eq!(one.players, [0, 5]);
        assert_eq!(places(3, &figures, &[1, 2, 0, 2, 2, 0]), [(2, 1), (1, 2)]);
        assert_eq!(places(20, &figures, &[0; 6]), []);
    }

    #[test]
    fn buchholz_parts_equals_and_then_the_best_single_place() {
        let figures = [(2.0, 3.0), (2.0, 2.0), (1.0, 2.0), (1.0, 3.0)];
        assert_eq!(places(2, &figures, &[2, 1, 1, 2]), [(2, 1), (1, 2)]);
        let even = [(2.0, 3.0), (2.0, 2.0), (1.0, 3.0), (1.0, 2.0)];
        assert_eq!(places(2, &even, &[1, 2, 2, 1]), [(1, 1), (2, 2)], "the first of all");
    }

    #[test]
    fn equals_share_a_place() {
        let mut table = table(&[(0.0, 0.0); 3]);
        for one in &mut table {
            one.place = 1;
        }
        let found = teams(2, &table, &clubs(&[3, 1, 2]));
        assert!(found.iter().all(|one| one.place == 1), "{found:?}");
        assert_eq!(found.iter().map(|one| one.club.as_u128()).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
