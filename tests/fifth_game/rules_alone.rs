//! The added rule set without a server: actions, leaving and refusals, with the common parts supplied by the library.

use pippost::language::Language;
use pippost::record::header::FORM;
use pippost::record::table::SeatOrder;
use pippost::record::{Act, Hash, Header, Player, Seating, Table};
use pippost::rules::erased::Adapter;
use pippost::rules::{Captions, Chance, RuleSet, Seat, Viewer, find_among};
use serde_json::json;
use uuid::Uuid;

use crate::add_the_game;
use crate::race::Race;
use support::picking;
use support::sample::Sampler;

static RACE: &dyn RuleSet = &Adapter::<Race>::new();

/// The second version, which the line would also name after a change of the rules.
static RACE_2: &dyn RuleSet = &Adapter::<Race<2>>::new();

fn header() -> Header {
    let player = |name: &str| Player { name: name.to_owned(), entropy: String::new() };
    Header {
        record: FORM.to_owned(),
        id: Uuid::now_v7(),
        rules: RACE.name().to_owned(),
        rules_version: RACE.version(),
        options: RACE.complete_options(&json!({})).expect("defaults"),
        seating: Seating::Joined,
        commitment: Hash::from_bytes([0; 32]),
        players: vec![player("ann"), player("bob")],
        beacon: None,
    }
}

#[test]
fn the_example_plays_from_start_to_finish_with_all_that_is_common_done_for_it() {
    add_the_game();
    let mut words = || 5;
    let started = Table::start(RACE, &header(), &SeatOrder::ByHeader, Chance::Drawn(&mut words));
    let (mut table, done) = started.expect("nothing is drawn");
    assert_eq!(done.effects, [json!({"type": "seated", "order": [0, 1]})]);
    let roll = json!({"type": "roll"});
    for seq in 1..3 {
        let seat = table.to_act().expect("a running game");
        let done =
            table.act(seq, Act::Play { seat, action: &roll }, Chance::Drawn(&mut words)).expect("legal");
        assert_eq!(done.due_seeds, [seq], "the seed of a roll is published with it");
    }
    let seat = table.to_act().expect("a running game");
    let done = table.act(3, Act::Play { seat, action: &roll }, Chance::Drawn(&mut words)).expect("legal");
    assert_eq!(
        done.effects,
        [
            json!({"type": "rolled", "seat": 0, "die": 6, "total": 12}),
            json!({"type": "finished", "reason": "play", "places": [1, 2], "scores": [12, 6]})
        ]
    );
    assert_eq!(
        table.position().view(Viewer::Spectator),
        json!({"phase": "finished", "target": 12, "totals": [12, 6]})
    );
    let names = ["ann".to_owned(), "bob".to_owned()];
    assert_eq!(
        table
            .position()
            .picture(Viewer::Spectator, &Captions::new(&names, &Language::ENGLISH), &done.effects)
            .description,
        "ann: 12 of 12\nbob: 6 of 12\n"
    );
    let restored = Table::restore(RACE, &table.snapshot()).expect("a snapshot");
    assert_eq!(restored.result(), table.result());
}

#[test]
fn its_actions_are_composed_by_targets() {
    add_the_game();
    let mut words = || 0;
    let started = Table::start(RACE, &header(), &SeatOrder::ByHeader, Chance::Drawn(&mut words));
    let (table, _) = started.expect("nothing is drawn");
    let composed = picking::holds(&table, &mut Sampler::new(1));
    assert!(composed.contains(&json!({"type": "roll"})), "{composed:?}");
}

#[test]
fn leaving_is_done_for_it_too() {
    add_the_game();
    let mut words = || 0;
    let started = Table::start(RACE, &header(), &SeatOrder::ByHeader, Chance::Drawn(&mut words));
    let (mut table, _) = started.expect("nothing is drawn");
    let done = table.act(1, Act::Timeout { seat: Seat(0) }, Chance::Sealed).expect("the seat to act");
    assert_eq!(done.effects[1]["places"], json!([2, 1]));
    assert!(table.act(2, Act::Resign { seat: Seat(1) }, Chance::Sealed).is_err(), "the game is over");
}

#[test]
fn an_old_version_stays_reachable_beside_a_new_one_and_new_games_get_the_new_one() {
    add_the_game();
    for registry in [[RACE, RACE_2], [RACE_2, RACE]] {
        let version = |wanted| find_among(registry.into_iter(), "race", wanted).map(RuleSet::version);
        assert_eq!([version(Some(1)), version(Some(2)), version(None)], [Some(1), Some(2), Some(2)]);
        assert_eq!(version(Some(3)), None, "a version that nobody knows is not another one");
        assert!(find_among(registry.into_iter(), "racing", None).is_none());
    }
}

#[test]
fn a_header_of_an_unknown_version_or_game_is_refused_in_words() {
    add_the_game();
    let with =
        |rules: &str, version: u32| Header { rules: rules.to_owned(), rules_version: version, ..header() };
    for (rules, version) in [("race", 0), ("race", 2), ("race", u32::MAX), ("races", 1)] {
        let refused = with(rules, version).check().expect_err("no such rules");
        assert_eq!(refused.to_string(), format!("no rule set `{rules}` in version {version} is known"));
    }
}
