//! Double elimination: whoever loses twice is out. In each round those without a loss meet each other, and those with one do. When one
//! of each is left, they meet until one of them has lost twice.

use crate::Pairing;
use crate::history::{self, Past, seated};
use crate::knock_out;
use crate::matching::Matching;

/// The most rounds: the last one is played only if whoever is unbeaten until then loses the one before it.
pub fn rounds(players: usize) -> usize {
    let (mut unbeaten, mut beaten, mut rounds) = (players, 0_usize, 0);
    while unbeaten > 1 || beaten > 1 {
        (unbeaten, beaten) = (unbeaten.div_ceil(2), beaten.div_ceil(2) + unbeaten / 2);
        rounds += 1;
    }
    if players < 2 { 0 } else { rounds + 2 }
}

/// How often each has lost.
fn losses(players: usize, played: &[Vec<Pairing>]) -> Vec<u32> {
    let mut losses = vec![0; players];
    for loser in played.iter().flatten().filter_map(knock_out::loser) {
        losses[loser] += 1;
    }
    losses
}

/// The next round; `None` if fewer than two are left.
pub fn pair(is_in: &[bool], played: &[Vec<Pairing>]) -> Option<Vec<Pairing>> {
    let (past, losses) = (history::of(is_in.len(), played), losses(is_in.len(), played));
    let with = |lost: u32| (0..is_in.len()).filter(|one| is_in[*one] && losses[*one] == lost).collect();
    let (unbeaten, beaten): (Vec<usize>, Vec<usize>) = (with(0), with(1));
    match (&unbeaten[..], &beaten[..]) {
        ([], [] | [_]) | ([_], []) => None,
        ([one], [other]) => Some(vec![seated(&past, *one, *other, true)]),
        _ => Some([side(&past, &unbeaten), side(&past, &beaten)].concat()),
    }
}

/// Pairs those of a side, who are in the order of the draw, so that as few as possible meet again. Of an odd number one has a bye.
fn side(past: &[Past], side: &[usize]) -> Vec<Pairing> {
    let number = side.len();
    let may = |one: usize, other: usize| {
        let (low, high) = (one.min(other), one.max(other));
        low != high && (high >= number || !past[side[low]].has_met(side[high]))
    };
    // Behind the players are stand-ins: who is paired with one has the bye, or meets somebody again. As few as will do are taken.
    let few = (number % 2..=number).step_by(2);
    let matching = few.into_iter().find_map(|stand_ins| Matching::of(number + stand_ins, &may));
    matching.map(|matching| paired(past, side, matching)).unwrap_or_default()
}

