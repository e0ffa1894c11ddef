//! Running games whose deal is not public yet: cards are assumed to be held, and only contradictions are refused (PROTOCOL.md,
//! "Verifying").

use serde_json::Value;

use super::tests::{refusal, try_play};
use super::{Position, Serpent};
use crate::rules::no_options::NoOptions;
use crate::rules::{Chance, Rules, Seat, Step, Viewer};

fn sealed() -> Position {
    let mut step = Step::new(Chance::Sealed);
    let position = Serpent::start(&NoOptions {}, 2, &mut step).expect("a sealed deal can be followed");
    let trace = step.finish();
    assert!(trace.drew && trace.hides, "the seed is due later");
    assert_eq!(trace.effects[0]["counts"], serde_json::json!([9, 3]));
    position
}

/// The position after these actions, whose cards are assumed to be held.
fn after(actions: &[&str]) -> Position {
    let mut position = sealed();
    for text in actions {
        try_play(&mut position, text, Chance::Sealed).expect(text);
    }
    position
}

const OPENED: [&str; 2] = ["give 3c 6h 8s", "show 4c 9c Ts"];

#[test]
fn hidden_cards_are_not_known_to_anybody() {
    let position = after(&OPENED);
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator] {
        let view = serde_json::to_value(Serpent::view(&position, viewer)).expect("a view");
        for hand in view["hands"].as_array().expect("two hands") {
            assert_eq!((&hand["hidden"], &hand["hidden_count"]), (&Value::Null, &Value::from(3)));
        }
    }
    let snapshot = serde_json::to_string(&position).expect("a snapshot");
    assert_eq!(serde_json::from_str::<Position>(&snapshot).expect("a position"), position);
}

#[test]
fn a_card_cannot_appear_twice() {
    let position = after(&OPENED[..1]);
    assert!(refusal(&position, "show 3c 4c 9c").starts_with("3c is not"), "it was given away");
    let position = after(&[&OPENED[..], &["Qh", "6h"]].concat());
    assert!(refusal(&position, "Qh").starts_with("Qh is not"), "it lies on the table");
}

#[test]
fn a_card_from_the_others_open_cards_cannot_be_played() {
    let position = after(&OPENED);
    assert!(refusal(&position, "3c").starts_with("3c is not"), "it is the defender's");
    try_play(&mut position.clone(), "4c", Chance::Sealed).expect("an open card of one's own");
    try_play(&mut position.clone(), "Ac", Chance::Sealed).expect("a hidden card");
}

#[test]
fn no_more_hidden_cards_can_be_played_than_there_are() {
    // Seat 0 leads 1, replies 4, leads 5: three hidden cards. The fourth at position 8 is one too many.
    let actions = ["Qh", "6h", "8s", "As", "2s", "3c", "5c"];
    let position = after(&[&OPENED[..], &actions].concat());
    assert_eq!(position.hands[0].hidden_count(), 0);
    assert!(refusal(&position, "6c").starts_with("6c is not"));
    try_play(&mut position.clone(), "9c", Chance::Sealed).expect("an open card that follows");
}

#[test]
fn a_reply_must_follow_if_an_open_card_can() {
    let position = after(&[&OPENED[..], &["Qh"]].concat());
    assert_eq!(refusal(&position, "Ks"), "Ks does not follow Qh in suit or rank, and 6h does");
    assert_eq!(refusal(&position, "3c"), "3c does not follow Qh in suit or rank, and 6h does");
    try_play(&mut position.clone(), "2h", Chance::Sealed).expect("a hidden card that follows");
}

#[test]
fn a_hidden_card_that_could_have_followed_is_refused_when_it_is_played() {
    // Seat 1 does not follow the queen of diamonds.
    let position = after(&[&OPENED[..], &["Qd", "Kh"]].concat());
    for card in ["2d", "Qc"] {
        assert_eq!(refusal(&position, card), format!("{card} should have been played to follow Qd"));
    }
    try_play(&mut position.clone(), "Kc", Chance::Sealed)
        .expect("a hidden card that could not have followed");
    // What is known about seat 1 does not restrict seat 0.
    let mut position = after(&[&OPENED[..], &["Qd", "Kh", "6h"]].concat());
    try_play(&mut position, "2h", Chance::Sealed).expect("seat 0 follows");
    try_play(&mut position, "7d", Chance::Sealed).expect("seat 0 has more diamonds");
}

#[test]
fn the_next_deal_wipes_out_what_was_known_of_the_last() {
    // Clubs follow clubs, spades follow spades; both seats' hidden cards become known on the way.
    let actions = ["4c", "3c", "8s", "Ts", "9c", "Ac", "6h", "2h", "7h", "Th", "9h", "Jh"];
    let position = after(&[&OPENED[..], &actions].concat());
    assert_eq!((position.hand, position.hands[1].hidden_count(), position.table.len()), (2, 9, 0));
    assert_eq!(position.hands[0].hidden_count(), 3);
}
