//! DM1, DM2, DM5, DM6, DM8, DM9: strength, reach, kings, battles and conquest.

use super::*;

#[test]
fn dm1_capacity_is_a_matter_of_base_strength_whatever_card_was_turned() {
    let mut position = table(2, NINE, &[("b2", 0, 7), ("b1", 0, 3), ("b3", 1, 1)]);
    play(&mut position, "turn", &drawing("5d"));
    play(&mut position, "attack b2 b3", &falling(&[1, 1, 4, 5]));
    assert_eq!(position.strength(cell("b2")), 5 + 7 - 2, "a black five is 2 weaker under a red one");
    assert_eq!(refusal(&position, "advance b1 b2 2"), "1 army can advance there");
    play(&mut position, "advance b1 b2 1", &falling(&[1, 1]));
    assert_eq!(position.field.base_strength(cell("b2")), 13);
}

#[test]
fn dm1_a_jack_holds_two_armies_and_an_ace_twelve() {
    let mut position = table(2, "Ac Jd 3c 4d 5c 6d 7c 8d 9c", &[("a3", 0, 7), ("c1", 1, 1)]);
    position.phase = Phase::Deploy(Roll([6, 1]));
    position.field.put(cell("b3"), Seat(0), 1);
    assert_eq!(refusal(&position, "deploy a3 6"), "1 to 5 armies can be deployed there");
    position.phase = Phase::Deploy(Roll([6, 5]));
    assert_eq!(refusal(&position, "deploy b3 2"), "1 army can be deployed there");
}

#[test]
fn dm2_a_vertical_card_attacks_north_and_south_a_horizontal_one_east_and_west() {
    let foes = [("b3", 1, 1), ("b1", 1, 1), ("a2", 1, 1), ("c2", 1, 1)];
    let mut position = table(2, NINE, &foes);
    position.field.put(cell("b2"), Seat(0), 4);
    play(&mut position, "turn", &drawing("Tc"));
    assert_eq!(legal(&position), ["attack b2 b3", "attack b2 b1"]);
    assert!(refusal(&position, "attack b2 a2").starts_with("a2 is out of reach"));
    // The same from a horizontal card.
    let mut position = table(2, NINE, &[("c3", 1, 1), ("a3", 1, 1), ("b2", 1, 1), ("b3", 0, 4)]);
    play(&mut position, "turn", &drawing("Tc"));
    assert_eq!(legal(&position), ["attack b3 a3", "attack b3 c3"]);
}

#[test]
fn dm2_only_cells_of_other_players_can_be_attacked() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 0, 1), ("b1", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    assert_eq!(refusal(&position, "attack b2 b3"), "b3 is not a cell of another player");
    assert_eq!(refusal(&position, "attack b3 a3"), "a3 is not a cell of another player", "it is unoccupied");
    assert_eq!(refusal(&position, "attack b1 b2"), "b1 is not a cell of yours");
    assert_eq!(refusal(&position, "attack b2 b4"), "b4 is not on this field");
    assert_eq!(refusal(&position, "attack e5 b1"), "e5 is not a cell of yours");
}

/// The advantage of b2 (five of clubs) over b3 (two of diamonds), four armies to one, under a turned card.
fn advantage_under(turned: &str) -> i64 {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 1)]);
    position.turned = Some(card(turned));
    let effects = play(&mut position, "attack b2 b3", &falling(&[1, 1, 6, 3]));
    effects[0]["advantage"].as_i64().expect("a number")
}

#[test]
fn dm4_ranks_of_the_same_colour_gain_two_and_of_the_other_colour_lose_two() {
    assert_eq!(advantage_under("9c"), 9 - 3, "no card of that rank takes part");
    assert_eq!(advantage_under("5s"), 9 + 2 - 3);
    assert_eq!(advantage_under("5h"), 9 - 2 - 3);
    assert_eq!(advantage_under("2h"), 9 - (3 + 2));
    assert_eq!(advantage_under("2s"), 9 - (3 - 2));
}

#[test]
fn dm4_a_queen_adds_one_to_her_colour_and_a_king_changes_no_strength() {
    assert_eq!(advantage_under("Qs"), 9 + 1 - 3);
    assert_eq!(advantage_under("Qh"), 9 - (3 + 1));
    assert_eq!(advantage_under("Ks"), 9 - 3);
    assert_eq!(advantage_under("Kh"), 9 - 3);
}

