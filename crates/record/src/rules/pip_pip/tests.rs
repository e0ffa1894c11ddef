//! One case for each ruling, and the notation. Whole games are in `tests/laws/every_rule_set.rs` and
//! `tests/laws/vectors.rs`.

use serde_json::{Value, json};

use super::{Action, PipPip, Position};
use crate::rules::no_options::NoOptions;
use crate::rules::sentence::in_english;
use crate::rules::{Chance, Halt, Rules, Seat, Step, Viewer, step::Trace};

/// Words that roll these dice; a further one fails the test.
fn falling(dice: &[u8]) -> impl FnMut() -> u32 + use<> {
    let mut dice = std::collections::VecDeque::from(dice.to_vec());
    move || u32::from(dice.pop_front().expect("no more dice than the test lists")) - 1
}

fn start(dice: &[u8]) -> (Position, Trace) {
    let mut words = falling(dice);
    let mut step = Step::new(Chance::Drawn(&mut words));
    let position = PipPip::start(&NoOptions {}, 2, &mut step).expect("chance is there");
    (position, step.finish())
}

fn try_play(position: &mut Position, text: &str, dice: &[u8]) -> Result<Trace, Halt> {
    let action = PipPip::read(position, text).expect("readable notation");
    let seat = PipPip::to_act(position).expect("a running game");
    let mut words = falling(dice);
    let mut step = Step::new(Chance::Drawn(&mut words));
    PipPip::act(position, seat, &action, &mut step)?;
    Ok(step.finish())
}

fn play(position: &mut Position, text: &str, dice: &[u8]) -> Vec<Value> {
    try_play(position, text, dice).expect("a legal action").effects
}

fn refusal(position: &Position, text: &str) -> String {
    let mut copy = position.clone();
    let error = try_play(&mut copy, text, &[]).expect_err("an illegal action");
    assert_eq!(&copy, position, "a refused action changes nothing");
    in_english::refusal(&error)
}

#[test]
fn pp5_the_first_die_is_rolled_with_the_start() {
    let (position, trace) = start(&[4]);
    assert_eq!(trace.effects, [json!({"type": "rolled", "seat": 0, "die": 4})]);
    assert!(trace.drew && !trace.hides && !trace.reveals);
    let view = PipPip::view(&position, Viewer::Spectator);
    let view = serde_json::to_value(view).expect("a view");
    assert_eq!(
        view,
        json!({"phase": "place", "rolled": 4, "stores": [[], []], "remaining": [8, 8], "cells": {}, "scores": [0, 0]})
    );
}

#[test]
fn pp2_a_die_goes_to_any_empty_cell_in_one_of_four_orientations() {
    let (mut position, _) = start(&[4]);
    assert_eq!(PipPip::legal(&position).len(), 1 + 16 * 4);
    assert_eq!(refusal(&position, "d4 n4"), "with 4 on top, north is one of 1, 2, 5, 6");
    assert_eq!(refusal(&position, "d4 n3"), "with 4 on top, north is one of 1, 2, 5, 6");
    play(&mut position, "d4 n2", &[1]);
    assert_eq!(refusal(&position, "d4 n2"), "d4 is taken");
}

#[test]
fn pp3_only_a_strictly_greater_face_converts_and_the_die_stays_as_it_lies() {
    let (mut position, _) = start(&[4]);
    // Light on d4: top 4, north 2, east 6.
    play(&mut position, "d4 n2", &[1]);
    // Dark on e4 with 1 on top and north 5: west is 4, which does not beat 6.
    let effects = play(&mut position, "e4 n5", &[1]);
    assert_eq!(effects.len(), 2, "placed and rolled: {effects:?}");
    // Light on e5: top 1, north 4, so south 3 looks at e4's north 5.
    play(&mut position, "e5 n4", &[1]);
    // Dark on d5 with north 4: south 3 beats north 2 of d4, and east 5 beats west 2 of e5.
    let effects = play(&mut position, "d5 n4", &[6]);
    assert_eq!(effects[1], json!({"type": "converted", "cells": ["d4", "e5"]}));
    let view = serde_json::to_value(PipPip::view(&position, Viewer::Spectator)).expect("a view");
    assert_eq!(view["cells"]["d4"], json!({"owner": 1, "top": 4, "north": 2, "east": 6}));
}

#[test]
fn pp4_storing_rolls_the_next_die_in_the_same_event() {
    let (mut position, _) = start(&[1]);
    let effects = play(&mut position, "store", &[6]);
    assert_eq!(
        effects,
        [json!({"type": "stored", "seat": 0, "die": 1}), json!({"type": "rolled", "seat": 0, "die": 6})]
    );
}

