//! Swiss pairings: from the top down, everybody gets the best opponent with whom all others can still be paired.

use uuid::Uuid;

use crate::Pairing;
use crate::history::{self, Past, seated};
use crate::matching::Matching;

/// Pairs those who are in, two of one club only if not all can be paired otherwise; `None` if that is not possible without meeting
/// somebody, or having a bye, twice.
pub fn pair(is_in: &[bool], clubs: &[Option<Uuid>], played: &[Vec<Pairing>]) -> Option<Vec<Pairing>> {
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
    let club = |place: usize| clubs.get(*ranked.get(place)?).copied().flatten();
    let share_club = |one: usize, other: usize| club(one).is_some() && club(one) == club(other);
    let may_apart = |one: usize, other: usize| may(one, other) && !share_club(one, other);
    let mut matching = Matching::of(number, &may_apart).or_else(|| Matching::of(number, &may))?;
    let mut round = Vec::with_capacity(number / 2);
    // The lowest first.
    let bye = (number > nobody).then(|| (0..nobody).rev().find(|one| matching.fix(nobody, *one)));
    for place in 0..nobody {
        if matching.is_fixed(place) {
            continue;
        }
        let wished = wished(place, &ranked, &past, &share_club, &matching);
        let other = wished.into_iter().find(|other| matching.fix(place, *other))?;
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

/// Opponents for the one at a place, who is the first that is left, the best first: with as many points; of another club; such that one
/// of both has had the first seat less often; and half of those with as many points further down.
fn wished(
    place: usize,
    ranked: &[usize],
    past: &[Past],
    share_club: &dyn Fn(usize, usize) -> bool,
    matching: &Matching<'_>,
) -> Vec<usize> {
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
        ((points(place) - points(*other), share_club(place, *other), both, distance, at), *other)
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
    fn play(players: usize, wished: usize, chance: impl FnMut() -> u32) -> (Vec<Vec<Pairing>>, Vec<bool>) {
        play_for(&[], players, wished, chance)
    }

    /// The same for clubs.
    fn play_for(
        clubs: &[Option<Uuid>],
        players: usize,
        wished: usize,
        mut chance: impl FnMut() -> u32,
    ) -> (Vec<Vec<Pairing>>, Vec<bool>) {
        let swiss = Format::from(Kind::Swiss);
        let rounds = swiss.rounds(players, wished);
        let mut is_in = vec![true; players];
        let mut played = Vec::new();
        while let Some(mut round) = crate::pair(swiss, rounds, &is_in, clubs, &played) {
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

    /// Players of clubs 1 to 9, or of none where the number is 0.
    fn clubs(numbers: &[u128]) -> Vec<Option<Uuid>> {
        numbers.iter().map(|number| (*number > 0).then(|| Uuid::from_u128(*number))).collect()
    }

    /// The pairs of a round, the lower number first, in their order.
    fn pairs(round: &[Pairing]) -> Vec<(usize, usize)> {
        let numbers = round.iter().filter_map(|one| Some((one.first, one.second?)));
        let mut pairs: Vec<_> = numbers.map(|(one, other)| (one.min(other), one.max(other))).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Whether all of these can be paired, with one bye at most, so that nobody meets or has a bye twice and no two are of one club.
    fn are_parted(left: &[usize], clubs: &[Option<Uuid>], past: &[Past]) -> bool {
        let Some((one, rest)) = left.split_first() else { return true };
        let with = |at: usize| {
            let mut others = rest.to_vec();
            let other = others.remove(at);
            let share = clubs[*one].is_some() && clubs[*one] == clubs[other];
            !share && !past[*one].has_met(other) && are_parted(&others, clubs, past)
        };
        let bye = left.len() % 2 == 1 && past[*one].byes == 0 && are_parted(rest, clubs, past);
        bye || (0..rest.len()).any(with)
    }

    proptest! {
        #[test]
        fn two_of_one_club_meet_only_if_not_all_can_be_paired_otherwise(
            numbers in prop::collection::vec(0_u128..=3, 2..=9),
            wished in 1_usize..=5,
            seed in 1_u32..1000,
        ) {
            let (players, clubs) = (numbers.len(), clubs(&numbers));
            let mut chance = (0..).map(|at: u32| at.wrapping_mul(seed) % 49 + 1);
            let (played, is_in) = play_for(&clubs, players, wished, || chance.next().unwrap_or_default());
            check(players, &played, &is_in)?;
            let everybody: Vec<usize> = (0..players).collect();
            for (at, round) in played.iter().enumerate() {
                let past = history::of(players, &played[..at]);
                let meet = pairs(round).iter().any(|(one, other)| clubs[*one].is_some() && clubs[*one] == clubs[*other]);
                prop_assert_eq!(meet, !are_parted(&everybody, &clubs, &past), "round {} of {:?}", at, numbers);
            }
        }

        #[test]
        fn players_without_clubs_and_those_of_clubs_of_their_own_are_paired_alike(
            players in 2_usize..40,
            seed in 1_u32..1000,
        ) {
            let mut chance = (0..).map(|at: u32| at.wrapping_mul(seed) % 49 + 1);
            let (plain, _) = play(players, 5, || chance.next().unwrap_or_default());
            let own: Vec<_> = (0..players).map(|one| Some(Uuid::from_u128(one as u128))).collect();
            let mut chance = (0..).map(|at: u32| at.wrapping_mul(seed) % 49 + 1);
            let (of_clubs, _) = play_for(&own, players, 5, || chance.next().unwrap_or_default());
            prop_assert_eq!(plain, of_clubs);
        }
    }

    #[test]
    fn players_of_one_club_are_parted_as_far_as_that_is_possible() {
        let round =
            |numbers: &[u128]| pair(&vec![true; numbers.len()], &clubs(numbers), &[]).expect("a round");
        assert_eq!(pairs(&round(&[0, 0, 0, 0])), [(0, 2), (1, 3)], "nobody plays for a club");
        assert_eq!(pairs(&round(&[1, 0, 1, 0])), [(0, 1), (2, 3)]);
        assert_eq!(pairs(&round(&[1, 2, 3, 3])), [(0, 2), (1, 3)]);
        // If the first met the nearest to the middle, the others would be of one club.
        assert_eq!(pairs(&round(&[1, 3, 2, 3])), [(0, 1), (2, 3)]);
        // Five of six are of one club, so that two pairs are: the first meets whom it can.
        assert_eq!(pairs(&round(&[1, 1, 1, 1, 1, 2])), [(0, 5), (1, 3), (2, 4)]);
    }

    #[test]
    fn the_lowest_has_the_bye_and_the_halves_meet() {
        let first = pair(&[true; 7], &[], &[]).expect("a round");
        let pairs: Vec<_> = first.iter().map(|one| (one.first, one.second)).collect();
        assert_eq!(pairs, [(0, Some(3)), (4, Some(1)), (2, Some(5)), (6, None)], "seats alternate");
    }

    #[test]
    fn equals_meet_and_seats_alternate() {
        let mut first = pair(&[true; 8], &[], &[]).expect("a round");
        for pairing in &mut first {
            pairing.outcome = Some(Outcome::First);
        }
        let winners: Vec<usize> = first.iter().map(|one| one.first).collect();
        let second = pair(&[true; 8], &[], &[first]).expect("a round");
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
