//! How likely each of those who sit in a game is to win it, by the ratings that they have before it.

use time::Date;

use super::days::Standing;
use super::glicko::Strength;

impl Standing {
    /// What is held of the player on a day that begins: days without games have made it less sure.
    #[must_use]
    pub fn on(&self, day: Date) -> Strength {
        let idle_days = (day - self.day).whole_days() - 1;
        self.strength.rested(u32::try_from(idle_days).unwrap_or_default())
    }
}

/// The chances of winning, in the order of the players; together they are 1. A draw counts as a half for each of two.
///
/// Of two players they are what Glicko-2 expects. Of more, a player's is 1 / (1 + Σ of what each other one has for one chance of the
/// player), made to be 1 in sum: with equal deviations that is the model of Bradley, Terry, Luce and Plackett.
#[must_use]
pub fn chances(players: &[Strength]) -> Vec<f64> {
    let share = |(seat, own): (usize, &Strength)| {
        let others = players.iter().enumerate().filter(|(other, _)| *other != seat);
        let against: f64 = others.map(|(_, other)| other.expected(*own) / own.expected(*other)).sum();
        1.0 / (1.0 + against)
    };
    let shares: Vec<f64> = players.iter().enumerate().map(share).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::date;

    use super::*;
    use crate::{MAX_DEVIATION, NEWCOMER};

    fn strength(rating: i32, deviation: i32) -> Strength {
        Strength { rating: rating * 1000, deviation: deviation * 1000, ..NEWCOMER }
    }

    /// In thousandths.
    fn of(players: &[(i32, i32)]) -> Vec<i32> {
        let players: Vec<Strength> =
            players.iter().map(|(rating, deviation)| strength(*rating, *deviation)).collect();
        chances(&players).into_iter().map(thousandths).collect()
    }

    #[allow(clippy::cast_possible_truncation, reason = "a chance is at most 1")]
    fn thousandths(chance: f64) -> i32 {
        (chance * 1000.0).round() as i32
    }

    #[test]
    fn two_players_have_what_glickman_s_formula_says() {
        // By hand: 90² + 120² = 150²; φ = 150 / 173.7178 = 0.8635; g = 1 / √(1 + 3 · 0.7456 / 9.8696) = 0.9029;
        // E = 1 / (1 + exp(-0.9029 · 200 / 173.7178)) = 1 / (1 + 0.3536) = 0.739.
        assert_eq!(of(&[(1700, 90), (1500, 120)]), [739, 261]);
        // His "Example of the Glicko system": 1400 ± 80 against 1500 ± 150 is expected to score 0.376.
        assert_eq!(of(&[(1400, 80), (1500, 150)]), [376, 624]);
    }

    #[test]
    fn of_more_players_each_has_as_much_as_the_others_leave() {
        assert_eq!(of(&[(1500, 60), (1500, 60), (1500, 60), (1500, 60)]), [250; 4]);
        // By hand: all pairs have φ² = 2 · (80 / 173.7178)² = 0.4242 and g = 1 / √(1 + 3 · 0.4242 / 9.8696) = 0.9412. The weights are
        // exp(0.9412 · difference / 173.7178): 1 for 1500, 1.7191 for 1600 and 2.9552 for 1700, of 5.6743 in all.
        let equal = of(&[(1500, 80), (1600, 80), (1700, 80)]);
        assert_eq!(equal, [176, 303, 521]);
        assert_eq!(of(&[(1700, 80), (1500, 80), (1600, 80)]), [521, 176, 303], "whatever the order");
    }

    #[test]
    fn days_without_games_make_a_chance_less_sure() {
        let standing = Standing { strength: strength(1700, 60), games: 9, day: date!(2026 - 11 - 20) };
        assert_eq!(
            standing.on(date!(2026 - 11 - 21)),
            standing.strength,
            "the next day is no day without games"
        );
        assert_eq!(standing.on(date!(2026 - 11 - 20)), standing.strength);
        let later = standing.on(date!(2027 - 11 - 20));
        // By hand: φ² = (60 / 173.7178)² + 364 · 0.06² = 0.1193 + 1.3104 = 1.4297; 173.7178 · √1.4297 = 207.7.
        assert!((207_600..207_800).contains(&later.deviation) && later.rating == 1_700_000, "{later:?}");
        let against = strength(1500, 60);
        assert!(chances(&[later, against])[0] < chances(&[standing.strength, against])[0]);
        assert_eq!(standing.on(date!(2226 - 11 - 20)).deviation, MAX_DEVIATION);
    }

    proptest! {
        #[test]
        fn chances_are_one_in_sum_and_go_by_the_ratings(
            players in prop::collection::vec((0_i32..4000, 30_i32..351), 1..9),
            deviation in 30_i32..351,
        ) {
            let players: Vec<Strength> = players.into_iter().map(|(rating, own)| strength(rating, own)).collect();
            let sum: f64 = chances(&players).iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{}", sum);
            let alike: Vec<Strength> =
                players.iter().map(|one| Strength { deviation: deviation * 1000, ..*one }).collect();
            let chances = chances(&alike);
            for (one, own) in alike.iter().zip(&chances) {
                for (other, its) in alike.iter().zip(&chances) {
                    prop_assert!(one.rating < other.rating || *own > its - 1e-12);
                }
            }
        }
    }
}
