//! The small game of docs/ADDING_A_GAME.md, whole: two players roll by turns, and whoever first reaches the target wins. Instead of
//! rolling, a player may pass.

use std::ops::RangeInclusive;

use pippost::language::Language;
use pippost::record::header::FORM;
use pippost::record::table::SeatOrder;
use pippost::record::{Act, Hash, Header, Player, Seating, Table};
use pippost::rules::erased::Adapter;
use pippost::rules::picture::{at, text};
use pippost::rules::{
    Captions, Chance, Ending, Halt, Illegal, NoChance, Offer, Picture, PlayedOut, RuleSet, Rules, Seat,
    Sentence, Step, Unreadable, Viewer, find_among,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

/// The rule set: a type without values, since all is in its parts. The version is a parameter, so that a second one can stand
/// beside the first.
enum Race<const RULES_VERSION: u32> {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    #[serde(default = "default_target")]
    target: u8,
}

fn default_target() -> u8 {
    12
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Action {
    Roll {},
    Pass {},
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Effect {
    Rolled { seat: Seat, die: u8, total: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Position {
    target: u8,
    turn: Seat,
    totals: [u8; 2],
    over: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct View {
    phase: String,
    totals: [u8; 2],
}

impl<const RULES_VERSION: u32> Rules for Race<RULES_VERSION> {
    const NAME: &'static str = "race";
    const VERSION: u32 = RULES_VERSION;
    const TITLE: &'static str = "Race";
    const TEXT: &'static str =
        "# Race\n\nRoll by turns; the first to reach the target wins.\n\n*Source: this page.*\n";

    type Options = Options;
    type Action = Action;
    type Effect = Effect;
    type Position = Position;
    type View = View;

    fn options_schema() -> Value {
        json!({"type": "object", "additionalProperties": false,
            "properties": {"target": {"type": "integer", "minimum": 1, "maximum": 200, "default": 12}}})
    }

    fn action_schema() -> Value {
        json!({"type": "object", "additionalProperties": false, "required": ["type"],
            "properties": {"type": {"enum": ["roll", "pass"]}}})
    }

    fn seats(_options: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(options: &Options, _seats: u8, _step: &mut Step<'_>) -> Result<Position, NoChance> {
        Ok(Position { target: options.target, turn: Seat(0), totals: [0, 0], over: false })
    }

    fn to_act(position: &Position) -> Option<Seat> {
        (!position.over).then_some(position.turn)
    }

    fn act(position: &mut Position, seat: Seat, action: &Action, step: &mut Step<'_>) -> Result<(), Halt> {
        // Check first, change then: a refused action leaves the position as it was.
        if position.over || seat != position.turn {
            return Err(Illegal::new("rules-not-your-turn").into());
        }
        if *action == (Action::Roll {}) {
            let die = step.die()?;
            let total = &mut position.totals[seat.index()];
            *total += die;
            let total = *total;
            step.effect(|| Effect::Rolled { seat, die, total });
            position.over = total >= position.target;
        }
        if !position.over {
            position.turn = seat.other();
        }
        Ok(())
    }

    fn close(position: &mut Position) {
        position.over = true;
    }

    fn ending(position: &Position) -> Option<Ending> {
        let winner = Seat::all(2).find(|seat| position.totals[seat.index()] >= position.target)?;
        Some(Ending { reason: PlayedOut::Play, standing: vec![vec![winner], vec![winner.other()]] })
    }

    fn scores(position: &Position) -> Option<Vec<i64>> {
        Some(position.totals.map(i64::from).to_vec())
    }

    fn view(position: &Position, _viewer: Viewer) -> View {
        let phase = if position.over { "finished" } else { "play" };
        View { phase: phase.to_owned(), totals: position.totals }
    }

    fn legal(position: &Position) -> Vec<Offer<Action>> {
        if position.over {
            return Vec::new();
        }
        vec![Offer::Action(Action::Roll {}), Offer::Action(Action::Pass {})]
    }

    fn read(_position: &Position, text: &str) -> Result<Action, Unreadable> {
        match text.trim().to_ascii_lowercase().as_str() {
            "roll" => Ok(Action::Roll {}),
            "pass" => Ok(Action::Pass {}),
            _ => Err(Unreadable::at(0, "race-here")),
        }
    }

    fn write(action: &Action) -> String {
        match action {
            Action::Roll {} => "roll".to_owned(),
            Action::Pass {} => "pass".to_owned(),
        }
    }

    fn tell(_seat: Option<Seat>, _action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
        // In the catalogue: race-rolled = { $player } rolled a { $die } and stands at { $total }.
        let sentence = |Effect::Rolled { seat, die, total }: &Effect| {
            Sentence::new("race-rolled").player("player", *seat).number("die", *die).number("total", *total)
        };
        effects.iter().map(sentence).collect()
    }

    fn to_do(_position: &Position) -> Sentence {
        Sentence::new("race-do")
    }

    fn board_text(view: &View, captions: &Captions<'_>) -> String {
        let names = captions.names;
        format!("{}: {}\n{}: {}\n", names[0], view.totals[0], names[1], view.totals[1])
    }

    fn picture(view: &View, captions: &Captions<'_>, _last: &[Effect]) -> Picture {
        let score = Self::board_text(view, captions);
        let mut picture = Picture::new("Race".to_owned(), score.clone(), 60.0);
        for (line, y) in score.lines().zip([24.0, 48.0]) {
            picture.text(at(12.0, y), text(16.0), line);
        }
        picture
    }
}

/// The line that `registry.rs` would hold.
static RACE: &dyn RuleSet = &Adapter::<Race<1>>::new();

/// The line that it would hold beside the first once the rules have changed.
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
    assert_eq!(table.position().view(Viewer::Spectator), json!({"phase": "finished", "totals": [12, 6]}));
    let names = ["ann".to_owned(), "bob".to_owned()];
    assert_eq!(
        table
            .position()
            .picture(Viewer::Spectator, &Captions::new(&names, &Language::English), &done.effects)
            .description,
        "ann: 12\nbob: 6\n"
    );
    let restored = Table::restore(RACE, &table.snapshot()).expect("a snapshot");
    assert_eq!(restored.result(), table.result());
}

#[test]
fn leaving_is_done_for_it_too() {
    let mut words = || 0;
    let started = Table::start(RACE, &header(), &SeatOrder::ByHeader, Chance::Drawn(&mut words));
    let (mut table, _) = started.expect("nothing is drawn");
    let done = table.act(1, Act::Timeout { seat: Seat(0) }, Chance::Sealed).expect("the seat to act");
    assert_eq!(done.effects[1]["places"], json!([2, 1]));
    assert!(table.act(2, Act::Resign { seat: Seat(1) }, Chance::Sealed).is_err(), "the game is over");
}

#[test]
fn an_old_version_stays_reachable_beside_a_new_one_and_new_games_get_the_new_one() {
    for registry in [[RACE, RACE_2], [RACE_2, RACE]] {
        let version = |wanted| find_among(registry.into_iter(), "race", wanted).map(RuleSet::version);
        assert_eq!([version(Some(1)), version(Some(2)), version(None)], [Some(1), Some(2), Some(2)]);
        assert_eq!(version(Some(3)), None, "a version that nobody knows is not another one");
        assert!(find_among(registry.into_iter(), "racing", None).is_none());
    }
}

#[test]
fn a_header_of_an_unknown_version_or_game_is_refused_in_words() {
    let with =
        |rules: &str, version: u32| Header { rules: rules.to_owned(), rules_version: version, ..header() };
    for (rules, version) in [("race", 1), ("pip-pip", 0), ("pip-pip", 2), ("serpent", u32::MAX)] {
        let refused = with(rules, version).check().expect_err("no such rules");
        assert_eq!(refused.to_string(), format!("no rule set `{rules}` in version {version} is known"));
    }
}
