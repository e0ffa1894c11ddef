//! A league: divisions, in each of which everybody meets everybody. After a season the best of each rise, and the last fall. Numbers
//! run through the divisions, the highest first.

use std::ops::Range;

use crate::standings::Standing;
use crate::{Pairing, round_robin};

/// The fewest and the most players that a division may be made for. Less than half as many more can join the lowest one, which then
/// still is a round robin that ends.
pub const MIN_DIVISION: u16 = 4;
pub const MAX_DIVISION: u16 = 16;

/// The players of a division unless the organiser says otherwise.
pub const DEFAULT_DIVISION: u16 = 8;

/// How many rise and fall unless the organiser says otherwise; at most half of a division.
pub const DEFAULT_PROMOTED: u16 = 2;
pub const MAX_PROMOTED: u16 = MAX_DIVISION / 2;

/// The most seasons that may be planned.
pub const MAX_SEASONS: u16 = 100;

/// The divisions of so many players. Who is left over has a division below the others from half of `size` on, or else joins the lowest.
#[must_use]
pub fn divisions(size: usize, players: usize) -> Vec<Range<usize>> {
    let size = size.max(1);
    let has_rest = players % size * 2 >= size;
    let count = (players / size + usize::from(has_rest)).max(1);
    let end = |division: usize| if division + 1 == count { players } else { (division + 1) * size };
    (0..count).map(|division| division * size..end(division)).collect()
}

/// The rounds of the largest division.
pub(crate) fn rounds(size: usize, players: usize) -> usize {
    divisions(size, players).into_iter().map(|one| round_robin::rounds(one.len())).max().unwrap_or_default()
}

/// The round `round`, from 0, of those divisions that have as many.
pub(crate) fn pair(size: usize, is_in: &[bool], round: usize) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for division in divisions(size, is_in.len()) {
        if round >= round_robin::rounds(division.len()) {
            continue;
        }
        let above = division.start;
        pairings.extend(round_robin::pair(&is_in[division], round).into_iter().map(|pairing| Pairing {
            first: pairing.first + above,
            second: pairing.second.map(|second| second + above),
            ..pairing
        }));
    }
    pairings
}

/// The numbers of players: who has a place on the ladder is above those who are new, and within a division lots decide.
#[must_use]
pub fn numbers(size: usize, lots: &[usize], ladder: &[Option<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lots.len()).collect();
    order.sort_by_key(|one| (ladder[*one].is_none(), ladder[*one], lots[*one]));
    let mut numbers = vec![0; lots.len()];
    for division in divisions(size, lots.len()) {
        let members = &mut order[division.clone()];
        members.sort_by_key(|one| lots[*one]);
        for (number, one) in division.zip(members) {
            numbers[*one] = number;
        }
    }
    numbers
}