/// The bye is for whoever had the fewest, and of those for the first. Then each, from the first, gets the last one who is possible.
fn paired(past: &[Past], side: &[usize], mut matching: Matching<'_>) -> Vec<Pairing> {
    let number = side.len();
    let mut byes: Vec<usize> = Vec::new();
    if !number.is_multiple_of(2) {
        let mut wished: Vec<usize> = (0..number).collect();
        wished.sort_by_key(|one| (past[side[*one]].byes, *one));
        byes.extend(wished.into_iter().find(|one| matching.fix(number, *one)));
    }
    let (mut pairs, mut again) = (Vec::new(), Vec::new());
    for one in 0..number {
        if matching.is_fixed(one) {
            continue;
        }
        match (one + 1..number).rev().find(|other| matching.fix(one, *other)) {
            Some(other) => pairs.push((one, other)),
            None => again.push(one),
        }
    }
    while let Some(last) = again.pop() {
        if again.is_empty() {
            break;
        }
        pairs.push((again.remove(0), last));
    }
    let games = pairs.into_iter().map(|(one, other)| seated(past, side[one], side[other], true));
    games.chain(byes.into_iter().map(|one| Pairing::bye(side[one]))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Format, Kind, Outcome, standings};

    /// What a round began with.
    struct Before {
        is_in: Vec<bool>,
        losses: Vec<u32>,
    }

    /// Plays until it is over; `chance` decides games, and who leaves.
    fn play(
        players: usize,
        leaving: u32,
        mut chance: impl FnMut() -> u32,
    ) -> (Vec<Vec<Pairing>>, Vec<Before>, Vec<bool>) {
        let (mut is_in, mut played, mut before) = (vec![true; players], Vec::new(), Vec::new());
        let format = Format::from(Kind::DoubleElimination);
        let most = format.rounds(players, 0);
        while let Some(mut round) = crate::pair(format, most, &is_in, &[], &played) {
            before.push(Before { is_in: is_in.clone(), losses: losses(players, &played) });
            for pairing in round.iter_mut().filter(|one| one.second.is_some()) {
                pairing.outcome = Some(Outcome::ALL[(chance() % 4) as usize]);
                if chance() % 100 < leaving {
                    is_in[pairing.first] = false;
                }
            }
            played.push(round);
        }
        (played, before, is_in)
    }

    /// All of a round who are in and have not lost twice are in one pairing, with somebody who has lost as often.
    fn check_round(round: &[Pairing], before: &Before, past: &[Past]) -> Result<(), TestCaseError> {
        let left: Vec<usize> =
            (0..past.len()).filter(|one| before.is_in[*one] && before.losses[*one] < 2).collect();
        let mut seen: Vec<usize> =
            round.iter().flat_map(|one| [Some(one.first), one.second]).flatten().collect();
        seen.sort_unstable();
        prop_assert_eq!(&seen, &left, "each once");
        if left.len() == 2 {
            prop_assert!(round[0].second.is_some(), "a final");
            return Ok(());
        }
        for lost in 0..2 {
            let side: Vec<usize> = left.iter().copied().filter(|one| before.losses[*one] == lost).collect();
            let of_side = || round.iter().filter(|one| before.losses[one.first] == lost);
            prop_assert!(of_side().all(|one| one.second.is_none_or(|other| side.contains(&other))));
            prop_assert_eq!(of_side().filter(|one| one.second.is_none()).count(), side.len() % 2);
            let is_again = |one: &Pairing| one.second.is_some_and(|other| past[one.first].has_met(other));
            let number = side.len();
            let fresh = |one: usize, other: usize| {
                let (low, high) = (one.min(other), one.max(other));
                low != high && (high >= number || !past[side[low]].has_met(side[high]))
            };
            if of_side().any(is_again) {
                prop_assert!(Matching::of(number + number % 2, &fresh).is_none(), "it could be avoided");
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn all_but_one_lose_twice_or_leave_and_nobody_meets_again_without_need(
            players in 2_usize..=64,
            leaving in 0_u32..20,
            chance in prop::collection::vec(any::<u32>(), 997),
        ) {
            let mut chance = chance.into_iter().cycle();
            let (played, before, is_in) = play(players, leaving, || chance.next().unwrap_or_default());
            prop_assert!(played.len() <= rounds(players));
            let lost = losses(players, &played);
            let left = (0..players).filter(|one| is_in[*one] && lost[*one] < 2).count();
            prop_assert!(left <= 1, "{} are left", left);
            prop_assert!(leaving > 0 || left == 1);
            prop_assert!(lost.iter().all(|lost| *lost <= 2));
            for (at, round) in played.iter().enumerate() {
                check_round(round, &before[at], &history::of(players, &played[..at]))?;
            }
        }

        #[test]
        fn places_are_by_the_round_of_the_second_loss(players in 2_usize..=64, chance in prop::collection::vec(any::<u32>(), 499)) {
            let mut chance = chance.into_iter().cycle();
            let (played, _, _) = play(players, 0, || chance.next().unwrap_or_default());
            let table = standings(Kind::DoubleElimination.into(), players, &played);
            let out = |player: usize| (1..=played.len()).find(|round| losses(players, &played[..*round])[player] == 2);
            for row in &table {
                let survived = out(row.number).map_or(played.len(), |round| round - 1);
                prop_assert_eq!(row.points.to_string(), survived.to_string());
                let better = table.iter().filter(|other| other.points > row.points).count();
                prop_assert_eq!(row.place, better + 1);
            }
            prop_assert_eq!(table.iter().filter(|row| row.place == 1).count(), 1);
        }
    }

    #[test]
    fn first_meets_last_and_whoever_was_unbeaten_has_a_second_final() {
        let mut rounds: Vec<Vec<Pairing>> = Vec::new();
        let is_in = [true; 4];
        let wins = |pairing: &mut Pairing, winner: usize| {
            pairing.outcome = Some(if pairing.first == winner { Outcome::First } else { Outcome::Second });
        };
        let mut pairs = Vec::new();
        // The lower number wins, until 1 beats 0 in the first final.
        for winners in [&[0, 1][..], &[0, 2], &[1], &[1], &[0]] {
            let mut round = pair(&is_in, &rounds).expect("a round");
            for (pairing, winner) in round.iter_mut().filter(|one| one.second.is_some()).zip(winners) {
                wins(pairing, *winner);
            }
            let both = |one: &Pairing| {
                one.second
                    .map_or((one.first, one.first), |other| (one.first.min(other), one.first.max(other)))
            };
            pairs.push(round.iter().map(both).collect::<Vec<_>>());
            rounds.push(round);
        }
        let finals = [vec![(0, 1)], vec![(0, 1)]];
        let expected = [vec![(0, 3), (1, 2)], vec![(0, 1), (2, 3)], vec![(1, 2), (0, 0)]];
        let mut shown = pairs.clone();
        shown[2].sort_by_key(|pair| std::cmp::Reverse(*pair));
        assert_eq!(shown[..3], expected);
        assert_eq!(shown[3..], finals);
        assert_eq!(pair(&is_in, &rounds), None);
        assert_eq!(super::rounds(4), 5);
    }
}