#[test]
fn dm5_a_red_king_reinforces_one_cell_even_from_thirteen_to_fourteen_but_no_further() {
    let mut position = table(2, NINE, &[("b2", 0, 8), ("a2", 0, 10), ("a3", 0, 1), ("b3", 1, 1)]);
    assert_eq!(position.field.base_strength(cell("b2")), 13);
    play(&mut position, "turn", &drawing("Kd"));
    assert_eq!(view(&position)["phase"], "reinforce");
    assert_eq!(legal(&position), ["reinforce a3", "reinforce b2"]);
    assert_eq!(refusal(&position, "reinforce a2"), "a2 has strength 14 already");
    assert_eq!(refusal(&position, "reinforce b3"), "b3 is not a cell of yours");
    assert!(refusal(&position, "attack b2 b3").starts_with("a red king was turned"));
    assert!(refusal(&position, "pass").starts_with("a red king was turned"));
    assert_eq!(play(&mut position, "reinforce b2", &[]), [armies("b2", 0, 9)]);
    assert_eq!(position.field.base_strength(cell("b2")), 14);
    assert_eq!(view(&position)["phase"], "attack");
    assert_eq!(refusal(&position, "turn"), "a card is turned already: it is turned once a turn");
}

#[test]
fn dm5_when_no_own_cell_qualifies_a_red_king_does_nothing() {
    let mut position = table(2, NINE, &[("b2", 0, 9), ("b3", 1, 1)]);
    let effects = play(&mut position, "turn", &drawing("Kh"));
    assert_eq!(effects.len(), 1);
    assert_eq!(legal(&position), ["attack b2 b3"]);
}

#[test]
fn dm6_a_black_king_takes_one_army_and_may_leave_its_cell_unoccupied() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("c3", 0, 1), ("b3", 1, 1)]);
    play(&mut position, "turn", &drawing("Kc"));
    assert_eq!(view(&position)["phase"], "withdraw");
    assert_eq!(legal(&position), ["withdraw c3", "withdraw b2"]);
    assert!(refusal(&position, "attack b2 b3").starts_with("a black king was turned"));
    assert_eq!(refusal(&position, "withdraw b3"), "b3 is not a cell of yours");
    let mut other = position;
    assert_eq!(play(&mut other, "withdraw b2", &[]), [armies("b2", 0, 3)]);
    assert_eq!(play(&mut position, "withdraw c3", &[]), [unoccupied("c3")]);
    assert_eq!(legal(&position), ["attack b2 b3"]);
}

#[test]
fn dm6_dm7_the_last_attacking_army_may_be_withdrawn_and_then_no_attack_is_owed() {
    let mut position = table(2, NINE, &[("b2", 0, 1), ("c3", 0, 1), ("b3", 1, 1)]);
    play(&mut position, "turn", &drawing("Ks"));
    let effects = play(&mut position, "withdraw b2", &falling(&[1, 1]));
    assert_eq!(effects, [unoccupied("b2"), rolled(0, [1, 1], 2, 6), stage(0, "deploy")]);
}

#[test]
fn dm8_four_dice_two_for_the_attacker_and_then_two_for_the_defender() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 5)]);
    play(&mut position, "turn", &drawing("Tc"));
    // 9 against 7: advantage 2; 5 + 3 + 2 = 10 against 4 + 3 = 7.
    let effects = play(&mut position, "attack b2 b3", &falling(&[5, 3, 4, 3]));
    assert_eq!(
        effects,
        [
            json!({"type": "battle", "from": "b2", "to": "b3", "attacker": 0, "defender": 1, "advantage": 2,
                "attacker_dice": [5, 3], "defender_dice": [4, 3], "losses": [0, 3]}),
            armies("b3", 1, 2)
        ]
    );
    // 9 against 4: advantage 5; equal numbers change nothing.
    let effects = play(&mut position, "attack b2 b3", &falling(&[1, 1, 4, 3]));
    assert_eq!((effects.len(), &effects[0]["losses"]), (1, &json!([0, 0])));
    // 1 + 1 + 5 = 7 against 9: the attacker loses two.
    let effects = play(&mut position, "attack b2 b3", &falling(&[1, 1, 5, 4]));
    assert_eq!((&effects[0]["losses"], &effects[1]), (&json!([2, 0]), &armies("b2", 0, 2)));
    assert_eq!(view(&position)["attacks"], 3);
}

