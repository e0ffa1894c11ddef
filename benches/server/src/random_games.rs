//! Random games of any rule set; `benches/rules.rs` has the same.

use pippost::rules::{Chance, Offer, Rules, Step};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The most actions of a game; the longest games go on for thousands.
const MAX_ACTIONS: usize = 400;

/// Plays one random game; returns how many actions it had. Every action is taken from a new list of legal actions.
///
/// # Panics
/// The rule set has offers that are not actions.
pub fn play<R: Rules>(options: &R::Options, seats: u8, source: &mut ChaCha8Rng) -> usize {
    let mut dice = ChaCha8Rng::seed_from_u64(source.next_u64());
    let mut words = move || dice.next_u32();
    let mut position =
        R::start(options, seats, &mut Step::silent(Chance::Drawn(&mut words))).expect("chance");
    for played in 0..MAX_ACTIONS {
        let Some(seat) = R::to_act(&position) else { return played };
        let offers = R::legal(&position);
        let Offer::Action(action) = &offers[source.next_u32() as usize % offers.len()] else {
            panic!("these rule sets list every action")
        };
        R::act(&mut position, seat, action, &mut Step::silent(Chance::Drawn(&mut words))).expect("listed");
    }
    MAX_ACTIONS
}
