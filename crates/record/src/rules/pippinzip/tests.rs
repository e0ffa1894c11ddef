//! One case for each ruling, and the notation. Random games are in `laws.rs`, whole records in `tests/laws/vectors.rs`.

use serde_json::{Value, json};

use super::{Action, Options, Pippinzip, Position};
use crate::rules::erased::Adapter;
use crate::rules::sentence::in_english;
use crate::rules::{Chance, Halt, PlayedOut, RuleSet, Rules, Seat, Step, Viewer};

pub fn start(variant: &str, size: u8) -> Position {
    let options = serde_json::from_value(json!({"variant": variant, "size": size})).expect("options");
    Pippinzip::start(&options, 2, &mut Step::new(Chance::Withheld)).expect("no chance is needed")
}

/// A position after the auction: rows from north to south, seat 0 as Zip, and the seat in turn.
fn in_play(variant: &str, rows: &str, turn: u8) -> Position {
    let size = rows.split('/').count();
    let snapshot = json!({"variant": variant, "size": size, "turn": turn, "pip": 1, "winner": null,
        "over": false, "rows": rows});
    serde_json::from_value(snapshot).expect("a snapshot")
}

fn try_play(position: &mut Position, text: &str) -> Result<Vec<Value>, Halt> {
    let action = Pippinzip::read(position, text).expect("readable notation");
    let seat = Pippinzip::to_act(position).expect("a running game");
    let mut step = Step::new(Chance::Withheld);
    Pippinzip::act(position, seat, &action, &mut step)?;
    let trace = step.finish();
    assert!(!trace.drew && !trace.hides && !trace.reveals, "nothing is drawn after seating");
    Ok(trace.effects)
}

fn play(position: &mut Position, text: &str) -> Vec<Value> {
    try_play(position, text).expect("a legal action")
}

fn refusal(position: &Position, text: &str) -> String {
    let mut copy = position.clone();
    let error = try_play(&mut copy, text).expect_err("an illegal action");
    assert_eq!(&copy, position, "a refused action changes nothing");
    in_english::refusal(&error)
}

fn view(position: &Position) -> Value {
    serde_json::to_value(Pippinzip::view(position, Viewer::Spectator)).expect("a view")
}

fn legal(position: &Position) -> Value {
    serde_json::to_value(Pippinzip::legal(position)).expect("a list")
}

fn names() -> [String; 2] {
    ["ann".to_owned(), "bob".to_owned()]
}

#[test]
fn pz1_the_auction_begins_with_seat_0_on_an_empty_board() {
    let position = start("zipline", 5);
    assert_eq!(Pippinzip::to_act(&position), Some(Seat(0)));
    assert_eq!(
        view(&position),
        json!({"phase": "auction", "variant": "zipline", "size": 5, "pip": null, "zip": null,
            "rows": [".....", ".....", ".....", ".....", "....."]})
    );
}

#[test]
fn pz1_an_auction_turn_places_one_to_three_stones_of_the_colour_in_use() {
    for (variant, colour) in [("pipline", "black"), ("zipline", "white"), ("freestyle", "white")] {
        let mut position = start(variant, 5);
        for (seat, text) in [(0, "c3"), (1, "d5 a1"), (0, "b2 b3 b4")] {
            let cells: Vec<_> = text.split(' ').collect();
            let placed = json!({"type": "placed", "seat": seat, "colour": colour, "cells": cells});
            assert_eq!(play(&mut position, text), [placed], "in the action's order");
        }
        assert_eq!(refusal(&position, "a2 b3"), "b3 is taken");
        assert_eq!(refusal(&position, "f1"), "f1 is not on this board: its cells are a1 to e5");
    }
}

#[test]
fn pz1_take_is_legal_on_every_auction_turn_and_only_there() {
    let mut position = start("pipline", 5);
    let all: Vec<_> =
        ('a'..='e').flat_map(|column| (1..=5).map(move |row| format!("{column}{row}"))).collect();
    let choose = json!({"type": "place",
        "choose": {"member": "cells", "least": 1, "most": 3, "from": all, "apart": false}});
    assert_eq!(legal(&position), json!([choose, {"type": "take"}]));
    play(&mut position, "c3");
    play(&mut position, "take");
    assert_eq!(refusal(&position, "take"), "the auction is over: there is nothing to take");
    assert!(legal(&position).as_array().expect("a list").iter().all(|offer| offer["type"] == "place"));
}