/// The ladder for the next season, from the standings of one that is over: the numbers of those who go on, the best first. The first
/// `promoted` of each division stand at the end of the one above, and the last at the head of the one below, so that they stay if a
/// place above is free.
#[must_use]
pub fn ladder(promoted: usize, table: &[Standing], goes_on: impl Fn(usize) -> bool) -> Vec<usize> {
    let count = table.last().map_or(0, |last| last.division + 1);
    let staying = |division: usize| {
        let of_division = table.iter().filter(move |one| one.division == division);
        of_division.map(|one| one.number).filter(|number| goes_on(*number)).collect()
    };
    let old: Vec<Vec<usize>> = (0..count).map(staying).collect();
    let mut new: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (division, mut players) in old.into_iter().enumerate() {
        let rising = if division == 0 { 0 } else { promoted.min(players.len()) };
        let is_last = division + 1 == count;
        let falling = if is_last { 0 } else { promoted.min(players.len() - rising) };
        let fallen = players.split_off(players.len() - falling);
        let rest = players.split_off(rising);
        if division > 0 {
            new[division - 1].extend(players);
        }
        new[division].extend(rest);
        if !is_last {
            new[division + 1].extend(fallen);
        }
    }
    new.concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::{Format, Kind, MAX_PLAYERS, MAX_ROUND_ROBIN, Outcome, standings};

    fn league(division_size: usize) -> Format {
        Format { kind: Kind::League, division_size }
    }

    #[test]
    fn divisions_are_whole_but_the_lowest_and_none_is_too_large() {
        let sizes =
            |size, players| divisions(size, players).into_iter().map(|one| one.len()).collect::<Vec<_>>();
        assert_eq!(sizes(8, 24), [8, 8, 8]);
        assert_eq!(sizes(8, 28), [8, 8, 8, 4]);
        assert_eq!(sizes(8, 27), [8, 8, 11]);
        assert_eq!(sizes(8, 3), [3]);
        for size in MIN_DIVISION..=MAX_DIVISION {
            for players in 2..=MAX_PLAYERS {
                let sizes = sizes(size.into(), players.into());
                assert_eq!(sizes.iter().sum::<usize>(), usize::from(players));
                let (last, whole) = sizes.split_last().expect("a division");
                assert!(whole.iter().all(|one| *one == usize::from(size)));
                assert!(*last <= usize::from(MAX_ROUND_ROBIN), "{last}");
                assert!(whole.is_empty() || last * 2 >= usize::from(size), "{last} of {size}");
            }
        }
    }

    proptest! {
        #[test]
        fn everybody_meets_everybody_of_the_division_once_and_nobody_else(players in 2_usize..=64, size in 4_usize..=16) {
            let (format, is_in) = (league(size), vec![true; players]);
            let (mut met, mut played) = (BTreeSet::new(), Vec::new());
            while let Some(round) = crate::pair(format, format.rounds(players, 0), &is_in, &[], &played) {
                for one in &round {
                    let second = one.second.expect("no byes");
                    prop_assert!(met.insert((one.first.min(second), one.first.max(second))), "twice");
                }
                played.push(round);
            }
            let within: BTreeSet<(usize, usize)> = divisions(size, players)
                .into_iter()
                .flat_map(|one| one.clone().flat_map(move |low| (low + 1..one.end).map(move |high| (low, high))))
                .collect();
            prop_assert_eq!(met, within);
        }

        #[test]
        fn whoever_goes_on_is_on_the_ladder_once_and_moves_a_division_at_most(
            players in 2_usize..=64,
            size in 4_usize..=16,
            promoted in 1_usize..=8,
            chance in prop::collection::vec(any::<u32>(), 499),
        ) {
            let promoted = promoted.min(size / 2);
            let (format, is_in) = (league(size), vec![true; players]);
            let (mut chance, mut played) = (chance.into_iter().cycle(), Vec::new());
            while let Some(mut round) = crate::pair(format, format.rounds(players, 0), &is_in, &[], &played) {
                for one in &mut round {
                    one.outcome = chance.next().map(|chance| Outcome::ALL[(chance % 3) as usize]);
                }
                played.push(round);
            }
            let table = standings(format, players, &played);
            let everybody = ladder(promoted, &table, |_| true);
            prop_assert_eq!(everybody.iter().collect::<BTreeSet<_>>().len(), players);
            let parts = divisions(size, players);
            for (at, number) in everybody.iter().enumerate() {
                let division = |place: usize| parts.iter().position(|one| one.contains(&place)).expect("a division");
                let (now, row) = (division(at), table.iter().position(|one| one.number == *number).expect("a row"));
                let (was, place) = (table[row].division, row - parts[table[row].division].start);
                let rises = was > 0 && place < promoted;
                let falls = was + 1 < parts.len() && place + promoted >= parts[was].len();
                let expected = was + usize::from(falls) - usize::from(rises);
                prop_assert_eq!(now, expected, "{} of {:?}", number, &everybody);
            }
            let some = ladder(promoted, &table, |number| number % 3 > 0);
            let expected: Vec<usize> = (0..players).filter(|number| number % 3 > 0).collect();
            let mut sorted = some.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn the_best_of_those_who_fall_stay_where_a_place_is_free_and_new_ones_begin_below() {
        // Of two divisions of four with two who rise and fall, in the order of numbers, 0 leaves.
        let table = standings(league(4), 8, &[]);
        let next = ladder(2, &table, |number| number != 0);
        assert_eq!(next, [1, 4, 5, 2, 3, 6, 7]);
        let places = (0..7).map(Some).chain([None]).collect::<Vec<_>>();
        let lots = [7, 6, 5, 4, 3, 2, 1, 0];
        assert_eq!(numbers(4, &lots, &places), [3, 2, 1, 0, 7, 6, 5, 4]);
        assert_eq!(numbers(4, &lots, &[None; 8]), lots, "a first season is drawn");
    }
}
