//! Round robin by the tables of Berger: in a circle, with seats that alternate.

use crate::Pairing;

/// A round more than players to meet if one of an odd number has to sit out.
pub fn rounds(players: usize) -> usize {
    even(players).saturating_sub(1)
}

fn even(players: usize) -> usize {
    players + players % 2
}

/// The round `round`, from 0. Whoever meets somebody who has left has a bye; whoever has to sit out, none.
pub fn pair(is_in: &[bool], round: usize) -> Vec<Pairing> {
    let circle = even(is_in.len()) - 1;
    let fixed = circle;
    // The last of an even number does not move in the circle; of an odd number nobody is there.
    let at = round % circle;
    let mut pairs = vec![if round.is_multiple_of(2) { (at, fixed) } else { (fixed, at) }];
    for step in 1..=circle / 2 {
        let (ahead, behind) = ((at + step) % circle, (at + circle - step) % circle);
        pairs.push(if step % 2 == 1 { (ahead, behind) } else { (behind, ahead) });
    }
    let plays = |one: usize| is_in.get(one).copied().unwrap_or_default();
    let pairing = |(first, second): (usize, usize)| {
        if first >= is_in.len() || second >= is_in.len() {
            return None;
        }
        match (plays(first), plays(second)) {
            (true, true) => Some(Pairing::game(first, second)),
            (true, false) => Some(Pairing::bye(first)),
            (false, true) => Some(Pairing::bye(second)),
            (false, false) => None,
        }
    };
    pairs.into_iter().filter_map(pairing).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everybody_meets_everybody_once_and_seats_are_even() {
        for players in 2..=24 {
            let is_in = vec![true; players];
            let mut met = BTreeSet::new();
            let mut balance = vec![0_i32; players];
            for round in 0..rounds(players) {
                let mut seen = BTreeSet::new();
                for Pairing { first, second, .. } in pair(&is_in, round) {
                    let second = second.expect("no byes");
                    assert!(met.insert((first.min(second), first.max(second))), "twice");
                    assert!(seen.insert(first) && seen.insert(second), "two games in a round");
                    balance[first] += 1;
                    balance[second] -= 1;
                }
                assert_eq!(seen.len(), players - players % 2);
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(balance.iter().all(|balance| balance.abs() <= 1), "{players}: {balance:?}");
        }
    }

    #[test]
    fn whoever_should_meet_one_who_left_has_a_bye() {
        let round = pair(&[true, false, true, false], 0);
        assert_eq!(round, pair(&[true, false, true, false], 0));
        let games = (0..3).flat_map(|round| pair(&[true, false, true, false], round));
        let (games, byes): (Vec<_>, Vec<_>) = games.partition(|pairing| pairing.second.is_some());
        assert_eq!(games.len(), 1);
        assert_eq!(byes.len(), 4, "two byes for each of both");
    }
}
