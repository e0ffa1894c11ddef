//! How fast random Pippinzip is played through the rules' own interface: `cargo bench --bench playouts`.

use divan::Bencher;
use divan::counter::ItemsCount;
use pippost::rules::pippinzip::{Pippinzip, Position};
use pippost::rules::{Rules, Words};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

#[path = "server/src/playouts.rs"]
mod playouts;

use playouts::{play_on, playout, zipline_11};

fn main() {
    divan::main();
}

fn words() -> impl Words {
    let mut source = ChaCha8Rng::seed_from_u64(11);
    move || source.next_u32()
}

/// From the empty board through the auction to the win, which is looked for after every turn.
#[divan::bench(sample_count = 1000, sample_size = 100)]
fn random_playout(bencher: Bencher<'_, '_>) {
    let (start, mut words) = (zipline_11(), words());
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| playout(&start, &mut words));
}

/// Positions to ask for legal actions: one after so many random turns of a game that is still running.
fn position_after(turns: usize) -> Position {
    let mut words = words();
    loop {
        let mut position = zipline_11();
        if (0..turns).all(|_| play_on(&mut position, &mut words)) {
            return position;
        }
    }
}

/// The list of legal actions after so many turns.
#[divan::bench(args = [0, 10, 30], sample_count = 1000, sample_size = 10)]
fn legal_actions(bencher: Bencher<'_, '_>, turns: usize) {
    let position = position_after(turns);
    bencher.bench_local(|| Pippinzip::legal(&position));
}