#[test]
fn dm8_no_side_loses_more_than_it_has() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 2)]);
    play(&mut position, "turn", &drawing("Tc"));
    let effects = play(&mut position, "attack b2 b3", &falling(&[6, 6, 1, 1]));
    assert_eq!(effects[0]["losses"], json!([0, 2]));
}

#[test]
fn dm9_an_attacker_who_conquers_decides_how_many_armies_move_in() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b1", 1, 2), ("b3", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    let effects = play(&mut position, "attack b2 b1", &falling(&[6, 6, 1, 1]));
    assert_eq!(effects[1..], [conquered("b1", 0), unoccupied("b1")]);
    let seen = view(&position);
    assert_eq!(seen["pending"], json!({"from": "b2", "to": "b1", "winner": 0, "max": 4}));
    assert_eq!((&seen["phase"], &seen["current"]), (&json!("occupy"), &json!(0)));
    assert_eq!(legal(&position), ["occupy 0", "occupy 1", "occupy 2", "occupy 3", "occupy 4"]);
    assert_eq!(refusal(&position, "occupy 5"), "0 to 4 armies can move in");
    assert!(refusal(&position, "pass").starts_with("a cell was conquered"));
    let mut stays = position;
    assert!(play(&mut stays, "occupy 0", &[]).is_empty());
    assert_eq!(legal(&stays), ["attack b2 b3", "pass"]);
    // All of them: the winning cell is then unoccupied, and the horizontal b1 attacks nobody.
    let effects = play(&mut position, "occupy 4", &falling(&[6, 6]));
    assert_eq!(effects[..2], [unoccupied("b2"), armies("b1", 0, 4)]);
    assert_eq!(effects[2..], [rolled(0, [6, 6], 12, 1), stage(0, "deploy")]);
}

#[test]
fn dm9_no_more_armies_move_in_than_make_strength_thirteen() {
    let mut position = table(2, "Ac Jd 3c 4d 5c 6d 7c 8d 9c", &[("b2", 0, 8), ("b3", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack b2 b3", &falling(&[6, 6, 1, 1]));
    assert_eq!(view(&position)["pending"]["max"], 2);
    assert_eq!(refusal(&position, "occupy 3"), "0 to 2 armies can move in");
}

#[test]
fn dm9_a_defender_who_conquers_decides_although_it_is_not_his_turn() {
    let mut position = table(2, NINE, &[("b2", 0, 2), ("c3", 0, 1), ("b3", 1, 5), ("c2", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    let effects = play(&mut position, "attack b2 b3", &falling(&[1, 1, 6, 6]));
    assert_eq!(effects[0]["losses"], json!([2, 0]));
    assert_eq!(effects[1..], [conquered("b2", 1), unoccupied("b2")]);
    assert_eq!(Dominion::to_act(&position), Some(Seat(1)));
    let seen = view(&position);
    assert_eq!(seen["current"], 0);
    assert_eq!(seen["pending"], json!({"from": "b3", "to": "b2", "winner": 1, "max": 5}));
    // The card of b3 is horizontal, but orientation does not matter for moving in. The attack stage continues without a new
    // `stage`.
    assert_eq!(play(&mut position, "occupy 3", &[]), [armies("b3", 1, 2), armies("b2", 1, 3)]);
    assert_eq!(Dominion::to_act(&position), Some(Seat(0)));
    assert_eq!(legal(&position), ["attack c3 c2", "pass"]);
}

#[test]
fn it_is_nobody_elses_choice() {
    let mut position = table(2, NINE, &[("b2", 0, 2), ("b3", 1, 5)]);
    let (played, _) =
        with_words(&[], |step| Dominion::act(&mut position, Seat(1), &super::super::Action::Turn {}, step));
    assert_eq!(in_english::refusal(&played.expect_err("not in turn")), "it is not this seat's choice");
}
