//! Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013), with weights of games. Its `exp` and `ln` come from the crate `libm`:
//! those of systems differ in their last digits, and so would everybody's ratings. All else is exact by IEEE 754.

use libm::{exp, log};

/// How strong a player is held to be, in whole numbers, so that no two programs read them otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// In thousandths.
    pub rating: i32,
    /// In thousandths.
    pub deviation: i32,
    /// In billionths.
    pub volatility: i32,
}

/// What is held of a player of whom nothing is known.
pub const NEWCOMER: Strength =
    Strength { rating: 1_500_000, deviation: MAX_DEVIATION, volatility: 60_000_000 };

/// As much as of a newcomer is known of everybody, in thousandths.
pub const MAX_DEVIATION: i32 = 350_000;

/// The paper's τ: how much volatility changes.
const TAU: f64 = 0.5;

/// Points of a rating in a unit of the paper's own scale.
const SCALE: f64 = 173.7178;

/// Where the scale begins.
const MIDDLE: f64 = 1500.0;

/// The paper's ε: how exactly the volatility is sought.
const EPSILON: f64 = 0.000_001;

/// The most steps of that search, which needs about ten.
const MAX_STEPS: usize = 1000;

const PI_SQUARED: f64 = std::f64::consts::PI * std::f64::consts::PI;

/// A game, or a part of one, against an opponent.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub opponent: Strength,
    /// 1 for a game of two.
    pub weight: f64,
    /// 1 for a victory, a half for a draw, 0 for a defeat.
    pub score: f64,
}

/// The paper's μ, φ and σ.
#[derive(Clone, Copy)]
struct Scaled {
    mu: f64,
    phi: f64,
    sigma: f64,
}

impl From<Strength> for Scaled {
    fn from(strength: Strength) -> Self {
        let Strength { rating, deviation, volatility } = strength;
        Self {
            mu: (f64::from(rating) / 1e3 - MIDDLE) / SCALE,
            phi: f64::from(deviation) / 1e3 / SCALE,
            sigma: f64::from(volatility) / 1e9,
        }
    }
}

