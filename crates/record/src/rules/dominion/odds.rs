//! What the dice of an attack may bring, counted over all throws.

use super::action::Action;
use super::position::Position;
use crate::rules::Sentence;

/// All throws of two dice against two.
const THROWS: usize = 6 * 6 * 6 * 6;

/// The number of throws in which the attacker's number exceeds the defender's by each difference, from -10 to 10.
fn throws() -> impl Iterator<Item = i16> {
    let die = || 1..=6_i16;
    let pair = move || die().flat_map(move |first| die().map(move |second| first + second));
    pair().flat_map(move |ours| pair().map(move |theirs| ours - theirs))
}

/// In how many of 100 throws something happens, rounded.
fn of_hundred(happens: impl Fn(i16) -> bool) -> i64 {
    let count = throws().filter(|difference| happens(*difference)).count();
    i64::try_from((count * 100 + THROWS / 2) / THROWS).unwrap_or(100)
}

/// The odds of a legal attack; `None` for any other action.
pub fn outlook(position: &Position, action: Action) -> Option<Sentence> {
    let Action::Attack { from, to } = action else { return None };
    let advantage = i16::from(position.strength(from) - position.strength(to));
    let [ours, theirs] = [from, to].map(|cell| i16::from(position.field.armies(cell)));
    Some(
        Sentence::new("dominion-outlook")
            .text("from", from)
            .text("to", to)
            .number("wins", of_hundred(|throw| throw + advantage > 0))
            .number("conquers", of_hundred(|throw| throw + advantage >= theirs))
            .number("falls", of_hundred(|throw| throw + advantage <= -ours)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_throws_are_counted_and_without_an_advantage_a_tie_is_the_defenders() {
        assert_eq!(throws().count(), THROWS);
        // 146 of 1,296 throws are ties.
        assert_eq!([of_hundred(|throw| throw > 0), of_hundred(|throw| throw == 0)], [44, 11]);
        assert_eq!([of_hundred(|throw| throw >= -10), of_hundred(|throw| throw > 10)], [100, 0]);
    }
}
