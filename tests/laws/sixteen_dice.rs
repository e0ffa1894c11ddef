//! Pip•Pip has sixteen dice, eight per seat (PP4): at every position each is on the board, in a store, rolled, or still to
//! come.

use pippost::record::Event;
use pippost::rules::{self, Viewer};
use proptest::prelude::*;
use serde_json::Value;

use support::random_play::{Game, Plan};

/// The number of dice that each seat places.
const EACH: u64 = 8;

/// More actions than any game has.
const MOST_ACTIONS: usize = 80;

/// The tops of the dice that `seat` has brought into an effect of this type.
fn dice(events: &[Event], kind: &str, seat: usize, member: &str) -> Vec<u64> {
    let effects = events.iter().flat_map(|event| &event.effects);
    let own = effects.filter(|effect| effect["type"] == kind && effect["seat"] == seat);
    own.map(|effect| effect[member].as_u64().expect("a face")).collect()
}

fn faces(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|face| face.as_u64().expect("a face")).collect()
}

/// How the position breaks the law; `None` if the law holds.
fn broken(game: &Game) -> Option<String> {
    let table = game.chronicle.table();
    let view = table.position().view(Viewer::Spectator);
    let to_act = table.to_act().map(pippost::rules::Seat::index);
    let mut on_the_way = 0;
    for seat in 0..2 {
        let remaining = view["remaining"][seat].as_u64().expect("a number");
        let stored = faces(&view["stores"][seat]);
        let placed = dice(&game.events, "placed", seat, "top");
        let lying = if to_act == Some(seat) { view["rolled"].as_u64() } else { None };
        // Counted by the seat that placed them, even if they were converted later.
        if placed.len() as u64 + remaining != EACH {
            return Some(format!("seat {seat} has placed {} and still has {remaining}", placed.len()));
        }
        let spoken_for = (stored.len() + usize::from(lying.is_some())) as u64;
        if spoken_for > remaining || stored.len() > 3 || !stored.is_sorted() {
            return Some(format!("seat {seat} has {spoken_for} dice for {remaining} placements: {stored:?}"));
        }
        // Every rolled die is somewhere, with its rolled face.
        let mut rolled = dice(&game.events, "rolled", seat, "die");
        let mut found: Vec<u64> = [placed, stored].concat();
        found.extend(lying);
        rolled.sort_unstable();
        found.sort_unstable();
        if rolled != found {
            return Some(format!("seat {seat} rolled {rolled:?}, and there are {found:?}"));
        }
        on_the_way += remaining;
    }
    let on_board = view["cells"].as_object().expect("cells").len() as u64;
    let over = table.result().is_some();
    let full = view["stores"] == serde_json::json!([[], []]) && on_board == 2 * EACH;
    if on_board + on_the_way != 2 * EACH {
        return Some(format!("{on_board} on the board, {on_the_way} to come"));
    }
    (over && !full).then(|| format!("over with {on_board} on the board: {view}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sixteen_dice_are_on_the_board_in_stores_rolled_or_to_come_at_every_position(seed in any::<u64>()) {
        let rules = rules::all().position(|rules| rules.name() == "pip-pip").expect("the rule set");
        let mut game = Game::start(&Plan { rules, seed, actions: 0 });
        prop_assert_eq!(broken(&game), None);
        let mut actions = 0;
        while game.play_one() {
            prop_assert_eq!(broken(&game), None, "after event {}", game.events.len() - 1);
            actions += 1;
            prop_assert!(actions < MOST_ACTIONS);
        }
        prop_assert!(game.chronicle.table().result().is_some(), "played to the end");
    }
}