#[test]
fn pz2_the_taker_is_pip_in_pipline_and_zip_otherwise_and_the_other_seat_moves() {
    for (variant, pip, zip) in [("pipline", 0, 1), ("zipline", 1, 0), ("freestyle", 1, 0)] {
        let mut position = start(variant, 5);
        assert_eq!(play(&mut position, "take"), [json!({"type": "roles", "pip": pip, "zip": zip})]);
        assert_eq!(Pippinzip::to_act(&position), Some(Seat(1)));
        let view = view(&position);
        assert_eq!((&view["phase"], &view["pip"], &view["zip"]), (&json!("play"), &json!(pip), &json!(zip)));
    }
}

#[test]
fn pz3_zip_places_one_white_stone_and_pip_one_black_in_pipline() {
    let mut position = start("pipline", 5);
    play(&mut position, "take");
    assert_eq!(refusal(&position, "a1 c3"), "one stone a turn, not 2");
    assert_eq!(play(&mut position, "a1")[0]["colour"], "white");
    assert_eq!(refusal(&position, "b1 c3 d5"), "one stone a turn, not 3");
    assert_eq!(play(&mut position, "c3")[0]["colour"], "black");
    assert_eq!(legal(&position)[0]["choose"]["most"], 1);
}

#[test]
fn pz3_pip_places_two_black_stones_in_zipline_and_freestyle() {
    for variant in ["zipline", "freestyle"] {
        let mut position = start(variant, 5);
        play(&mut position, "take");
        assert_eq!(refusal(&position, "a1"), "Pip places two stones: name a second cell after a1");
        assert_eq!(refusal(&position, "a1 c3 e5"), "2 stones a turn, not 3");
        let placed = json!({"type": "placed", "seat": 1, "colour": "black", "cells": ["c3", "a1"]});
        assert_eq!(play(&mut position, "c3 a1"), [placed]);
        assert_eq!(refusal(&position, "b1 d5"), "one stone a turn, not 2");
        assert_eq!(play(&mut position, "b1")[0]["colour"], "white");
    }
}

#[test]
fn pz4_pips_two_stones_must_not_touch_along_a_side_in_zipline_only() {
    let zipline = in_play("zipline", "...../...../...../...../.....", 1);
    let told = "c3 and c4 are neighbours: Pip's two stones must not touch";
    assert_eq!(refusal(&zipline, "c3 c4"), told);
    assert_eq!(refusal(&zipline, "c3 d3"), "c3 and d3 are neighbours: Pip's two stones must not touch");
    play(&mut zipline.clone(), "c3 d4");
    assert_eq!(legal(&zipline)[0]["choose"]["apart"], true);
    let freestyle = in_play("freestyle", "...../...../...../...../.....", 1);
    play(&mut freestyle.clone(), "c3 c4");
    assert_eq!(legal(&freestyle)[0]["choose"]["apart"], false);
}

#[test]
fn pz4_a_first_stone_that_leaves_no_legal_second_stands_alone() {
    // Empty: b2, c2, d2 in a line. c2 touches both others; b2 and d2 do not touch.
    let position = in_play("zipline", "bwbwb/wbwbw/bwbwb/w...w/bwbwb", 1);
    assert_eq!(
        legal(&position),
        json!([
            {"type": "place",
                "choose": {"member": "cells", "least": 2, "most": 2, "from": ["b2", "d2"], "apart": true}},
            {"type": "place", "cells": ["c2"]}
        ])
    );
    play(&mut position.clone(), "c2");
    play(&mut position.clone(), "d2 b2");
    assert_eq!(refusal(&position, "b2"), "Pip places two stones: name a second cell after b2");
    assert!(refusal(&position, "c2 d2").contains("must not touch"));
}

#[test]
fn pz4_the_last_empty_cell_is_filled_by_one_stone() {
    for variant in ["zipline", "freestyle"] {
        let mut position = in_play(variant, "bwbwb/wbwbw/bwbwb/wb.bw/bwbwb", 1);
        assert_eq!(legal(&position), json!([{"type": "place", "cells": ["c2"]}]), "{variant}");
        assert_eq!(play(&mut position, "c2")[0]["cells"], json!(["c2"]));
    }
}

