//! Measures random games of every rule set through the rules' own interface, and the verification of records, in events a
//! second: `cargo bench --bench rules`.

use std::path::Path;

use divan::Bencher;
use divan::counter::ItemsCount;
use pippost::record::verify;
use pippost::rules::registry::Visitor;
use pippost::rules::{self, Chance, Rules, Step};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

#[path = "server/src/random_games.rs"]
mod random_games;

use random_games::{RandomWords, play_fast, play_listed, start};

/// The number of games in a row.
const GAMES: usize = 20;

const SEED: u64 = 11;

fn main() {
    divan::main();
}

fn names() -> Vec<&'static str> {
    rules::all().map(rules::RuleSet::name).collect()
}

fn default_options<R: Rules>() -> R::Options {
    serde_json::from_value(json!({})).expect("defaults are possible")
}

/// What is measured for a rule set.
#[derive(Clone, Copy)]
enum Measured {
    /// Games whose actions are all taken from a list, counted by actions.
    Listed,
    /// Games without lists, counted by games.
    Fast,
    /// The list of legal actions after that many random ones.
    List(usize),
}

/// Measures the rule set of that name.
struct Bench<'a, 'b> {
    name: &'a str,
    measured: Measured,
    bencher: Option<Bencher<'a, 'b>>,
}

impl Visitor for Bench<'_, '_> {
    fn visit<R: Rules>(&mut self) {
        if R::NAME != self.name {
            return;
        }
        let Some(bencher) = self.bencher.take() else { return };
        let options = default_options::<R>();
        match self.measured {
            Measured::Listed => {
                let batch = || {
                    let mut source = ChaCha8Rng::seed_from_u64(SEED);
                    (0..GAMES).map(|_| play_listed::<R>(&options, &mut source)).sum::<usize>()
                };
                // The same games every time, so their number of actions is known.
                let actions = batch();
                bencher.counter(ItemsCount::new(actions)).bench_local(batch);
            }
            Measured::Fast => {
                let mut source = ChaCha8Rng::seed_from_u64(SEED);
                let game = || play_fast::<R>(&options, &mut source);
                bencher.counter(ItemsCount::new(1_u32)).bench_local(game);
            }
            Measured::List(actions) => {
                let position = position_after::<R>(&options, actions);
                bencher.bench_local(|| R::legal(&position));
            }
        }
    }
}

/// A game that still runs after that many random actions.
fn position_after<R: Rules>(options: &R::Options, actions: usize) -> R::Position {
    let (mut dice, mut choices) = (RandomWords::new(SEED), RandomWords::new(!SEED));
    loop {
        let mut position = start::<R>(options, &mut dice);
        let mut play_one = || {
            let (Some(seat), Some(action)) =
                (R::to_act(&position), R::random_action(&position, &mut choices))
            else {
                return false;
            };
            R::act(&mut position, seat, &action, &mut Step::silent(Chance::Drawn(&mut dice))).expect("legal");
            R::to_act(&position).is_some()
        };
        if (0..actions).all(|_| play_one()) {
            return position;
        }
    }
}

fn measure(bencher: Bencher<'_, '_>, name: &str, measured: Measured) {
    rules::visit_all(&mut Bench { name, measured, bencher: Some(bencher) });
}

#[divan::bench(args = names())]
fn listed_actions(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Measured::Listed);
}

#[divan::bench(args = names())]
fn random_games_without_lists(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Measured::Fast);
}

#[divan::bench(args = names(), consts = [0, 10, 20])]
fn lists_of_actions<const AFTER: usize>(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Measured::List(AFTER));
}

/// The names of the records of an independent implementation.
fn records() -> Vec<String> {
    let entries = std::fs::read_dir(vectors()).expect("the vectors");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".ndjson")).collect();
    names.sort_unstable();
    names
}

fn vectors() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors"))
}

#[divan::bench(args = records())]
fn verified_events(bencher: Bencher<'_, '_>, name: &str) {
    let record = std::fs::read(vectors().join(name)).expect("a record");
    let events = verify(&record).expect("a good record").events;
    bencher.counter(ItemsCount::new(events)).bench_local(|| verify(&record));
}
