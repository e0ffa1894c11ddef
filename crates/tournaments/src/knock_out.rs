//! Knock-out: the first and the last of the draw are as far apart as can be, and the first have the byes.

use crate::history::{self, seated};
use crate::{Outcome, Pairing};

pub fn rounds(players: usize) -> usize {
    players.next_power_of_two().trailing_zeros() as usize
}

/// Who goes on from a pairing. After a draw it is whoever sat second; without a result whoever the draw put before the other.
pub fn winner(pairing: &Pairing) -> usize {
    let Pairing { first, second, outcome } = *pairing;
    match (second, outcome) {
        (None, _) | (Some(_), Some(Outcome::First)) => first,
        (Some(second), Some(Outcome::Second | Outcome::Draw)) => second,
        (Some(second), Some(Outcome::Void) | None) => first.min(second),
    }
}

/// Who does not go on, if there was a game.
pub fn loser(pairing: &Pairing) -> Option<usize> {
    Some(pairing.first + pairing.second? - winner(pairing))
}

/// The places of a bracket of so many, a power of two: 0 meets the last, and not before the end 1.
fn bracket(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let last = places.len() * 2 - 1;
        places = places.into_iter().flat_map(|place| [place, last - place]).collect();
    }
    places
}

/// The next round. Its pairings are in the order of the bracket: the winners of the first and second meet next.
pub fn pair(is_in: &[bool], played: &[Vec<Pairing>]) -> Vec<Pairing> {
    let past = history::of(is_in.len(), played);
    let left: Vec<usize> = match played.last() {
        None => bracket(is_in.len().next_power_of_two()),
        Some(last) => last.iter().map(winner).collect(),
    };
    let plays = |one: usize| is_in.get(one).copied().unwrap_or_default();
    let pairing = |two: &[usize]| {
        let (one, other) = (two[0], two[two.len() - 1]);
        match (plays(one), plays(other)) {
            (true, true) => seated(&past, one.min(other), one.max(other), true),
            (true, false) => Pairing::bye(one),
            (false, true) => Pairing::bye(other),
            // Of two who have left, one keeps the place of both.
            (false, false) => Pairing::bye(one.min(other)),
        }
    };
    left.chunks(2).map(pairing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a tournament in which `outcome` decides each game.
    fn played(players: usize, outcome: impl Fn(&Pairing) -> Outcome) -> Vec<Vec<Pairing>> {
        let is_in = vec![true; players];
        let mut played: Vec<Vec<Pairing>> = Vec::new();
        for _ in 0..rounds(players) {
            let mut round = pair(&is_in, &played);
            for pairing in round.iter_mut().filter(|pairing| pairing.second.is_some()) {
                pairing.outcome = Some(outcome(pairing));
            }
            played.push(round);
        }
        played
    }

    fn better(pairing: &Pairing) -> Outcome {
        if Some(pairing.first) < pairing.second { Outcome::First } else { Outcome::Second }
    }

    #[test]
    fn the_first_of_the_draw_have_the_byes_and_meet_last() {
        let six = played(6, better);
        let byes: Vec<usize> =
            six[0].iter().filter(|one| one.second.is_none()).map(|one| one.first).collect();
        assert_eq!(byes, [0, 1]);
        assert_eq!(six.last().map(|last| winner(&last[0])), Some(0));
        let Pairing { first, second, .. } = six[2][0];
        assert_eq!((first.min(second.expect("a game")), first.max(second.expect("a game"))), (0, 1));
    }

    #[test]
    fn every_number_of_players_leaves_one_after_a_game_less() {
        for players in 2..=500 {
            for outcome in [better, |_: &Pairing| Outcome::Draw, |_: &Pairing| Outcome::Void] {
                let played = played(players, outcome);
                assert_eq!(played.last().map(Vec::len), Some(1), "{players}");
                let games = played.iter().flatten().filter(|one| one.second.is_some()).count();
                assert_eq!(games, players - 1, "{players}");
                let byes = players.next_power_of_two() - players;
                let with_bye: Vec<usize> =
                    played.iter().flatten().filter(|one| one.second.is_none()).map(|one| one.first).collect();
                assert_eq!(with_bye.len(), byes);
                assert!(with_bye.iter().all(|one| *one < byes), "{with_bye:?}");
            }
        }
    }

    #[test]
    fn whoever_has_left_is_passed_by() {
        let mut first = pair(&[true; 4], &[]);
        for pairing in &mut first {
            pairing.outcome = Some(better(pairing));
        }
        let last = pair(&[false, true, true, true], &[first]);
        assert_eq!(last, [Pairing::bye(1)]);
    }
}
