//! Swiss pairings: from the top down, everybody gets the best opponent with whom all others can still be paired.

use crate::Pairing;
use crate::history::{self, Past, seated};
use crate::matching::Matching;

/// Pairs those who are in; `None` if that is not possible without meeting somebody, or having a bye, twice.
pub fn pair(is_in: &[bool], played: &[Vec<Pairing>]) -> Option<Vec<Pairing>> {
    let past = history::of(is_in.len(), played);
    let mut ranked: Vec<usize> = (0..is_in.len()).filter(|one| is_in[*one]).collect();
    ranked.sort_by_key(|one| (std::cmp::Reverse(past[*one].points), *one));
    // Of an odd number, whoever is paired with nobody has the bye.
    let nobody = ranked.len();
    let number = nobody + nobody % 2;
    let met = table(&ranked, &past);
    let may = |one: usize, other: usize| match (one.min(other), one.max(other)) {
        (low, high) if high == nobody => past[ranked[low]].byes == 0,
        (low, high) => low != high && !met[low * nobody + high],
    };
    let mut matching = Matching::of(number, &may)?;
    let mut round = Vec::with_capacity(number / 2);
    // The lowest first.
    let bye = (number > nobody).then(|| (0..nobody).rev().find(|one| matching.fix(nobody, *one)));
    for place in 0..nobody {
        if matching.is_fixed(place) {
            continue;
        }
        let other =
            wished(place, &ranked, &past, &matching).into_iter().find(|other| matching.fix(place, *other))?;
        round.push(seated(&past, ranked[place], ranked[other], round.len().is_multiple_of(2)));
    }
    round.extend(bye.flatten().map(|place| Pairing::bye(ranked[place])));
    Some(round)
}

/// Whether those at these places have met.
fn table(ranked: &[usize], past: &[Past]) -> Vec<bool> {
    let met = |one: usize| ranked.iter().map(move |other| past[one].has_met(*other));
    ranked.iter().flat_map(|one| met(*one)).collect()
}

/// Opponents for the one at a place, who is the first that is left, the best first: with as many points; such that one of both has had the
/// first seat less often; and half of those with as many points further down.
fn wished(place: usize, ranked: &[usize], past: &[Past], matching: &Matching<'_>) -> Vec<usize> {
    let points = |place: usize| past[ranked[place]].points;
    let mine = past[ranked[place]].balance;
    let open: Vec<usize> = (place + 1..ranked.len()).filter(|other| !matching.is_fixed(*other)).collect();
    let equals = open.iter().filter(|other| points(**other) == points(place)).count();
    // Of the rest of a group of 2n the first meets the one after the first half.
    let half = equals.div_ceil(2).max(1) - 1;
    let wish = |(at, other): (usize, &usize)| {
        let its = past[ranked[*other]].balance;
        let both = if mine.signum() == its.signum() { mine.abs().min(its.abs()) } else { 0 };
        let distance = if points(*other) == points(place) { at.abs_diff(half) } else { at };
        ((points(place) - points(*other), both, distance, at), *other)
    };
    let mut wishes: Vec<_> = open.iter().enumerate().map(wish).collect();
    wishes.sort_unstable();
    wishes.into_iter().map(|(_, other)| other).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::{Format, Kind, Outcome};

    /// Plays all rounds; `chance` decides games, and who leaves. Returns the rounds and after which of them players left.
    fn play(
        players: usize,
        wished: usize,
        mut chance: impl FnMut() -> u32,
    ) -> (Vec<Vec<Pairing>>, Vec<bool>) {
        let swiss = Format::from(Kind::Swiss);
        let rounds = swiss.rounds(players, wished);
        let mut is_in = vec![true; players];
        let mut played = Vec::new();
        while let Some(mut round) = crate::pair(swiss, rounds, &is_in, &played) {
            for pairing in round.iter_mut().filter(|one| one.second.is_some()) {
                pairing.outcome = Some(Outcome::ALL[(chance() % 3) as usize]);
                if chance().is_multiple_of(50) {
                    is_in[pairing.first] = false;
                }
            }
            played.push(round);
        }
        (played, is_in)
    }

    fn check(players: usize, played: &[Vec<Pairing>], is_in: &[bool]) -> Result<(), TestCaseError> {
        let (mut met, mut byes) = (BTreeSet::new(), BTreeSet::new());
        for round in played {
            let mut seen = BTreeSet::new();
            for Pairing { first, second, .. } in round {
                prop_assert!(seen.insert(*first), "{} plays twice in a round", first);
                match second {
                    None => prop_assert!(byes.insert(*first), "a second bye for {}", first),
                    Some(second) => {
                        prop_assert!(seen.insert(*second), "{} plays twice in a round", second);
                        let pair = (*first.min(second), *first.max(second));
                        prop_assert!(met.insert(pair), "{:?} meet again", pair);
                    }
                }
            }
            let staying = (0..players).filter(|one| is_in[*one]);
            prop_assert!(staying.clone().all(|one| seen.contains(&one)), "somebody sits out");
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn nobody_meets_somebody_or_has_a_bye_twice_or_sits_out(
            players in 2_usize..60,
            wished in 1_usize..=15,
            chance in prop::collection::vec(any::<u32>(), 997),
        ) {
            let mut chance = chance.into_iter().cycle();
            let (played, is_in) = play(players, wished, || chance.next().unwrap_or_default());
            check(players, &played, &is_in)?;
        }

        #[test]
        fn if_nobody_leaves_all_rounds_are_played(players in 2_usize..80, wished in 1_usize..=15, seed in 1_u32..1000) {
            let rounds = Format::from(Kind::Swiss).rounds(players, wished);
            let mut chance = (0..).map(|at: u32| at.wrapping_mul(seed) % 49 + 1);
            let (played, is_in) = play(players, wished, || chance.next().unwrap_or_default());
            prop_assert_eq!(played.len(), rounds);
            check(players, &played, &is_in)?;
        }
    }

    #[test]
    fn the_lowest_has_the_bye_and_the_halves_meet() {
        let first = pair(&[true; 7], &[]).expect("a round");
        let pairs: Vec<_> = first.iter().map(|one| (one.first, one.second)).collect();
        assert_eq!(pairs, [(0, Some(3)), (4, Some(1)), (2, Some(5)), (6, None)], "seats alternate");
    }

    #[test]
    fn equals_meet_and_seats_alternate() {
        let mut first = pair(&[true; 8], &[]).expect("a round");
        for pairing in &mut first {
            pairing.outcome = Some(Outcome::First);
        }
        let winners: Vec<usize> = first.iter().map(|one| one.first).collect();
        let second = pair(&[true; 8], &[first]).expect("a round");
        let of_winners = second.iter().filter(|one| winners.contains(&one.first)).count();
        assert_eq!(of_winners, 2);
        for Pairing { first, second, .. } in &second {
            let both = [*first, second.expect("a game")].map(|one| winners.contains(&one));
            assert_eq!(both[0], both[1], "with as many points");
        }
    }

    #[test]
    fn all_numbers_of_players_are_paired() {
        for players in (2..=60).chain([99, 250, 499, 500]) {
            let mut chance = (0_u32..).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) | 1);
            let (played, is_in) = play(players, 4, || chance.next().unwrap_or_default());
            assert!(!played.is_empty());
            check(players, &played, &is_in).expect("fair rounds");
        }
    }
}
