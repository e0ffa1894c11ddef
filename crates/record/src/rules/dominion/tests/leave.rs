//! DM14: leaving.

use super::*;
use crate::rules::dominion::options::RoundLimit;

/// Seat 0 has attacked b3 from b2 and lost: seat 1 is to occupy b2. Seat 2 is elsewhere.
fn defender_decides() -> Position {
    let mut position = table(3, NINE, &[("b2", 0, 2), ("c3", 0, 1), ("b3", 1, 5), ("a1", 2, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack b2 b3", &falling(&[1, 1, 6, 6]));
    assert_eq!(Dominion::to_act(&position), Some(Seat(1)));
    position
}

#[test]
fn dm14_who_leaves_out_of_turn_loses_all_armies_and_nothing_else_happens() {
    let mut position = table(3, NINE, &[("a3", 0, 1), ("b3", 1, 5), ("c2", 1, 2), ("a1", 2, 1)]);
    position.phase = Phase::Deploy(Roll([1, 1]));
    assert_eq!(leave(&mut position, 1, &[]), [unoccupied("b3"), unoccupied("c2")]);
    assert_eq!(view(&position)["dice"], json!([1, 1]), "the roll stands");
    assert!(legal(&position).contains(&"deploy b3 6".to_owned()), "freed cells may be used");
    // The turn skips the seat that left.
    assert_eq!(
        play(&mut position, "pass", &falling(&[6, 6])),
        [rolled(2, [6, 6], 12, 1), stage(2, "deploy")]
    );
}

#[test]
fn dm14_leaving_in_ones_own_turn_ends_it() {
    for phase in
        [Phase::Attack, Phase::Withdraw, Phase::Reinforce, Phase::Advance, Phase::Deploy(Roll([6, 6]))]
    {
        let mut position = table(3, NINE, &[("b2", 0, 2), ("b3", 1, 5), ("c1", 2, 1)]);
        position.phase = phase;
        let effects = leave(&mut position, 0, &falling(&[4, 4]));
        assert_eq!(effects, [unoccupied("b2"), rolled(1, [4, 4], 8, 3), stage(1, "deploy")], "{phase:?}");
        assert_eq!(view(&position)["round"], 1);
    }
}

#[test]
fn dm14_one_who_was_to_occupy_as_attacker_stays_and_his_turn_ends() {
    let mut position = table(3, NINE, &[("b2", 0, 4), ("b3", 1, 1), ("c1", 2, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack b2 b3", &falling(&[6, 6, 1, 1]));
    let effects = leave(&mut position, 0, &falling(&[4, 4]));
    assert_eq!(effects, [unoccupied("b2"), rolled(1, [4, 4], 8, 3), stage(1, "deploy")]);
    let seen = view(&position);
    assert_eq!((&seen["turned"], &seen["pending"]), (&json!(null), &json!(null)));
}

#[test]
fn dm14_one_who_was_to_occupy_as_defender_stays_and_the_attacker_goes_on() {
    let mut position = defender_decides();
    position.field.put(cell("c2"), Seat(2), 1);
    assert_eq!(leave(&mut position, 1, &[]), [unoccupied("b3")]);
    assert_eq!(Dominion::to_act(&position), Some(Seat(0)));
    assert_eq!(legal(&position), ["attack c3 c2", "pass"]);
    // With nothing left to attack, the stage ends.
    let mut position = defender_decides();
    let effects = leave(&mut position, 1, &falling(&[6, 6]));
    assert_eq!(effects, [unoccupied("b3"), rolled(0, [6, 6], 12, 1), stage(0, "deploy")]);
}

#[test]
fn dm14_when_the_attacker_leaves_the_occupy_stays_and_then_his_turn_ends() {
    let mut position = defender_decides();
    assert_eq!(leave(&mut position, 0, &[]), [unoccupied("c3")]);
    assert_eq!(Dominion::to_act(&position), Some(Seat(1)));
    let seen = view(&position);
    assert_eq!(
        (&seen["phase"], &seen["current"], &seen["turned"]),
        (&json!("occupy"), &json!(0), &json!("Tc"))
    );
    // Seat 1 can advance then, in a turn of its own.
    let effects = play(&mut position, "occupy 2", &[]);
    assert_eq!(effects, [armies("b3", 1, 3), armies("b2", 1, 2), stage(1, "advance")]);
    assert_eq!(view(&position)["turned"], json!(null));
}

#[test]
fn dm14_when_attacker_and_then_defender_leave_the_turn_ends() {
    let mut position = table(4, FOUR, &[("b3", 0, 2), ("b4", 1, 9), ("d1", 2, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack b3 b4", &falling(&[1, 1, 6, 6]));
    assert!(leave(&mut position, 0, &[]).is_empty(), "his last armies are lost already");
    let effects = leave(&mut position, 1, &falling(&[5, 5]));
    assert_eq!(effects, [unoccupied("b4"), rolled(2, [5, 5], 10, 2), stage(2, "deploy")]);
}

const FOUR: &str = "Ac 2d 3c 4d 5c 6d 7c 8d 9c Td Jc Ad 2c 3d 4c 5d";

#[test]
fn dm14_another_seat_that_leaves_does_not_touch_a_pending_occupy() {
    let mut position = defender_decides();
    assert_eq!(leave(&mut position, 2, &[]), [unoccupied("a1")]);
    assert_eq!(legal(&position).last().map(String::as_str), Some("occupy 5"));
}

#[test]
fn dm14_the_attack_stage_ends_when_a_leaving_takes_the_last_target_card_turned_or_not() {
    for turned in [None, Some(card("Tc"))] {
        let mut position = table(3, NINE, &[("b2", 0, 2), ("a2", 0, 1), ("b3", 1, 5), ("c1", 2, 1)]);
        position.turned = turned;
        assert_eq!(leave(&mut position, 1, &[]), [unoccupied("b3"), stage(0, "advance")]);
    }
    // With another target the attack stage continues, and the duty to attack remains.
    let mut position = table(3, NINE, &[("b2", 0, 2), ("b3", 1, 5), ("b1", 2, 1)]);
    position.turned = Some(card("Tc"));
    assert_eq!(leave(&mut position, 1, &[]), [unoccupied("b3")]);
    assert_eq!(legal(&position), ["attack b2 b1"]);
}

#[test]
fn dm14_a_king_still_wants_its_army_when_the_last_target_has_left() {
    let mut position = table(3, NINE, &[("b2", 0, 2), ("b3", 1, 5), ("c1", 2, 1)]);
    play(&mut position, "turn", &drawing("Kh"));
    assert_eq!(leave(&mut position, 1, &[]), [unoccupied("b3")]);
    let effects = play(&mut position, "reinforce b2", &falling(&[1, 4]));
    assert_eq!(effects, [armies("b2", 0, 3), rolled(0, [1, 4], 5, 6), stage(0, "deploy")]);
}

#[test]
fn dm14_a_round_is_over_when_the_turn_passes_to_a_seat_that_is_not_after_it() {
    let mut position = table(3, NINE, &[("a3", 0, 1), ("c1", 1, 1), ("a1", 2, 1)]);
    position.options.round_limit = Some(RoundLimit::try_from(2).expect("a limit"));
    leave(&mut position, 0, &falling(&[6, 6]));
    assert_eq!((&view(&position)["round"], &view(&position)["current"]), (&json!(1), &json!(1)));
    play(&mut position, "pass", &falling(&[6, 6]));
    assert_eq!(view(&position)["round"], 1);
    // From seat 2 to seat 1, the first remaining seat.
    play(&mut position, "pass", &falling(&[6, 6]));
    assert_eq!((&view(&position)["round"], &view(&position)["current"]), (&json!(2), &json!(1)));
}

#[test]
fn dm14_leaving_in_the_last_turn_of_the_last_round_ends_the_game_by_the_limit() {
    let mut position = table(3, NINE, &[("a3", 0, 1), ("c1", 1, 1), ("a1", 2, 1)]);
    position.options.round_limit = Some(RoundLimit::try_from(1).expect("a limit"));
    position.current = Seat(2);
    position.phase = Phase::Deploy(Roll([6, 6]));
    assert_eq!(leave(&mut position, 2, &[]), [unoccupied("a1")]);
    let ending = ending::of(&position).expect("the game is over");
    assert_eq!(ending.reason, PlayedOut::RoundLimit);
    assert_eq!(ending.standing, [[Seat(0), Seat(1)]]);
}

#[test]
fn dm14_when_one_remains_the_armies_of_the_other_are_gone_and_the_view_is_finished() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 1), ("a1", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack b2 b3", &falling(&[6, 6, 1, 1]));
    assert_eq!(leave(&mut position, 1, &[]), [unoccupied("a1")]);
    assert_eq!(ending::of(&position), None, "play has not ended the game");
    assert_eq!(Dominion::to_act(&position), None);
    let seen = view(&position);
    assert_eq!(
        (&seen["phase"], &seen["attacks"], &seen["round"]),
        (&json!("finished"), &json!(0), &json!(1))
    );
    for member in ["current", "turned", "pending", "dice"] {
        assert_eq!(seen[member], json!(null), "{member}");
    }
    assert_eq!((&seen["stock"], &seen["discards"]), (&json!(51), &json!(["Tc"])));
    assert_eq!(seen["field"][4]["armies"], 4, "all else is as it was");
}

#[test]
fn an_abort_leaves_the_field_as_it_was() {
    let mut position = table(2, NINE, &[("b2", 0, 4), ("b3", 1, 1)]);
    let field = view(&position)["field"].clone();
    Dominion::close(&mut position);
    assert_eq!(view(&position)["field"], field);
    assert_eq!(Dominion::ending(&position), None);
}