#[test]
fn pp4_a_store_that_is_full_refuses_a_fourth_die() {
    let (mut position, _) = start(&[3]);
    for die in [1, 2, 5] {
        play(&mut position, "store", &[die]);
    }
    assert_eq!(position.stores[0].iter().map(|face| face.number()).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(refusal(&position, "store").starts_with("the store takes no more"));
}

#[test]
fn pp4_a_rolled_die_cannot_be_followed_by_a_pull() {
    let (mut position, _) = start(&[3]);
    play(&mut position, "store", &[1]);
    assert_eq!(refusal(&position, "pull 3 c3 n1"), "a rolled die can only be placed or stored");
    assert_eq!(refusal(&position, "roll"), "a die is rolled already: place it or store it");
}

#[test]
fn pp4_with_as_many_stored_dice_as_placements_pulling_is_the_only_choice() {
    let (mut position, _) = start(&[3]);
    play(&mut position, "store", &[1]);
    position.remaining = [2, 2];
    assert!(refusal(&position, "store").starts_with("the store takes no more"), "s + 1 < r fails");
    play(&mut position, "c3 n2", &[1]);
    play(&mut position, "c4 n2", &[]);
    assert_eq!(PipPip::to_act(&position), Some(Seat(0)));
    assert!(refusal(&position, "roll").starts_with("every placement left"));
    assert_eq!(refusal(&position, "pull 4 c5 n1"), "the store holds no 4");
    let offers = serde_json::to_value(PipPip::legal(&position)).expect("a list");
    assert!(offers.as_array().expect("a list").iter().all(|offer| offer["type"] == "pull"));
    let effects = play(&mut position, "pull 3 c5 n1", &[2]);
    assert_eq!(effects[0], json!({"type": "pulled", "seat": 0, "die": 3}));
}

#[test]
fn pp5_a_turn_with_a_filled_store_waits_for_a_choice() {
    let (mut position, _) = start(&[3]);
    play(&mut position, "store", &[1]);
    play(&mut position, "c3 n2", &[6]);
    let effects = play(&mut position, "f6 n2", &[]);
    assert_eq!(effects.len(), 1, "placed, and no roll for seat 0: {effects:?}");
    assert_eq!(play(&mut position, "roll", &[5]), [json!({"type": "rolled", "seat": 0, "die": 5})]);
}

#[test]
fn pp6_tops_count_on_cells_of_the_own_colour_only_and_equal_scores_share_the_first_place() {
    let (mut position, _) = start(&[1]);
    // c3 is dark: light dice there score nothing.
    play(&mut position, "c3 n2", &[1]);
    assert_eq!(PipPip::scores(&position), Some(vec![0, 0]));
    play(&mut position, "f4 n2", &[1]);
    assert_eq!(PipPip::scores(&position), Some(vec![0, 1]), "f4 is dark");
    play(&mut position, "d3 n2", &[1]);
    assert_eq!(PipPip::scores(&position), Some(vec![1, 1]), "d3 is light");
    assert_eq!(PipPip::ending(&position), None);
    position.board =
        serde_json::from_value(json!(vec![json!({"owner": 0, "top": 1, "north": 2}); 16])).expect("a board");
    let ending = PipPip::ending(&position).expect("a full board");
    assert_eq!(ending.standing, [vec![Seat(0)], vec![Seat(1)]]);
}

#[test]
fn a_preview_stops_before_the_next_roll_with_the_placement_done() {
    let (mut position, _) = start(&[4]);
    let action = PipPip::read(&position, "d4 n2").expect("readable");
    let mut step = Step::new(Chance::Withheld);
    let halt = PipPip::act(&mut position, Seat(0), &action, &mut step).expect_err("the roll is withheld");
    assert!(matches!(halt, Halt::NoChance(_)));
    assert_eq!(step.finish().effects.len(), 1);
    assert_eq!(position.rolled, None);
    assert!(position.board.at("d4".parse().expect("a cell")).is_some());
}

#[test]
fn notation_is_read_in_any_case_and_spacing_and_written_as_the_page_says() {
    let (position, _) = start(&[4]);
    for (text, written) in [
        ("ROLL", "roll"),
        (" store ", "store"),
        ("D4N2", "d4 n2"),
        ("d4 - N 2", "d4 n2"),
        ("Pull5d4n1", "pull 5 d4 n1"),
        ("pull 5, d4, n1", "pull 5 d4 n1"),
    ] {
        let action = PipPip::read(&position, text).expect(text);
        assert_eq!(PipPip::write(&action), written);
    }
}

#[test]
fn unreadable_notation_names_the_place() {
    let (position, _) = start(&[4]);
    for (text, place) in
        [("", 0), ("fly", 0), ("d4", 2), ("d4 x2", 3), ("d4 n9", 4), ("pull d4 n1", 5), ("roll now", 5)]
    {
        let error = PipPip::read(&position, text).expect_err(text);
        assert_eq!(error.at, Some(place), "{text}: {error}");
    }
    assert!(PipPip::read(&position, &"ä".repeat(1000)).is_err());
}

#[test]
fn actions_with_unknown_or_impossible_members_are_not_read() {
    for action in [
        json!({"type": "roll", "die": 6}),
        json!({"type": "place", "cell": "d4"}),
        json!({"type": "place", "cell": "d7", "north": 2}),
        json!({"type": "place", "cell": "d4", "north": 7}),
        json!({"type": "place", "cell": "d4", "north": 2, "top": 6}),
        json!({"type": "steal"}),
        json!("roll"),
    ] {
        assert!(serde_json::from_value::<Action>(action.clone()).is_err(), "{action}");
    }
}

#[test]
fn the_board_as_text_shows_faces_where_they_lie() {
    let (mut position, _) = start(&[4]);
    play(&mut position, "d4 n2", &[1]);
    let names = ["ann".to_owned(), "bob".to_owned()];
    let text = PipPip::board_text(&PipPip::view(&position, Viewer::Spectator), &in_english::captions(&names));
    assert!(text.contains("|   2   |"), "{text}");
    assert!(text.contains("| 1(4)6 |"), "{text}");
    assert!(text.contains("|   5   |"), "{text}");
    assert!(text.contains("( ) light: ann, 0 points, 7 dice to place, store empty"), "{text}");
    assert!(text.contains("\n    d4 top 4 north 2 east 6\n"), "{text}");
    assert!(text.contains("Rolled: 1"), "{text}");
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78));
}
