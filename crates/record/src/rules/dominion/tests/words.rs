//! Notation, JSON actions, sentences and the board as text.

use super::*;
use crate::rules::dominion::{Action, Effect};

fn told(action: Option<&str>, seat: Option<u8>, effects: &[Value]) -> Vec<String> {
    let position = table(2, NINE, &[]);
    let action = action.map(|text| Dominion::read(&position, text).expect("readable"));
    let effects: Vec<Effect> =
        effects.iter().map(|effect| serde_json::from_value(effect.clone()).expect("an effect")).collect();
    in_english::told(&Dominion::tell(seat.map(Seat), action.as_ref(), &effects), &names())
}

#[test]
fn notation_is_read_in_any_case_and_spacing_and_written_as_the_page_says() {
    let position = table(2, NINE, &[]);
    for (text, written) in [
        ("TURN", "turn"),
        (" pass ", "pass"),
        ("Reinforce B2", "reinforce b2"),
        ("withdrawb2", "withdraw b2"),
        ("attack b3-b4", "attack b3 b4"),
        ("Attack b3 to b4", "attack b3 b4"),
        ("occupy  2", "occupy 2"),
        ("advance b2, c2, 3", "advance b2 c2 3"),
        ("ADVANCEB2C212", "advance b2 c2 12"),
        ("deploy b2: 4", "deploy b2 4"),
    ] {
        let action = Dominion::read(&position, text).expect(text);
        assert_eq!(Dominion::write(&action), written);
    }
}

#[test]
fn unreadable_notation_names_the_place() {
    let position = table(2, NINE, &[]);
    for (text, place) in [
        ("", 0),
        ("fly", 0),
        (" attack", 7),
        ("attack b3", 9),
        ("attack b3 b9", 10),
        ("attack b3 to", 12),
        ("reinforce f1", 10),
        ("occupy", 6),
        ("occupy two", 7),
        ("occupy 123", 7),
        ("deploy b2 1 2", 12),
        ("advance b2 c2", 13),
        ("turn now", 5),
    ] {
        let error = Dominion::read(&position, text).expect_err(text);
        assert_eq!(error.at, Some(place), "{text}: {error}");
    }
    assert!(Dominion::read(&position, &"ä".repeat(1000)).is_err());
}

#[test]
fn actions_with_unknown_or_impossible_members_are_not_read() {
    for action in [
        json!({"type": "turn", "card": "Kh"}),
        json!({"type": "attack", "from": "b2"}),
        json!({"type": "attack", "from": "b2", "to": "b6"}),
        json!({"type": "attack", "from": "B2", "to": "b3"}),
        json!({"type": "deploy", "cell": "b2", "armies": -1}),
        json!({"type": "deploy", "cell": "b2", "armies": 1.0}),
        json!({"type": "deploy", "cell": "b2", "armies": 256}),
        json!({"type": "occupy", "armies": "2"}),
        json!({"type": "occupy", "armies": 2, "cell": "b2"}),
        json!({"type": "steal"}),
        json!("turn"),
    ] {
        assert!(serde_json::from_value::<Action>(action.clone()).is_err(), "{action}");
    }
}

#[test]
fn the_schemas_accept_what_the_types_do() {
    let actions = jsonschema::validator_for(&Dominion::action_schema()).expect("a schema");
    for text in [
        "turn",
        "pass",
        "reinforce b2",
        "withdraw e5",
        "attack b3 b4",
        "occupy 0",
        "advance b2 c2 12",
        "deploy b2 6",
    ] {
        let action = Dominion::read(&table(2, NINE, &[]), text).expect(text);
        assert!(actions.is_valid(&json!(action)), "{text}");
    }
    assert!(!actions.is_valid(&json!({"type": "deploy", "cell": "b2", "armies": 7})));
    assert!(!actions.is_valid(&json!({"type": "turn", "card": "Kh"})));
    let options = jsonschema::validator_for(&Dominion::options_schema()).expect("a schema");
    for good in [json!({}), json!({"size": 5, "round_limit": null}), json!({"round_limit": 500})] {
        assert!(options.is_valid(&good), "{good}");
    }
    for bad in [json!({"size": 6}), json!({"round_limit": 0}), json!({"limit": 1})] {
        assert!(!options.is_valid(&bad), "{bad}");
    }
}