#[test]
fn pz4_two_neighbours_as_the_last_cells_are_one_stone_in_zipline_and_two_in_freestyle() {
    let rows = "bwbwb/wbwbw/bwbwb/wb..w/bwbwb";
    let zipline = in_play("zipline", rows, 1);
    assert_eq!(
        legal(&zipline),
        json!([{"type": "place", "cells": ["c2"]}, {"type": "place", "cells": ["d2"]}])
    );
    assert!(refusal(&zipline, "c2 d2").contains("must not touch"));
    play(&mut zipline.clone(), "d2");
    let freestyle = in_play("freestyle", rows, 1);
    assert_eq!(refusal(&freestyle, "d2"), "Pip places two stones: name a second cell after d2");
    play(&mut freestyle.clone(), "d2 c2");
}

#[test]
fn pz4_two_stones_are_given_even_if_the_first_alone_wins() {
    let mut position = in_play("zipline", "..b../..b../...../..b../..b..", 1);
    assert!(refusal(&position, "c3").starts_with("Pip places two stones"));
    let effects = play(&mut position, "c3 a1");
    let cells = json!(["c1", "c2", "c3", "c4", "c5"]);
    assert_eq!(effects[1], json!({"type": "connected", "colour": "black", "cells": cells}));
    assert!(view(&position)["rows"][4] == "b.b..", "the second stone is on the board too");
}

#[test]
fn pz5_black_wins_along_sides_between_two_opposite_edges() {
    // Diagonal neighbours do not connect black stones.
    let mut position = in_play("freestyle", "....b/...b./...../.b.../b....", 1);
    play(&mut position, "c3 a5");
    assert_eq!(Pippinzip::ending(&position), None);
    let mut position = in_play("freestyle", "...../.bb../b..bb/...../.....", 1);
    let effects = play(&mut position, "b3 c3");
    let cells = json!(["a3", "b3", "b4", "c3", "c4", "d3", "e3"]);
    assert_eq!(effects[1], json!({"type": "connected", "colour": "black", "cells": cells}));
}

#[test]
fn pz5_white_wins_with_one_chain_that_touches_all_four_edges_diagonals_included() {
    // The diagonal of a board touches all four sides, because a corner touches two.
    let mut position = in_play("pipline", "w..../.w.../...../...w./....w", 0);
    let effects = play(&mut position, "c3");
    let cells = json!(["a5", "b4", "c3", "d2", "e1"]);
    assert_eq!(effects[1], json!({"type": "connected", "colour": "white", "cells": cells}));
    let ending = Pippinzip::ending(&position).expect("white has won");
    assert_eq!((ending.reason, ending.standing), (PlayedOut::Play, vec![vec![Seat(0)], vec![Seat(1)]]));
    assert_eq!(Pippinzip::to_act(&position), None);
    assert_eq!(legal(&position), json!([]));
    assert_eq!(Pippinzip::scores(&position), None);
    // Three sides are not enough.
    let mut position = in_play("pipline", ".w.../.w.../...../ww.../.w...", 0);
    assert_eq!(play(&mut position, "b3").len(), 1);
}

#[test]
fn pz5_of_several_groups_the_one_with_the_first_cell_is_named_sorted_by_column_then_row_as_a_number() {
    let row = |letters: &str| format!("{letters}...").repeat(2) + "..";
    let mut rows = vec![row(".b"); 12];
    rows[5] = row("..");
    let mut position = in_play("freestyle", &rows.join("/"), 1);
    let effects = play(&mut position, "g7 b7");
    let cells: Vec<_> = (1..=12).map(|row| format!("b{row}")).collect();
    assert_eq!(effects[1], json!({"type": "connected", "colour": "black", "cells": cells}));
}

