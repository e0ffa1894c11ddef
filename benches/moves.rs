//! Measures a move without HTTP and database, in time and in allocations: `cargo bench --bench moves`. It is a move in the
//! middle of a game of each rule set: the copy of the game, the rules, the event with its hash, the snapshot, the view as text,
//! the receipt.

use divan::{AllocProfiler, Bencher};
use pippost::games::RECEIPT_KIND;
use pippost::games::playing::move_response::ReceiptClaims;
use pippost::keys::SigningKeys;
use pippost::record::header::FORM;
use pippost::record::{Act, Chronicle, Header, Master, Player, Seating, Timestamp};
use pippost::rules::{self, Choose, RuleSet, Seat, Viewer};
use serde_json::{Value, json};
use time::macros::datetime;
use uuid::Uuid;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// The number of moves before the measured one.
const BEFORE: usize = 8;

const GAME: Uuid = Uuid::from_u128(0x0193_4a2b_5c6d_7e8f_8a9b_0c1d_2e3f_4a5b);

/// A game after some moves, and one more move.
fn middle(rules: &str) -> (Chronicle, Seat, Value) {
    let rules = rules::find(rules, None).expect("a rule set");
    let options = rules.complete_options(&json!({})).expect("defaults are possible");
    let seats = *rules.seats(&options).expect("good options").start();
    let player = |number| Player { name: format!("player-{number}"), entropy: String::new() };
    let master = Master::from_bytes([7; 32]);
    let header = Header {
        record: FORM.to_owned(),
        id: GAME,
        rules: rules.name().to_owned(),
        rules_version: rules.version(),
        options,
        seating: Seating::Joined,
        commitment: master.commitment(GAME),
        players: (0..seats).map(player).collect(),
        beacon: None,
    };
    let at = Timestamp::new(datetime!(2026-11-21 12:00 UTC));
    let (mut chronicle, _) = Chronicle::start(rules, &header, &master, at);
    for _ in 0..BEFORE {
        let (seat, action) = next(&chronicle);
        chronicle.act(Act::Play { seat, action: &action }, at).expect("listed");
    }
    let (seat, action) = next(&chronicle);
    (chronicle, seat, action)
}

/// The first legal action.
fn next(chronicle: &Chronicle) -> (Seat, Value) {
    let table = chronicle.table();
    let entry = table.position().legal().swap_remove(0);
    let choice: Result<Choose, _> = serde_json::from_value(entry.clone());
    (table.to_act().expect("the game goes on"), choice.map_or(entry, |choice| choice.action(|_| 0)))
}

#[divan::bench(args = rules::all().map(RuleSet::name))]
fn one_move(bencher: Bencher<'_, '_>, rules: &str) {
    let (chronicle, seat, action) = middle(rules);
    let folder = tempfile::tempdir().expect("a folder");
    let signing = SigningKeys::in_folder(folder.path()).expect("keys");
    let at = Timestamp::new(datetime!(2026-11-21 12:01 UTC));
    bencher.bench_local(|| {
        let mut next = chronicle.clone();
        let recorded = next.act(Act::Play { seat, action: &action }, at).expect("listed");
        let claims = ReceiptClaims {
            game: GAME,
            seq: recorded.event.seq,
            hash: recorded.event.hash,
            clock: None,
            log: None,
            by: None,
            witnesses: None,
        };
        let receipt = signing.sign(RECEIPT_KIND, &claims);
        let view = next.table().position().view(Viewer::Seat(seat));
        (recorded.line, next.table().snapshot(), view.to_string(), receipt)
    });
}
