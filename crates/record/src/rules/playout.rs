//! A random game from a position on, for programs that play: it ends where the rules say that it is far enough.

use super::chance::{Chance, Words};
use super::refusal::Halt;
use super::seat::Seat;
use super::step::Step;
use super::{Ending, Rules};

/// The difference of scores, as a share of all points, that counts as half a victory.
const CLEAR_LEAD: f64 = 0.25;

/// Plays `action` on a copy of `from`, then actions by [`Rules::playout_action`], and says how the game stands for each seat, from 0 to 1.
///
/// # Errors
/// [`Halt::Illegal`] if `action` is not legal.
pub fn run<R: Rules>(
    from: &R::Position,
    action: &R::Action,
    words: &mut dyn Words,
    max_actions: u32,
) -> Result<Vec<f64>, Halt> {
    let mut now = from.clone();
    let mut words = || words.next_word();
    let seat = R::to_act(from).unwrap_or(Seat(0));
    R::act(&mut now, seat, action, &mut Step::silent(Chance::Drawn(&mut words)))?;
    for _ in 1..max_actions {
        if R::is_far_enough(from, &now) {
            break;
        }
        let Some((seat, action)) = R::to_act(&now).zip(R::playout_action(&now, &mut words)) else { break };
        R::act(&mut now, seat, &action, &mut Step::silent(Chance::Drawn(&mut words)))?;
    }
    Ok(R::ending(&now).map_or_else(|| R::estimate(&now), |ending| by_places(&ending)))
}

/// Of the seats in the standing, for each the share of the others that it is above, ties counting half; 0 for those that left.
fn by_places(ending: &Ending) -> Vec<f64> {
    let seats = ending.standing.iter().flatten().map(|seat| seat.index() + 1).max().unwrap_or(0);
    let count = |groups: &[Vec<Seat>]| groups.iter().map(Vec::len).sum::<usize>();
    let all = count(&ending.standing);
    let mut values = vec![0.0; seats];
    for (place, group) in ending.standing.iter().enumerate() {
        let below = count(&ending.standing[place + 1..]);
        let value = if all > 1 { share(2 * below + group.len() - 1, 2 * (all - 1)) } else { 1.0 };
        for seat in group {
            values[seat.index()] = value;
        }
    }
    values
}

/// For each seat, by how much its score is above the best other one.
pub fn by_scores(scores: &[i64]) -> Vec<f64> {
    let all: i64 = scores.iter().map(|score| score.abs()).sum();
    let value = |seat: usize| {
        let others = scores.iter().enumerate().filter(|(other, _)| *other != seat);
        let best = others.map(|(_, score)| *score).max().unwrap_or(0);
        logistic(small(scores[seat] - best) / (CLEAR_LEAD * small(all + 1)))
    };
    (0..scores.len()).map(value).collect()
}

/// A number of any size as one between 0 and 1, with 0 in the middle.
pub fn logistic(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// A part of a whole, as a fraction; 0 of nothing.
pub fn share(part: usize, whole: usize) -> f64 {
    let exact = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { exact(part) / exact(whole) }
}

fn small(score: i64) -> f64 {
    f64::from(i32::try_from(score).unwrap_or(if score < 0 { i32::MIN } else { i32::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PlayedOut;

    fn places(standing: &[&[u8]]) -> Vec<f64> {
        let group = |seats: &&[u8]| seats.iter().copied().map(Seat).collect();
        by_places(&Ending { reason: PlayedOut::Play, standing: standing.iter().map(group).collect() })
    }

    fn close(one: &[f64], other: &[f64]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
    }

    #[test]
    fn the_first_place_is_worth_one_the_last_nothing_and_ties_share() {
        assert!(close(&places(&[&[1], &[0]]), &[0.0, 1.0]));
        assert!(close(&places(&[&[0, 1]]), &[0.5, 0.5]));
        assert!(close(&places(&[&[2], &[0, 3], &[1]]), &[0.5, 0.0, 1.0, 0.5]));
        assert!(close(&places(&[&[1]]), &[0.0, 1.0]), "seat 0 left");
    }

    #[test]
    fn a_lead_is_better_the_greater_it_is_and_the_values_of_two_add_up_to_one() {
        let [behind, ahead, far_ahead] =
            [[3, 9], [9, 3], [12, 0]].map(|scores: [i64; 2]| by_scores(&scores)[0]);
        assert!(behind < 0.5 && ahead > 0.5 && far_ahead > ahead, "{behind} {ahead} {far_ahead}");
        for scores in [[0, 0], [-4, 7], [i64::from(i32::MAX), 1]] {
            let values = by_scores(&scores);
            assert!((values[0] + values[1] - 1.0).abs() < 1e-9, "{values:?}");
        }
        assert!(by_scores(&[]).is_empty());
    }
}