#[test]
fn pz6_a_win_in_the_auction_belongs_to_the_seat_that_placed_and_there_are_no_roles() {
    let mut position = start("pipline", 5);
    play(&mut position, "c1 c2");
    let effects = play(&mut position, "c5 c4 c3");
    assert_eq!(
        effects,
        [
            json!({"type": "placed", "seat": 1, "colour": "black", "cells": ["c5", "c4", "c3"]}),
            json!({"type": "connected", "colour": "black", "cells": ["c1", "c2", "c3", "c4", "c5"]})
        ]
    );
    let ending = Pippinzip::ending(&position).expect("seat 1 has won");
    assert_eq!(ending.standing, [vec![Seat(1)], vec![Seat(0)]]);
    let view = view(&position);
    assert_eq!(
        (&view["phase"], &view["pip"], &view["zip"]),
        (&json!("finished"), &Value::Null, &Value::Null)
    );
}

#[test]
fn pz6_neighbours_may_be_placed_together_in_a_zipline_auction() {
    let mut position = start("zipline", 5);
    play(&mut position, "c3 c4 d4");
    assert_eq!(legal(&position)[0]["choose"]["apart"], false);
}

#[test]
fn a_game_that_was_closed_offers_nothing_and_has_no_winner_by_play() {
    let mut position = start("pipline", 5);
    play(&mut position, "c3");
    Pippinzip::close(&mut position);
    assert_eq!(Pippinzip::ending(&position), None);
    assert_eq!(Pippinzip::to_act(&position), None);
    assert_eq!(view(&position)["phase"], "finished");
    let take = Action::Take {};
    let halt = Pippinzip::act(&mut position, Seat(1), &take, &mut Step::new(Chance::Withheld));
    assert!(matches!(halt, Err(Halt::Illegal(_))));
}

#[test]
fn options_are_completed_and_impossible_ones_refused() {
    let rules = Adapter::<Pippinzip>::new();
    let complete = rules.complete_options(&json!({})).expect("defaults");
    assert_eq!(complete, json!({"variant": "pipline", "size": 11, "surface": "points"}));
    for options in [
        json!({"size": 4}),
        json!({"size": 20}),
        json!({"size": 11.0}),
        json!({"size": "11"}),
        json!({"variant": "Zipline"}),
        json!({"surface": "wood"}),
        json!({"colour": "red"}),
    ] {
        assert!(rules.complete_options(&options).is_err(), "{options}");
    }
    assert_eq!(Pippinzip::seats(&Options::default()), 2..=2);
}

#[test]
fn schemas_say_what_is_read_and_refuse_what_is_not() {
    let options = jsonschema::validator_for(&Pippinzip::options_schema()).expect("a schema");
    assert!(options.is_valid(&json!({})) && options.is_valid(&json!({"size": 19, "variant": "freestyle"})));
    assert!(!options.is_valid(&json!({"size": 4})) && !options.is_valid(&json!({"side": 5})));
    let actions = jsonschema::validator_for(&Pippinzip::action_schema()).expect("a schema");
    for action in [
        json!({"type": "take"}),
        json!({"type": "take", "cells": []}),
        json!({"type": "place"}),
        json!({"type": "place", "cells": []}),
        json!({"type": "place", "cells": ["c3"]}),
        json!({"type": "place", "cells": ["c3", "s19", "a10"]}),
        json!({"type": "place", "cells": ["c3", "c3"]}),
        json!({"type": "place", "cells": ["a1", "a2", "a3", "a4"]}),
        json!({"type": "place", "cells": ["a20"]}),
        json!({"type": "place", "cells": ["a01"]}),
        json!({"type": "place", "cells": ["C3"]}),
        json!({"type": "place", "cells": "c3"}),
        json!({"type": "place", "cells": ["c3"], "colour": "black"}),
        json!({"type": "pass"}),
        json!("take"),
    ] {
        let read = serde_json::from_value::<Action>(action.clone());
        assert_eq!(actions.is_valid(&action), read.is_ok(), "{action}: {read:?}");
        if let Ok(read) = read {
            assert_eq!(serde_json::to_value(read).expect("an action"), action);
        }
    }
}

