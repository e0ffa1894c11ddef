//! Measures how long rounds of 500 players of five clubs take: `cargo run --release -p pippost-tournaments --example five_hundred`.

use std::time::Instant;

use pippost_tournaments::{Format, Kind, MAX_PLAYERS, MAX_ROUNDS, Outcome, pair, standings};
use uuid::Uuid;

fn main() {
    let players = usize::from(MAX_PLAYERS);
    let swiss = Format::from(Kind::Swiss);
    let (is_in, mut played) = (vec![true; players], Vec::new());
    let clubs: Vec<_> = (0..players).map(|one| Some(Uuid::from_u128(one as u128 % 5))).collect();
    let mut chance: usize = 1;
    for round in 1..=MAX_ROUNDS {
        let begun = Instant::now();
        let paired = pair(swiss, MAX_ROUNDS.into(), &is_in, &clubs, &played);
        let mut paired = paired.expect("a round for all");
        println!("round {round}: {:?}", begun.elapsed());
        for pairing in &mut paired {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            pairing.outcome = Some(Outcome::ALL[(chance >> 40) % 3]);
        }
        played.push(paired);
    }
    let begun = Instant::now();
    let table = standings(swiss, players, &played);
    println!("standings of {}: {:?}", table.len(), begun.elapsed());
}