#[test]
fn a_battle_is_told_with_odds_dice_and_losses() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 5)]);
    let effects = play(&mut position, "turn", &drawing("5h"));
    assert_eq!(
        told(Some("turn"), Some(0), &effects),
        ["ann turned the five of hearts: this turn red 5s are 2 stronger, black 5s 2 weaker."]
    );
    let effects = play(&mut position, "attack b2 b3", &falling(&[5, 3, 4, 3]));
    assert_eq!(
        told(Some("attack b2 b3"), Some(0), &effects),
        [
            "ann attacked bob from b2 to b3, even odds: 5 + 3 = 8 against 4 + 3 = 7. bob lost 1 army.",
            "bob now has 4 armies on b3."
        ]
    );
    let effects = play(&mut position, "attack b2 b3", &falling(&[1, 1, 6, 6]));
    assert_eq!(
        told(Some("attack b2 b3"), Some(0), &effects),
        [
            "ann attacked bob from b2 to b3, advantage 1: 1 + 1 + 1 = 3 against 6 + 6 = 12. ann lost 4 armies.",
            "No army is left on b2: bob conquered it and decides how many armies move in.",
            "b2 is unoccupied."
        ]
    );
    let effects = play(&mut position, "occupy 1", &falling(&[1, 1]));
    assert_eq!(
        told(Some("occupy 1"), Some(1), &effects),
        [
            "bob moved 1 army into the conquered cell.",
            "bob now has 3 armies on b3 and 1 army on b2.",
            "ann rolled 1 and 1 to deploy: up to 6 armies on a card of rank 2 or less."
        ]
    );
}

#[test]
fn kings_queens_and_reshuffling_are_told() {
    let turned = |card: &str| {
        told(Some("turn"), Some(1), &[json!({"type": "turned", "card": card, "reshuffled": false})]).concat()
    };
    assert_eq!(turned("Kh"), "bob turned the king of hearts: one army more, on a cell that takes it.");
    assert_eq!(turned("Ks"), "bob turned the king of spades: one army must be withdrawn.");
    assert_eq!(turned("Qs"), "bob turned the queen of spades: every black card is 1 stronger this turn.");
    assert!(turned("Ac").ends_with("this turn black aces are 2 stronger, red aces 2 weaker."));
    let again = told(Some("turn"), Some(1), &[json!({"type": "turned", "card": "Jd", "reshuffled": true})]);
    assert!(again[0].starts_with("The discards became the stock again. bob turned the jack"), "{again:?}");
}

#[test]
fn stages_rolls_and_passes_are_told() {
    assert_eq!(
        told(Some("pass"), Some(0), &[stage(0, "advance")]),
        ["ann passed and went on to advance.", "ann may advance."]
    );
    assert_eq!(
        told(Some("pass"), Some(0), &[rolled(1, [1, 2], 3, 6), rolled(0, [6, 6], 12, 1), stage(0, "deploy")]),
        [
            "ann passed.",
            "bob rolled 1 and 2 to deploy: no cell of rank 3 or less takes armies, so the turn ended.",
            "ann rolled 6 and 6 to deploy: up to 1 army on a card of rank 12 or less."
        ]
    );
    assert_eq!(
        told(Some("advance b2 a2 3"), Some(0), &[armies("a2", 0, 4), unoccupied("b2"), stage(1, "attack")]),
        [
            "ann advanced 3 armies from b2 to a2.",
            "ann now has 4 armies on a2; b2 is unoccupied.",
            "bob may attack."
        ]
    );
    assert_eq!(told(None, Some(1), &[unoccupied("a1"), unoccupied("b2")]), ["a1 and b2 are unoccupied."]);
    assert_eq!(
        told(Some("deploy b2 2"), Some(1), &[armies("b2", 1, 5)]),
        ["bob deployed 2 armies on b2.", "bob now has 5 armies on b2."]
    );
}

#[test]
fn the_board_as_text_shows_cards_owners_phase_and_dice() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 5)]);
    let text = |position: &Position| {
        Dominion::board_text(&Dominion::view(position, Viewer::Spectator), &in_english::captions(&names()))
    };
    let lines = [
        "  +-------------+-------------+-------------+",
        "3 | a3 Ac N-S   | b3 2d E-W   | c3 3c N-S   |",
        "  | free        | 1: 5 armies | free        |",
        "  +-------------+-------------+-------------+",
        "2 | a2 4d E-W   | b2 5c N-S   | c2 6d E-W   |",
        "  | free        | 0: 4 armies | free        |",
        "  +-------------+-------------+-------------+",
        "1 | a1 7c N-S   | b1 8d E-W   | c1 9c N-S   |",
        "  | free        | free        | free        |",
        "  +-------------+-------------+-------------+",
        "        a             b             c",
        "",
        "N-S attacks north and south, E-W east and west.",
        "",
        "0: ann, 1 cell, 4 armies, in turn",
        "   4 on b2",
        "1: bob, 1 cell, 5 armies",
        "   5 on b3",
        "2: cat, 0 cells, 0 armies",
        "",
        "ann may attack.",
        "Round 1. Stock: 52 cards.",
    ];
    assert_eq!(text(&position).lines().collect::<Vec<_>>(), lines);
    play(&mut position, "turn", &drawing("Tc"));
    assert!(
        text(&position).contains("ann is to attack.\nTurned: Tc, the ten of clubs. Attacks this turn: 0.\n")
    );
    play(&mut position, "attack b2 b3", &falling(&[1, 1, 6, 6]));
    assert!(text(&position).contains("bob may move up to 5 armies from b3 to b2."), "{}", text(&position));
    position.phase = Phase::Deploy(Roll([6, 1]));
    assert!(text(&position).contains("ann rolled 6 and 1: 6 armies at most, rank 7 at most."));
    Dominion::close(&mut position);
    assert!(text(&position).contains("The game is over."));
}