#[test]
fn notation_is_read_in_any_case_and_spacing_and_written_as_the_page_says() {
    let position = start("pipline", 19);
    for (text, written) in [
        ("TAKE", "take"),
        (" take ", "take"),
        ("take.", "take"),
        ("c3 d5", "c3 d5"),
        ("D5C3", "d5 c3"),
        ("S19,a1 , K10", "s19 a1 k10"),
        ("place c 3 - d 5", "c3 d5"),
        ("c3 + d5", "c3 d5"),
        ("s19", "s19"),
    ] {
        let action = Pippinzip::read(&position, text).expect(text);
        assert_eq!(Pippinzip::write(&action), written);
    }
}

#[test]
fn unreadable_notation_names_the_place() {
    let position = start("pipline", 19);
    for (text, place) in [
        ("", 0),
        ("  ", 2),
        ("pass", 1),
        ("t4", 0),
        ("c", 1),
        ("c3 d", 4),
        ("c3 x5", 3),
        ("c3 d0", 3),
        ("c20", 0),
        ("c3, c3", 4),
        ("a1 a2 a3 a4", 9),
        ("take c3", 5),
        ("place", 5),
        ("c3!", 2),
    ] {
        let error = Pippinzip::read(&position, text).expect_err(text);
        assert_eq!(error.at, Some(place), "{text}: {error}");
    }
    assert!(Pippinzip::read(&position, &"ä".repeat(1000)).is_err());
}

#[test]
fn the_board_as_text_names_columns_and_rows_and_who_plays_what() {
    let position = in_play("zipline", "...../..b../..wb./...../.....", 1);
    let text = Pippinzip::board_text(
        &Pippinzip::view(&position, Viewer::Spectator),
        &in_english::captions(&names()),
    );
    let expected = "    a b c d e\n  5 . . . . .  5\n  4 . . b . .  4\n  3 . . w b .  3\n  2 . . . . .  2\n  \
        1 . . . . .  1\n    a b c d e\n\nb black: Pip, bob; two stones a turn, to two opposite sides\n\
        w white: Zip, ann; one stone a turn, to all four sides\n";
    assert_eq!(text, expected);
    let long = ["m".repeat(100), "w".repeat(100)];
    let text =
        Pippinzip::board_text(&Pippinzip::view(&position, Viewer::Spectator), &in_english::captions(&long));
    assert!(text.lines().all(|line| line.len() <= 78), "{text}");
    let auction = start("pipline", 19);
    let text =
        Pippinzip::board_text(&Pippinzip::view(&auction, Viewer::Spectator), &in_english::captions(&names()));
    assert!(text.ends_with("\nb black; auction: who takes black is Pip\n"), "{text}");
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78), "{text}");
}

#[test]
fn what_happened_is_told_in_sentences() {
    let tell = |effects: Value| {
        let effects: Vec<_> = serde_json::from_value(effects).expect("effects");
        in_english::told(&Pippinzip::tell(Some(Seat(0)), None, &effects), &names())
    };
    assert_eq!(
        tell(json!([{"type": "placed", "seat": 0, "colour": "white", "cells": ["c3"]}])),
        ["ann placed a white stone on c3."]
    );
    assert_eq!(
        tell(json!([
            {"type": "placed", "seat": 1, "colour": "black", "cells": ["c3", "a1", "b2"]},
            {"type": "connected", "colour": "black", "cells": ["b1", "b2", "b3", "b4", "b5"]}
        ])),
        [
            "bob placed black stones on c3, a1 and b2.",
            "A chain of 5 black stones, from b1 to b5, joins two opposite sides."
        ]
    );
    assert_eq!(
        tell(json!([{"type": "roles", "pip": 1, "zip": 0}])),
        ["The auction is over: bob is Pip and plays black, ann is Zip and plays white."]
    );
}

#[test]
fn snapshots_that_are_no_position_are_refused() {
    let good = serde_json::to_value(in_play("zipline", "...../..b../..wb./...../.....", 1)).expect("JSON");
    assert!(serde_json::from_value::<Position>(good.clone()).is_ok());
    for (member, bad) in [
        ("rows", json!("...../...../...../....")),
        ("rows", json!("...../...../...../...../....x")),
        ("size", json!(6)),
        ("turn", json!(2)),
        ("pip", json!(7)),
    ] {
        let mut copy = good.clone();
        copy[member] = bad.clone();
        assert!(serde_json::from_value::<Position>(copy).is_err(), "{member}: {bad}");
    }
}