impl From<Scaled> for Strength {
    fn from(scaled: Scaled) -> Self {
        Self {
            rating: rounded((scaled.mu * SCALE + MIDDLE) * 1e3),
            deviation: rounded(scaled.phi * SCALE * 1e3).min(MAX_DEVIATION),
            volatility: rounded(scaled.sigma * 1e9),
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a cast of a float stays within the range")]
fn rounded(number: f64) -> i32 {
    number.round() as i32
}

impl Scaled {
    /// φ after days without games; nobody is less known than a newcomer.
    fn rested(self, idle_days: u32) -> f64 {
        let idle = self.phi * self.phi + f64::from(idle_days) * self.sigma * self.sigma;
        idle.sqrt().min(f64::from(MAX_DEVIATION) / 1e3 / SCALE)
    }
}

/// The paper's g: how much less a difference says, because φ is not zero.
fn weakened(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / PI_SQUARED).sqrt()
}

/// The paper's E: what is expected of a game, by g and how much larger the own μ is.
fn expected(weakened: f64, difference: f64) -> f64 {
    1.0 / (1.0 + exp(-weakened * difference))
}

impl Strength {
    /// The same after days without games.
    #[must_use]
    pub fn rested(self, idle_days: u32) -> Self {
        let own = Scaled::from(self);
        Scaled { phi: own.rested(idle_days), ..own }.into()
    }

    /// What is expected of a game against another: 1 for a victory, a half for a draw. Both deviations count.
    #[must_use]
    pub fn expected(self, other: Self) -> f64 {
        let (own, other) = (Scaled::from(self), Scaled::from(other));
        let both = (own.phi * own.phi + other.phi * other.phi).sqrt();
        expected(weakened(both), own.mu - other.mu)
    }

    /// After a day with games, and `idle_days` without before it. The sums are made in the order of `meetings`.
    #[must_use]
    pub fn after(self, idle_days: u32, meetings: &[Meeting]) -> Self {
        let own = Scaled::from(self);
        let phi = own.rested(idle_days);
        let (mut information, mut surplus) = (0.0, 0.0);
        for meeting in meetings {
            let opponent = Scaled::from(meeting.opponent);
            let weakened = weakened(opponent.phi);
            let expected = expected(weakened, own.mu - opponent.mu);
            information += meeting.weight * weakened * weakened * expected * (1.0 - expected);
            surplus += meeting.weight * weakened * (meeting.score - expected);
        }
        let variance = 1.0 / information;
        let sigma = volatility(own.sigma, phi, variance, variance * surplus);
        let before = phi * phi + sigma * sigma;
        let phi = 1.0 / (1.0 / before + information).sqrt();
        Scaled { mu: own.mu + phi * phi * surplus, phi, sigma }.into()
    }
}

/// Step 5 of the paper: the volatility for which what happened is likeliest, by the Illinois algorithm.
fn volatility(sigma: f64, phi: f64, variance: f64, delta: f64) -> f64 {
    let start = log(sigma * sigma);
    let (squared, spread) = (delta * delta, phi * phi + variance);
    let steep = |x: f64| {
        let e = exp(x);
        let sum = spread + e;
        e * (squared - sum) / (2.0 * sum * sum) - (x - start) / (TAU * TAU)
    };
    let mut low = start;
    let mut high = if squared > spread {
        log(squared - spread)
    } else {
        let below = (1..).map(|k| start - f64::from(k) * TAU).take(MAX_STEPS);
        below.into_iter().find(|x| steep(*x) >= 0.0).unwrap_or(start)
    };
    let (mut at_low, mut at_high) = (steep(low), steep(high));
    for _ in 0..MAX_STEPS {
        if (high - low).abs() <= EPSILON {
            break;
        }
        let next = low + (low - high) * at_low / (at_high - at_low);
        let at_next = steep(next);
        if at_next * at_high <= 0.0 {
            (low, at_low) = (high, at_high);
        } else {
            at_low /= 2.0;
        }
        (high, at_high) = (next, at_next);
    }
    exp(low / 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strength(rating: i32, deviation: i32) -> Strength {
        Strength { rating: rating * 1000, deviation: deviation * 1000, ..NEWCOMER }
    }

    fn met(rating: i32, deviation: i32, score: f64) -> Meeting {
        Meeting { opponent: strength(rating, deviation), weight: 1.0, score }
    }

    #[test]
    fn the_example_of_glickmans_paper_comes_out() {
        let meetings = [met(1400, 30, 1.0), met(1550, 100, 0.0), met(1700, 300, 0.0)];
        let after = strength(1500, 200).after(0, &meetings);
        // The paper: 1464.06, 151.52 and 0.05999; it rounds on its way.
        assert_eq!(after, Strength { rating: 1_464_051, deviation: 151_517, volatility: 59_995_984 });
    }

    #[test]
    fn a_surprise_raises_volatility_and_idle_days_raise_deviation() {
        let beaten = [met(2200, 30, 1.0), met(2200, 30, 1.0), met(2200, 30, 1.0)];
        let after = strength(1500, 60).after(0, &beaten);
        assert!(after.volatility > NEWCOMER.volatility && after.rating > 1_500_000, "{after:?}");
        let rested = |days| strength(1500, 60).after(days, &[met(1500, 30, 0.5)]).deviation;
        assert!(rested(0) < rested(30) && rested(30) < rested(300));
        assert_eq!(rested(10_000), rested(1_000_000), "nobody is less known than a newcomer");
    }

    proptest! {
        #[test]
        fn a_draw_between_equals_does_not_move_the_rating(rating in 0_i32..3000, deviation in 30_i32..350) {
            let own = strength(rating, deviation);
            let after = own.after(0, &[met(rating, deviation, 0.5)]);
            prop_assert_eq!(after.rating, own.rating);
            prop_assert!(after.volatility <= own.volatility);
        }

        #[test]
        fn a_victory_raises_and_a_defeat_lowers_as_much(one in 30_i32..350, other in 30_i32..350) {
            let won = strength(1500, one).after(0, &[met(1500, other, 1.0)]);
            let lost = strength(1500, one).after(0, &[met(1500, other, 0.0)]);
            prop_assert!(won.rating > 1_500_000 && lost.rating < 1_500_000);
            prop_assert!((won.rating + lost.rating - 3_000_000).abs() <= 1);
            prop_assert_eq!((won.deviation, won.volatility), (lost.deviation, lost.volatility));
        }

        #[test]
        fn whatever_happens_stays_within_bounds(
            own in (0_i32..4000, 1_i32..351),
            met_ones in prop::collection::vec((0_i32..4000, 1_i32..351, 0_u8..3), 1..50),
            idle in 0_u32..10_000,
        ) {
            let meetings: Vec<Meeting> = met_ones
                .into_iter()
                .map(|(rating, deviation, score)| met(rating, deviation, f64::from(score) / 2.0))
                .collect();
            let after = strength(own.0, own.1).after(idle, &meetings);
            prop_assert!((1..=MAX_DEVIATION).contains(&after.deviation), "{:?}", after);
            prop_assert!((1..1_000_000_000).contains(&after.volatility), "{:?}", after);
            prop_assert!((-20_000_000..20_000_000).contains(&after.rating), "{:?}", after);
        }
    }
}
