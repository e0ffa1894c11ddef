//! How fast random games are played through the rules' own interface, actions and lists of legal actions a second, and how fast
//! records are verified, events a second: `cargo bench --bench rules`. Pippinzip has a bench of its own.

use divan::Bencher;
use divan::counter::ItemsCount;
use pippost::record::verify;
use pippost::rules::Rules;
use pippost::rules::dominion::Dominion;
use pippost::rules::pip_pip::PipPip;
use pippost::rules::serpent::Serpent;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

#[path = "server/src/random_games.rs"]
mod random_games;

use random_games::play;

fn main() {
    divan::main();
}

/// Some games in a row, counted by their actions.
fn play_many<R: Rules>(bencher: Bencher<'_, '_>, options: &serde_json::Value, seats: u8) {
    let options: R::Options = serde_json::from_value(options.clone()).expect("options");
    let batch = |seed| {
        let mut source = ChaCha8Rng::seed_from_u64(seed);
        (0..20).map(|_| play::<R>(&options, seats, &mut source)).sum::<usize>()
    };
    // The same games every time, so their number of actions is known.
    let actions = batch(11);
    bencher.counter(ItemsCount::new(actions)).bench_local(|| batch(11));
}

#[divan::bench]
fn pip_pip_actions(bencher: Bencher<'_, '_>) {
    play_many::<PipPip>(bencher, &json!({}), 2);
}

#[divan::bench]
fn serpent_actions(bencher: Bencher<'_, '_>) {
    play_many::<Serpent>(bencher, &json!({}), 2);
}

#[divan::bench]
fn dominion_4x4_actions(bencher: Bencher<'_, '_>) {
    play_many::<Dominion>(bencher, &json!({"size": 4}), 3);
}

/// Records of an independent implementation.
const RECORDS: &[(&str, &[u8])] = &[
    ("dominion", include_bytes!("../tests/vectors/dominion-4x4-4p-leave.ndjson")),
    ("pip-pip", include_bytes!("../tests/vectors/pip-pip-1.ndjson")),
    ("pippinzip", include_bytes!("../tests/vectors/pippinzip-timeout.ndjson")),
    ("serpent", include_bytes!("../tests/vectors/serpent-1.ndjson")),
];

#[divan::bench(args = ["dominion", "pip-pip", "pippinzip", "serpent"])]
fn verified_events(bencher: Bencher<'_, '_>, rules: &str) {
    let (_, record) = RECORDS.iter().find(|(name, _)| *name == rules).expect("a record");
    let events = verify(record).expect("a good record").events;
    bencher.counter(ItemsCount::new(events)).bench_local(|| verify(record));
}
