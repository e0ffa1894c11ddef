//! Positions as JSON, and previews.

use super::*;

fn stored(position: &Position) -> Value {
    serde_json::to_value(position).expect("data")
}

#[test]
fn a_position_is_stored_as_short_json_and_read_back() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b1", 1, 2)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack b2 b1", &falling(&[6, 6, 1, 1]));
    let json = stored(&position);
    assert_eq!(
        json,
        json!({"options": {"size": 3, "round_limit": null}, "seats": 2, "left": [], "round": 1, "current": 0,
            "phase": {"occupy": {"from": "b2", "to": "b1", "winner": 0}},
            "field": [["Ac", null, 0], ["2d", null, 0], ["3c", null, 0], ["4d", null, 0], ["5c", 0, 4],
                ["6d", null, 0], ["7c", null, 0], ["8d", null, 0], ["9c", null, 0]],
            "discards": ["Tc"], "ruled": true, "attacks": 1})
    );
    assert_eq!(serde_json::from_value::<Position>(json).expect("a position"), position);
}

#[test]
fn what_no_game_can_come_to_is_not_read() {
    let position = table(2, NINE, &[("b2", 0, 4), ("b1", 1, 2)]);
    assert!(serde_json::from_value::<Position>(stored(&position)).is_ok());
    for (pointer, value) in [
        ("/seats", json!(3)),
        ("/current", json!(2)),
        ("/left", json!([2])),
        ("/left", json!([1])),
        ("/left", json!([0, 1])),
        ("/field", json!([])),
        ("/field/0/0", json!("Kc")),
        ("/field/0/0", json!("2d")),
        ("/field/0/1", json!(0)),
        ("/field/0/2", json!(1)),
        ("/field/4/1", json!(2)),
        ("/field/4/2", json!(10)),
        ("/field/4/2", json!(255)),
        ("/discards", json!(["Tc", "Tc"])),
        ("/ruled", json!(true)),
        ("/phase", json!("advance")),
        ("/phase", json!("rolling")),
        ("/phase", json!({"deploy": [0, 7]})),
        ("/phase", json!({"occupy": {"from": "b2", "to": "b1", "winner": 0}})),
        ("/phase", json!({"occupy": {"from": "b2", "to": "d4", "winner": 0}})),
    ] {
        let mut json = stored(&position);
        *json.pointer_mut(pointer).expect("a member") = value.clone();
        assert!(serde_json::from_value::<Position>(json).is_err(), "{pointer} {value}");
    }
}

#[test]
fn a_preview_stops_before_chance_with_what_comes_before_it_done() {
    let mut position = table(2, NINE, &[("a3", 0, 2), ("b3", 0, 2), ("a2", 1, 1)]);
    let preview = |position: &mut Position, text: &str| {
        let action = Dominion::read(position, text).expect("readable");
        let mut step = Step::new(Chance::Withheld);
        let halt = Dominion::act(position, Seat(0), &action, &mut step).expect_err("chance is withheld");
        assert!(matches!(halt, Halt::NoChance(_)));
        step.finish().effects
    };
    let before = position;
    assert!(preview(&mut position, "turn").is_empty());
    assert_eq!(position, before);
    let effects = preview(&mut position, "advance b3 a3 1");
    assert_eq!(effects, [armies("a3", 0, 3), armies("b3", 0, 1)]);
    let seen = view(&position);
    assert_eq!((&seen["phase"], &seen["dice"]), (&json!("deploy"), &json!(null)), "the roll is to come");
    assert!(legal(&position).is_empty());
}
