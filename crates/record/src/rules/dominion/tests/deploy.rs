//! DM11 and DM15, and the deal.

use super::*;

#[test]
fn the_field_is_dealt_without_kings_and_queens_from_the_north_west() {
    let words: Vec<u32> = vec![0; 16].into_iter().chain(falling(&[1, 2])).collect();
    let options = Options::default();
    let (started, trace) = with_words(&words, |step| Dominion::start(&options, 2, step));
    let position = started.expect("chance is there");
    let field = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Ad 2d 3d 4d 5d";
    let field: Vec<_> = field.split(' ').collect();
    assert_eq!(
        trace.effects,
        [json!({"type": "dealt", "field": field}), rolled(0, [1, 2], 3, 6), stage(0, "deploy")]
    );
    assert!(trace.drew && !trace.hides && !trace.reveals);
    let seen = view(&position);
    assert_eq!(
        seen["field"][1],
        json!({"cell": "b4", "card": "2c", "orientation": "horizontal", "owner": null, "armies": 0})
    );
    let ways: String = (0..16)
        .map(|cell| if seen["field"][cell]["orientation"] == "vertical" { '|' } else { '-' })
        .collect();
    assert_eq!(ways, "|-|--|-||-|--|-|");
    assert_eq!((&seen["stock"], &seen["discards"], &seen["round"]), (&json!(52), &json!([]), &json!(1)));
    assert_eq!((&seen["dice"], &seen["current"]), (&json!([1, 2]), &json!(0)));
}

#[test]
fn dm11_a_roll_allows_a_rank_up_to_the_sum_and_armies_up_to_seven_less_the_lower_die() {
    let mut position = table(2, NINE, &[("b3", 0, 1), ("a3", 1, 1)]);
    position.phase = Phase::Deploy(Roll([1, 3]));
    assert_eq!(
        legal(&position)[..7],
        [
            "deploy b3 1",
            "deploy b3 2",
            "deploy b3 3",
            "deploy b3 4",
            "deploy b3 5",
            "deploy b3 6",
            "deploy c3 1"
        ]
    );
    assert_eq!(legal(&position).last().map(String::as_str), Some("pass"));
    assert_eq!(refusal(&position, "deploy b3 7"), "1 to 6 armies can be deployed there");
    assert_eq!(refusal(&position, "deploy b3 0"), "1 to 6 armies can be deployed there");
    assert_eq!(refusal(&position, "deploy a3 1"), "a3 is occupied by another player");
    assert_eq!(
        refusal(&position, "deploy b2 1"),
        "the dice allow a card of rank 4 at most, and b2 is of rank 5"
    );
    assert_eq!(refusal(&position, "deploy d1 1"), "d1 is not on this field");
    assert!(refusal(&position, "turn").starts_with("this is the deploy stage"));
    let effects = play(&mut position, "deploy c3 6", &falling(&[6, 6]));
    assert_eq!(effects, [armies("c3", 0, 6), rolled(1, [6, 6], 12, 1), stage(1, "deploy")]);
}

#[test]
fn dm11_a_deployment_goes_up_to_strength_thirteen() {
    let mut position = table(2, NINE, &[("b3", 0, 8), ("a2", 0, 9), ("c2", 0, 8), ("a3", 1, 1)]);
    position.phase = Phase::Deploy(Roll([6, 1]));
    assert_eq!(refusal(&position, "deploy b3 4"), "1 to 3 armies can be deployed there");
    assert_eq!(refusal(&position, "deploy a2 1"), "a2 is full: its strength is 13 or more");
    assert_eq!(refusal(&position, "deploy c2 1"), "c2 is full: its strength is 13 or more", "14 is full too");
}

#[test]
fn dm11_a_roll_that_fits_no_cell_ends_the_turn_and_is_shown() {
    let mut position = table(2, NINE, &[("a3", 0, 1), ("b3", 0, 1), ("c1", 1, 1)]);
    position.phase = Phase::Deploy(Roll([6, 6]));
    let effects = play(&mut position, "pass", &falling(&[1, 1]));
    assert_eq!(effects, [rolled(1, [1, 1], 2, 6), stage(0, "advance")]);
}

#[test]
fn dm11_without_a_cell_to_deploy_on_there_is_no_roll() {
    let mut position = table(2, NINE, &[]);
    for cell in position.field.cells() {
        position.field.put(cell, Seat(1), 1);
    }
    position.field.put(cell("a3"), Seat(0), 12);
    // Every other cell is seat 1's, and the ace is full.
    assert_eq!(play(&mut position, "pass", &[]), [stage(1, "attack")]);
}

#[test]
fn dm11_passing_ends_the_turn_without_deploying() {
    let mut position = table(2, NINE, &[("a3", 0, 1), ("c1", 1, 1)]);
    position.phase = Phase::Deploy(Roll([6, 5]));
    assert_eq!(play(&mut position, "pass", &falling(&[2, 2])), [rolled(1, [2, 2], 4, 5), stage(1, "deploy")]);
}

#[test]
fn dm15_a_player_without_armies_still_rolls_when_a_cell_is_free() {
    let mut position = table(3, NINE, &[("a3", 0, 1), ("c1", 2, 1)]);
    position.phase = Phase::Deploy(Roll([6, 5]));
    assert_eq!(play(&mut position, "pass", &falling(&[3, 3])), [rolled(1, [3, 3], 6, 4), stage(1, "deploy")]);
    assert_eq!(play(&mut position, "deploy b2 1", &falling(&[1, 1]))[0], armies("b2", 1, 1));
}

#[test]
fn dm15_a_player_without_armies_is_passed_over_while_no_cell_is_free() {
    let mut position = table(3, NINE, &[]);
    for cell in position.field.cells() {
        position.field.put(cell, Seat(0), 1);
    }
    position.field.put(cell("c1"), Seat(2), 1);
    position.phase = Phase::Deploy(Roll([6, 5]));
    assert_eq!(play(&mut position, "pass", &[]), [stage(2, "attack")], "no dice for seat 1");
}
